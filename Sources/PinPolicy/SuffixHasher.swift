/// Hashes every suffix of a host on a label boundary in one pass from the right.
///
/// The labels go in from right to left, each with the dot after it: a suffix of the host is a prefix of
/// what is hashed. Eight bytes at a time are multiplied by a secret and folded in half, which costs a
/// tenth of `Hasher` on texts as short as labels.
struct SuffixHasher {
  /// A secret of one table, so that nobody can aim at one of its buckets.
  struct Key {
    fileprivate let start = UInt64.random(in: .min ... .max)
    fileprivate let multiplier = UInt64.random(in: .min ... .max) | 1

    init() {}
  }

  private var state: UInt64
  private let multiplier: UInt64
  /// Where the suffix begins that has been hashed; nil before the first label.
  private var start: Int?

  init(_ key: Key) {
    state = key.start
    multiplier = key.multiplier
  }

  /// Takes the next label to the left.
  ///
  /// - Returns: Where the suffix begins now; nil when there is no other label.
  @inline(__always)
  mutating func extend(over host: Span<UInt8>) -> Int? {
    var end = start ?? host.count
    guard end > 0 else { return nil }
    // The dot after a label is the label's; that before it ends the search.
    var searched = start == nil ? UInt64.max : .max >> 8
    while true {
      let word = HostWord(host, before: end)
      let dots = word.equal(to: UInt8(ascii: ".")) & searched
      guard dots == 0, end >= 8 else {
        let count = dots == 0 ? end : dots.leadingZeroBitCount / 8
        fold(count == 0 ? 0 : word.bits & ~0 &<< UInt64(64 &- 8 &* count))
        start = end &- count
        return start
      }
      fold(word.bits)
      end &-= 8
      searched = .max
    }
  }

  @inline(__always)
  private mutating func fold(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: multiplier)
    state = product.high ^ product.low
  }

  /// The hash of the suffix so far.
  var hash: UInt32 { UInt32(truncatingIfNeeded: state ^ state >> 32) }

  static func hash(_ host: Span<UInt8>, _ key: Key) -> UInt32 {
    var suffix = SuffixHasher(key)
    while suffix.extend(over: host) != nil {}
    return suffix.hash
  }
}
