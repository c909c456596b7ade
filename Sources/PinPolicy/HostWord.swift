/// Up to eight bytes of a host, the first of them lowest, that are tested at once.
///
/// A test gives the high bit of each byte that passes it. Bytes above 127 must be excluded first: the
/// sums of the others stay below 256 and so within their byte.
struct HostWord {
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  let bits: UInt64

  /// Reads the bytes, up to eight, that begin at `start`, to the bottom; zeros above them.
  @inline(__always)
  init(_ text: Span<UInt8>, after start: Int) {
    let rest = text.count &- start
    if rest >= 8 {
      bits = Self.load(text, at: start)
    } else if text.count >= 8, rest > 0 {
      bits = Self.load(text, at: text.count &- 8) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* rest)
    } else {
      bits = Self.few(text) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* rest)
    }
  }

  /// Reads the bytes, up to eight, that end before `end`, to the top; zeros below them.
  @inline(__always)
  init(_ text: Span<UInt8>, before end: Int) {
    if end >= 8 {
      bits = Self.load(text, at: end &- 8)
    } else if end <= 0 {
      bits = 0
    } else if text.count >= 8 {
      bits = Self.load(text, at: 0) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* end)
    } else {
      bits = Self.few(text.extracting(first: end))
    }
  }

  @inline(__always)
  private static func load(_ text: Span<UInt8>, at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: unsafe text.bytes.unsafeLoadUnaligned(
        fromByteOffset: offset, as: UInt64.self))
  }

  /// The bytes of a text of at most eight, at the top.
  private static func few(_ text: Span<UInt8>) -> UInt64 {
    var bits: UInt64 = 0
    for index in text.indices { bits = bits &>> 8 | UInt64(text[index]) &<< 56 }
    return bits
  }

  private static func every(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// The bytes that are `byte`.
  @inline(__always)
  func equal(to byte: UInt8) -> UInt64 {
    ~((bits ^ Self.every(byte)) &+ Self.every(0x7f)) & Self.highBits
  }

  /// The bytes from `first` to `last`.
  @inline(__always)
  func within(_ first: UInt8, _ last: UInt8) -> UInt64 {
    (bits &+ Self.every(0x80 &- first)) & ~(bits &+ Self.every(0x7f &- last)) & Self.highBits
  }
}
