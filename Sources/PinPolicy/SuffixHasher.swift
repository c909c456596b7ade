/// Hashes every suffix of a host on a label boundary in one pass from the right.
///
/// The text that is hashed is the labels in reverse order, each with a dot after it: a suffix of the
/// host is a prefix of it. SipHash with a key of the process, which is what `Hasher` is.
struct SuffixHasher {
  private var hasher = Hasher()
  /// Where the suffix begins that has been hashed; nil before the first label.
  private var start: Int?

  /// Takes the next label to the left.
  ///
  /// - Returns: Where the suffix begins now; nil when there is no other label.
  mutating func extend(over host: Span<UInt8>) -> Int? {
    let end = start ?? host.count
    guard end > 0 else { return nil }
    var label = end &- 1
    while label > 0, host[label &- 1] != UInt8(ascii: ".") { label &-= 1 }
    unsafe host.extracting(label..<end).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    if start == nil { hasher.combine(UInt8(ascii: ".")) }
    start = label
    return label
  }

  /// The hash of the suffix so far.
  var hash: UInt64 { UInt64(bitPattern: Int64(hasher.finalize())) }

  static func hash(_ host: Span<UInt8>) -> UInt64 {
    var suffix = SuffixHasher()
    while suffix.extend(over: host) != nil {}
    return suffix.hash
  }
}
