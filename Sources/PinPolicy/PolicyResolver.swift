/// The table that finds the rule for a host: one probe a label at most, no allocation.
///
/// Open addressing over the hashes of the patterns' text, keyed afresh in every process so that nobody
/// can aim collisions. An entry has a hash's tag, the rule's index and whether the rule includes
/// subdomains, so that a miss touches nothing but the table.
struct PolicyResolver: Sendable {
  /// Bits 32–63 the hash's upper half, 1–31 the rule's index plus one, 0 whether it includes
  /// subdomains; 0 is empty.
  private var entries: [UInt64]
  /// The canonical text of every rule's pattern, end to end: one place to look instead of a string
  /// for each, and no reference counting.
  private var texts: [UInt8] = []
  /// Where the text of rule `i` ends.
  private var ends: [UInt32] = []
  private var wildcard: Int?
  private var includesAnySubdomains = false

  /// Makes room for so many rules at a load of at most one half.
  init(ruleCount: Int) {
    var slots = 4
    while slots < ruleCount * 2 { slots *= 2 }
    entries = Array(repeating: 0, count: slots)
    ends.reserveCapacity(ruleCount)
  }

  /// Of two rules for one host, which no reader of documents lets through, the first governs.
  init(_ rules: [HostRule]) {
    self.init(ruleCount: rules.count)
    for rule in rules {
      switch rule.pattern {
      case .wildcard: _ = insertWildcard()
      case .host(let name):
        _ = insert(name.description.utf8Span.span, includesSubdomains: rule.includesSubdomains)
      }
    }
  }

  /// Adds the next rule, for `*`.
  ///
  /// - Returns: The index of an earlier rule of the same pattern, which goes on governing.
  mutating func insertWildcard() -> Int? {
    let earlier = wildcard
    if earlier == nil { wildcard = ends.count }
    ends.append(UInt32(truncatingIfNeeded: texts.count))
    return earlier
  }

  /// Adds the next rule, for a canonical host.
  ///
  /// - Returns: The index of an earlier rule of the same host, which goes on governing.
  mutating func insert(_ host: Span<UInt8>, includesSubdomains: Bool) -> Int? {
    let rule = ends.count
    precondition(rule * 2 < entries.count, "more rules than room was made for")
    let hash = SuffixHasher.hash(host)
    var answer = Answer()
    let earlier = find(host, hash: hash, counting: &answer)
    for index in host.indices { texts.append(host[index]) }
    ends.append(UInt32(truncatingIfNeeded: texts.count))
    if let earlier { return earlier.rule }
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while entries[slot] != 0 { slot = (slot &+ 1) & mask }
    let place = UInt64(truncatingIfNeeded: rule &+ 1)
    entries[slot] = hash & ~0xffff_ffff | place << 1 | (includesSubdomains ? 1 : 0)
    if includesSubdomains { includesAnySubdomains = true }
    return nil
  }

  /// Which rule governs a host.
  struct Answer {
    var step = Resolution.Step.none
    var rule: Int?
    /// How many texts were looked for: the host, and each name above it.
    var probes = 0
    /// How many entries of the table that took, two a probe or fewer on average.
    var entries = 0
  }

  /// Finds the rule for a canonical host.
  func resolve(_ host: Span<UInt8>) -> Answer {
    var answer = Answer()
    if let entry = find(host, hash: SuffixHasher.hash(host), counting: &answer) {
      answer.step = .exact
      answer.rule = entry.rule
      return answer
    }
    if includesAnySubdomains, !HostSyntax.isAddress(canonical: host) {
      // From the shortest suffix to the longest: the last that is found is the longest.
      var suffix = SuffixHasher()
      while let start = suffix.extend(over: host), start > 0 {
        let name = host.extracting(start..<host.count)
        if let entry = find(name, hash: suffix.hash, counting: &answer),
          entry.includesSubdomains
        {
          answer.step = .subdomain
          answer.rule = entry.rule
        }
      }
      if answer.rule != nil { return answer }
    }
    if let wildcard {
      answer.step = .wildcard
      answer.rule = wildcard
    }
    return answer
  }

  private struct Entry {
    let rule: Int
    let includesSubdomains: Bool
  }

  private func find(
    _ text: Span<UInt8>, hash: UInt64, counting answer: inout Answer
  ) -> Entry? {
    answer.probes &+= 1
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = entries[slot]
      answer.entries &+= 1
      if entry == 0 { return nil }
      if entry >> 32 == hash >> 32 {
        let rule = Int(truncatingIfNeeded: entry >> 1 & 0x7fff_ffff) &- 1
        if isText(ofRule: rule, text) {
          return Entry(rule: rule, includesSubdomains: entry & 1 == 1)
        }
      }
      slot = (slot &+ 1) & mask
    }
  }

  private func isText(ofRule rule: Int, _ text: Span<UInt8>) -> Bool {
    let start = rule == 0 ? 0 : Int(ends[rule &- 1])
    return HostSyntax.equal(texts.span.extracting(start..<Int(ends[rule])), text)
  }
}
