/// One element of a DER encoding (X.690): where its tag, length and contents lie in the bytes.
///
/// Just enough to tell structures apart and to cut one out; libcrypto decodes them.
struct DERElement {
  static let integer: UInt8 = 0x02
  static let sequence: UInt8 = 0x30

  let tag: UInt8
  /// Tag, length and contents.
  let whole: Range<Int>
  let contents: Range<Int>

  /// The element that begins at `offset` and ends at `end` or before.
  ///
  /// - Returns: nil for a tag number above 30, a length that is indefinite, not minimal (X.690
  ///   §10.1) or larger than what is there.
  init?(at offset: Int, in bytes: Span<UInt8>, endingBy end: Int? = nil) {
    let end = end ?? bytes.count
    guard offset >= 0, end <= bytes.count, offset &+ 2 <= end else { return nil }
    tag = bytes[offset]
    guard tag & 0x1f != 0x1f else { return nil }
    let first = Int(bytes[offset &+ 1])
    var start = offset &+ 2
    var length = first
    if first >= 0x80 {
      let count = first & 0x7f
      guard 1...4 ~= count, start &+ count <= end, bytes[start] != 0 else { return nil }
      length = 0
      for index in start..<(start &+ count) { length = length << 8 | Int(bytes[index]) }
      guard length >= 0x80 else { return nil }
      start &+= count
    }
    guard length <= end &- start else { return nil }
    contents = start..<(start &+ length)
    whole = offset..<(start &+ length)
  }

  /// The elements inside, up to a number; what does not parse ends them.
  func children(in bytes: Span<UInt8>, atMost most: Int) -> [DERElement] {
    var found: [DERElement] = []
    var offset = contents.lowerBound
    while found.count < most, offset < contents.upperBound,
      let next = DERElement(at: offset, in: bytes, endingBy: contents.upperBound)
    {
      found.append(next)
      offset = next.whole.upperBound
    }
    return found
  }

  /// The value of an INTEGER 0 … 127.
  func smallInteger(in bytes: Span<UInt8>) -> Int? {
    guard tag == Self.integer, contents.count == 1 else { return nil }
    let value = bytes[contents.lowerBound]
    return value < 0x80 ? Int(value) : nil
  }
}
