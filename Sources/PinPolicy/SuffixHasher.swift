/// Hashes every suffix of a host on a label boundary in one pass from the right.
///
/// The labels go in from right to left, each with the dot after it: a suffix of the host is a prefix of
/// what is hashed. Eight bytes at a time are multiplied by a secret of the process and folded in
/// half, which costs a tenth of `Hasher` on texts as short as labels.
struct SuffixHasher {
  private struct Key {
    let start = UInt64.random(in: .min ... .max)
    let multiplier = UInt64.random(in: .min ... .max) | 1
  }

  private static let key = Key()

  private var state: UInt64
  private let multiplier: UInt64
  /// Where the suffix begins that has been hashed; nil before the first label.
  private var start: Int?

  init() {
    state = Self.key.start
    multiplier = Self.key.multiplier
  }

  /// Takes the next label to the left.
  ///
  /// - Returns: Where the suffix begins now; nil when there is no other label.
  @inline(__always)
  mutating func extend(over host: Span<UInt8>) -> Int? {
    let end = start ?? host.count
    guard end > 0 else { return nil }
    var label = end &- 1
    while label > 0, host[label &- 1] != UInt8(ascii: ".") { label &-= 1 }
    var offset = label
    while offset < end {
      let word = Self.word(of: host, at: offset, count: min(8, end &- offset))
      let product = (state ^ word).multipliedFullWidth(by: multiplier)
      state = product.high ^ product.low
      offset &+= 8
    }
    start = label
    return label
  }

  /// The hash of the suffix so far.
  var hash: UInt32 { UInt32(truncatingIfNeeded: state ^ state >> 32) }

  static func hash(_ host: Span<UInt8>) -> UInt32 {
    var suffix = SuffixHasher()
    while suffix.extend(over: host) != nil {}
    return suffix.hash
  }

  /// `count` bytes, at most eight, the first of them lowest. No host has a NUL, so that zeros above
  /// them say how many there are.
  @inline(__always)
  private static func word(of host: Span<UInt8>, at offset: Int, count: Int) -> UInt64 {
    if offset &+ 8 <= host.count {
      let word = unsafe host.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return UInt64(littleEndian: word) & .max &>> UInt64(64 &- 8 &* count)
    }
    var word: UInt64 = 0
    for index in 0..<count { word |= UInt64(host[offset &+ index]) &<< UInt64(8 &* index) }
    return word
  }
}
