/// The table that finds the rule for a host: one probe a label at most, no allocation.
///
/// Hosts lie in buckets by a hash that is keyed afresh for every table, so that nobody can aim at one
/// bucket. A bucket has one or two hosts on average, whatever the number of rules, and they lie side
/// by side: a probe reads one place of an index that is small enough for a near cache and, for what
/// is there, one or two lines of the records.
struct PolicyResolver: Sendable {
  /// For each bucket in bits 0–31 where it begins among the records, and above them a bit for each
  /// of its hosts that the host's hash chose: most misses end here. At last where the records end.
  private let buckets: [UInt64]
  /// The hosts, bucket by bucket and by rule in each: four bytes of which the lowest bit says
  /// whether the rule includes subdomains and the others are its index, a byte that is the
  /// text's length, the text.
  private let records: [UInt8]
  private let key: SuffixHasher.Key
  private let wildcard: Int?
  private let includesAnySubdomains: Bool

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

  /// Which rule governs a host.
  struct Answer {
    var step = Resolution.Step.none
    var rule: Int?
    /// How many texts were looked for: the host, and each name above it.
    var probes = 0
    /// How many records that took: for a host that is there, those of its bucket up to it.
    var records = 0
  }

  /// Finds the rule for a canonical host.
  func resolve(_ host: Span<UInt8>) -> Answer {
    var answer = Answer()
    var governing = find(host, hash: SuffixHasher.hash(host, key), counting: &answer)
    if governing != nil {
      answer.step = .exact
    } else if includesAnySubdomains, !HostSyntax.isAddress(canonical: host) {
      // From the shortest name above to the longest: the last that is found governs.
      var suffix = SuffixHasher(key)
      while let start = suffix.extend(over: host), start > 0 {
        let name = host.extracting(start..<host.count)
        if let record = find(name, hash: suffix.hash, counting: &answer), record & 1 == 1 {
          answer.step = .subdomain
          governing = record
        }
      }
    }
    if let governing {
      answer.rule = Int(governing >> 1)
    } else if let wildcard {
      answer.step = .wildcard
      answer.rule = wildcard
    }
    return answer
  }

  /// The first four bytes of a host's record.
  private func find(
    _ text: Span<UInt8>, hash: UInt32, counting answer: inout Answer
  ) -> UInt32? {
    answer.probes &+= 1
    let place = Int(hash) & (buckets.count &- 2)
    let bucket = buckets[place]
    guard bucket & Self.mark(hash) != 0 else { return nil }
    return Self.find(
      text, in: records.span, from: Self.start(of: bucket),
      to: Self.start(of: buckets[place &+ 1]), counting: &answer.records)
  }

  private static func start(of bucket: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: bucket)) }

  /// The bit of a bucket that says that a host with such a hash may be in it.
  private static func mark(_ hash: UInt32) -> UInt64 { 1 << (32 + UInt64(hash >> 27)) }

  private static func find(
    _ text: Span<UInt8>, in records: Span<UInt8>, from start: Int, to end: Int,
    counting count: inout Int
  ) -> UInt32? {
    var offset = start
    while offset < end {
      count &+= 1
      let textStart = offset &+ 5
      let textEnd = textStart &+ Int(records[offset &+ 4])
      if HostSyntax.equal(records.extracting(textStart..<textEnd), text) {
        return unsafe records.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
      }
      offset = textEnd
    }
    return nil
  }

  /// Two rules for one host.
  struct Repetition: Equatable {
    let earlier: Int
    let later: Int
  }

  /// What rules are added to in the order of the document.
  struct Builder {
    /// The records in that order, where each begins, and its hash.
    private var records: [UInt8] = []
    private var starts: [UInt32] = []
    private var hashes: [UInt32] = []
    private let key = SuffixHasher.Key()
    private var ruleCount = 0
    private var wildcard: Int?
    private var includesAnySubdomains = false
    private var repetition: Repetition?

    init(capacity: Int) {
      records.reserveCapacity(capacity * 32)
      starts.reserveCapacity(capacity)
      hashes.reserveCapacity(capacity)
    }

    /// Adds the next rule, for `*`.
    mutating func addWildcard() {
      if let earlier = wildcard {
        repetition = repetition ?? Repetition(earlier: earlier, later: ruleCount)
      } else {
        wildcard = ruleCount
      }
      ruleCount &+= 1
    }

    /// Adds the next rule, for a canonical host.
    mutating func add(_ host: Span<UInt8>, includesSubdomains: Bool) {
      // A text of JSON is shorter than 4 GiB, and takes more bytes for a host than a record does.
      precondition(records.count < Int(UInt32.max))
      starts.append(UInt32(truncatingIfNeeded: records.count))
      hashes.append(SuffixHasher.hash(host, key))
      let head = UInt32(truncatingIfNeeded: ruleCount) << 1 | (includesSubdomains ? 1 : 0)
      unsafe withUnsafeBytes(of: head) { unsafe records.append(contentsOf: $0) }
      records.append(UInt8(truncatingIfNeeded: host.count))
      unsafe host.withUnsafeBufferPointer { unsafe records.append(contentsOf: $0) }
      if includesSubdomains { includesAnySubdomains = true }
      ruleCount &+= 1
    }

    /// Sorts the records into buckets.
    ///
    /// - Returns: The resolver, and the first rule that repeats the pattern of an earlier one.
    func build() -> (resolver: PolicyResolver, repetition: Repetition?) {
      var bucketCount = 1
      while bucketCount * 2 < hashes.count { bucketCount *= 2 }
      let (order, ends) = order(bucketCount: bucketCount)
      var buckets: [UInt64] = []
      buckets.reserveCapacity(bucketCount + 1)
      var sorted: [UInt8] = []
      sorted.reserveCapacity(records.count)
      var repetition = repetition
      var next = 0
      for end in ends {
        let start = sorted.count
        var bucket = UInt64(truncatingIfNeeded: start)
        while next < end {
          let record = range(of: Int(order[next]))
          bucket |= PolicyResolver.mark(hashes[Int(order[next])])
          var count = 0
          let earlier = PolicyResolver.find(
            records.span.extracting(record.dropFirst(5)), in: sorted.span, from: start,
            to: sorted.count, counting: &count)
          // The first in the document, not in the table, whose order is another every time.
          if let earlier, rule(of: record) < repetition?.later ?? .max {
            repetition = Repetition(earlier: Int(earlier >> 1), later: rule(of: record))
          }
          sorted.append(contentsOf: records[record])
          next &+= 1
        }
        buckets.append(bucket)
      }
      buckets.append(UInt64(truncatingIfNeeded: sorted.count))
      let resolver = PolicyResolver(
        buckets: buckets, records: sorted, key: key, wildcard: wildcard,
        includesAnySubdomains: includesAnySubdomains)
      return (resolver, repetition)
    }

    /// The hosts by bucket, those of one in the order of the document, and where each bucket ends.
    private func order(bucketCount: Int) -> (hosts: [UInt32], ends: [Int]) {
      let mask = bucketCount - 1
      var ends = [Int](repeating: 0, count: bucketCount)
      for hash in hashes { ends[Int(hash) & mask] += 1 }
      var total = 0
      for bucket in ends.indices {
        total += ends[bucket]
        ends[bucket] = total
      }
      var hosts = [UInt32](repeating: 0, count: hashes.count)
      var places = ends
      for host in hashes.indices.reversed() {
        let bucket = Int(hashes[host]) & mask
        places[bucket] -= 1
        hosts[places[bucket]] = UInt32(truncatingIfNeeded: host)
      }
      return (hosts, ends)
    }

    private func range(of host: Int) -> Range<Int> {
      let start = Int(starts[host])
      return start..<(start &+ 5 &+ Int(records[start &+ 4]))
    }

    private func rule(of record: Range<Int>) -> Int {
      let head = unsafe records.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: record.lowerBound, as: UInt32.self)
      return Int(head >> 1)
    }
  }

  private init(
    buckets: [UInt64], records: [UInt8], key: SuffixHasher.Key, wildcard: Int?,
    includesAnySubdomains: Bool
  ) {
    self.buckets = buckets
    self.records = records
    self.key = key
    self.wildcard = wildcard
    self.includesAnySubdomains = includesAnySubdomains
  }
}
