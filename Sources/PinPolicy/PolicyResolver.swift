/// The table that finds the rule for a host: one probe a label at most, no allocation.
///
/// Open addressing over the hashes of the patterns' text, keyed afresh in every process so that nobody
/// can aim collisions. An entry is eight bytes: a miss touches one, a hit also its record.
struct PolicyResolver: Sendable {
  /// Bits 33–63 of the hash, in bit 32 whether the rule includes subdomains, in bits 0–31 the
  /// record's offset plus one; 0 is empty. At most half of them are used.
  private var entries: [UInt64] = []
  /// For each host its rule's index in four bytes, its text's length in one, and its text: in one
  /// place, without a reference count.
  private var records: [UInt8] = []
  private var wildcard: Int?
  private var includesAnySubdomains = false

  private static let recordHead = 5

  /// Two rules for one host; of such the earlier governs.
  struct Repetition: Equatable {
    let earlier: Int
    let later: Int
  }

  /// What becomes a resolver: rules are added first and the table is filled at the end, for then
  /// its cache misses overlap.
  struct Builder {
    private var resolver = PolicyResolver()
    private var hashes: [UInt64] = []
    private var ruleCount = 0
    private var repetition: Repetition?

    init(capacity: Int) {
      hashes.reserveCapacity(capacity)
      resolver.records.reserveCapacity(capacity * 32)
    }

    /// Adds the next rule, for `*`.
    mutating func addWildcard() {
      if let earlier = resolver.wildcard {
        repetition = repetition ?? Repetition(earlier: earlier, later: ruleCount)
      } else {
        resolver.wildcard = ruleCount
      }
      ruleCount &+= 1
    }

    /// Adds the next rule, for a canonical host.
    mutating func add(_ host: Span<UInt8>, includesSubdomains: Bool) {
      let hash = SuffixHasher.hash(host) & ~PolicyResolver.subdomainBit
      hashes.append(includesSubdomains ? hash | PolicyResolver.subdomainBit : hash)
      if includesSubdomains { resolver.includesAnySubdomains = true }
      resolver.appendRecord(rule: ruleCount, host)
      ruleCount &+= 1
    }

    /// Fills the table.
    ///
    /// - Returns: The resolver, and the first rule that repeats the pattern of another.
    func build() -> (resolver: PolicyResolver, repetition: Repetition?) {
      var resolver = resolver
      let repeated = resolver.fill(hashes)
      return (resolver, repeated ?? repetition)
    }
  }

  /// Of two rules for one host, which no reader of documents lets through, the earlier governs.
  init(_ rules: [HostRule]) {
    var builder = Builder(capacity: rules.count)
    for rule in rules {
      switch rule.pattern {
      case .wildcard: builder.addWildcard()
      case .host(let name):
        builder.add(
          name.description.utf8Span.span, includesSubdomains: rule.includesSubdomains)
      }
    }
    self = builder.build().resolver
  }

  private init() {}

  private static let subdomainBit: UInt64 = 1 << 32

  private mutating func appendRecord(rule: Int, _ host: Span<UInt8>) {
    // A text of JSON is shorter than 4 GiB, and takes more bytes for a host than a record does.
    precondition(records.count < Int(UInt32.max))
    unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: rule)) {
      unsafe records.append(contentsOf: $0)
    }
    records.append(UInt8(truncatingIfNeeded: host.count))
    unsafe host.withUnsafeBufferPointer { unsafe records.append(contentsOf: $0) }
  }

  /// Enters the records, whose hashes these are.
  private mutating func fill(_ hashes: [UInt64]) -> Repetition? {
    var slots = 4
    while slots < hashes.count * 2 { slots *= 2 }
    entries = Array(repeating: 0, count: slots)
    let mask = slots &- 1
    var repetition: Repetition?
    var offset = 0
    for hash in hashes {
      let entry = hash & ~0xffff_ffff | UInt64(offset &+ 1)
      var slot = Int(truncatingIfNeeded: hash) & mask
      while entries[slot] != 0, !isSame(entries[slot], entry) { slot = (slot &+ 1) & mask }
      if entries[slot] == 0 {
        entries[slot] = entry
      } else if repetition == nil {
        repetition = Repetition(earlier: rule(of: entries[slot]), later: rule(of: entry))
      }
      offset &+= Self.recordHead &+ Int(records[offset &+ Self.recordHead &- 1])
    }
    return repetition
  }

  private func isSame(_ left: UInt64, _ right: UInt64) -> Bool {
    left >> 33 == right >> 33 && isText(of: left, records.span.extracting(textRange(of: right)))
  }

  /// Which rule governs a host.
  struct Answer {
    var step = Resolution.Step.none
    var rule: Int?
    /// How many texts were looked for: the host, and each name above it.
    var probes = 0
    /// How many entries of the table that took.
    var entries = 0
  }

  /// Finds the rule for a canonical host.
  func resolve(_ host: Span<UInt8>) -> Answer {
    var answer = Answer()
    var governing = find(host, hash: SuffixHasher.hash(host), counting: &answer)
    if governing != nil {
      answer.step = .exact
    } else if includesAnySubdomains, !HostSyntax.isAddress(canonical: host) {
      // From the shortest name above to the longest: the last that is found governs.
      var suffix = SuffixHasher()
      while let start = suffix.extend(over: host), start > 0 {
        let name = host.extracting(start..<host.count)
        if let entry = find(name, hash: suffix.hash, counting: &answer),
          entry & Self.subdomainBit != 0
        {
          answer.step = .subdomain
          governing = entry
        }
      }
    }
    if let governing {
      answer.rule = rule(of: governing)
    } else if let wildcard {
      answer.step = .wildcard
      answer.rule = wildcard
    }
    return answer
  }

  /// The entry of a text.
  private func find(
    _ text: Span<UInt8>, hash: UInt64, counting answer: inout Answer
  ) -> UInt64? {
    answer.probes &+= 1
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = entries[slot]
      answer.entries &+= 1
      if entry == 0 { return nil }
      if entry >> 33 == hash >> 33, isText(of: entry, text) { return entry }
      slot = (slot &+ 1) & mask
    }
  }

  private func isText(of entry: UInt64, _ text: Span<UInt8>) -> Bool {
    HostSyntax.equal(records.span.extracting(textRange(of: entry)), text)
  }

  private func textRange(of entry: UInt64) -> Range<Int> {
    let start = recordStart(entry) &+ Self.recordHead
    return start..<(start &+ Int(records[start &- 1]))
  }

  private func rule(of entry: UInt64) -> Int {
    Int(
      unsafe records.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: recordStart(entry), as: UInt32.self))
  }

  private func recordStart(_ entry: UInt64) -> Int {
    Int(UInt32(truncatingIfNeeded: entry)) &- 1
  }
}
