/// What the texts of a policy may hold, over UTF-8 and without allocation.
enum PolicyText {
  /// How many Unicode scalars a text has, and the first that a link's value and a note may not have:
  /// a control character (Cc) or a Bidi_Control character (UAX #9 §2), either of which would show
  /// another text than is compared.
  static func scan(_ text: Span<UInt8>) -> (scalars: Int, forbidden: Unicode.Scalar?) {
    var count = 0
    for index in text.indices {
      switch text[index] {
      case 0x20...0x7e: count &+= 1
      case 0x80...0xbf: continue  // goes on with a scalar that was counted
      default:
        count &+= 1
        if let scalar = forbiddenScalar(text, at: index) { return (count, scalar) }
      }
    }
    return (count, nil)
  }

  private static func forbiddenScalar(_ text: Span<UInt8>, at index: Int) -> Unicode.Scalar? {
    func next(_ offset: Int) -> UInt32 {
      index &+ offset < text.count ? UInt32(text[index &+ offset] & 0x3f) : 0
    }
    let scalar: UInt32
    switch text[index] {
    case let byte where byte < 0x80: scalar = UInt32(byte)
    case let byte where byte < 0xe0: scalar = UInt32(byte & 0x1f) << 6 | next(1)
    case let byte where byte < 0xf0:
      scalar = UInt32(byte & 0x0f) << 12 | next(1) << 6 | next(2)
    default: return nil
    }
    switch scalar {
    case 0...0x1f, 0x7f...0x9f, 0x61c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069:
      return Unicode.Scalar(scalar)
    default: return nil
    }
  }

  /// Whether a text is an audience or issuer: 1 to 255 visible ASCII characters.
  static func isIdentifier(_ text: Span<UInt8>) -> Bool {
    guard (1...255).contains(text.count) else { return false }
    for index in text.indices where text[index] < 0x21 || text[index] > 0x7e { return false }
    return true
  }
}
