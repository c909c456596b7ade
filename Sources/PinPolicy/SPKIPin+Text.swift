extension SPKIPin: CustomStringConvertible {
  private static let prefix: InlineArray<7, UInt8> = [115, 104, 97, 50, 53, 54, 47]  // sha256/
  private static let textCount = 51
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let noSextet: UInt8 = 0x80
  /// The six bits of each character of the alphabet, ``noSextet`` for every other byte.
  private static let sextets = {
    var sextets = InlineArray<256, UInt8>(repeating: noSextet)
    for (value, character) in alphabet.enumerated() { sextets[Int(character)] = UInt8(value) }
    return sextets
  }()

  /// The text that a policy holds: `sha256/` and 44 characters of Base64.
  public var description: String {
    var text = Array("sha256/".utf8)
    text.reserveCapacity(Self.textCount)
    let bytes = self.bytes + [0]
    for start in stride(from: 0, to: 33, by: 3) {
      let group =
        Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
      for shift in stride(from: 18, through: 0, by: -6) {
        text.append(Self.alphabet[group >> shift & 63])
      }
    }
    text[text.count - 1] = UInt8(ascii: "=")
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads `sha256/` and the canonical standard Base64 of 32 bytes: 51 characters.
  ///
  /// - Throws: ``SPKIPinError``.
  public init(_ text: String) throws(SPKIPinError) { try self.init(text: text.utf8Span.span) }

  /// Reads the text of a pin without allocation.
  package init(text: Span<UInt8>) throws(SPKIPinError) {
    guard text.count >= 7 else { throw .prefix }
    for index in 0..<7 where text[index] != Self.prefix[index] { throw .prefix }
    guard text.count == Self.textCount else { throw .length(text.count &- 7) }
    var seen: UInt8 = 0
    // Four runs of 60 bits and one of 18, the last two of which belong to no byte.
    let first = Self.bits(text, 7..<17, &seen)
    let second = Self.bits(text, 17..<27, &seen)
    let third = Self.bits(text, 27..<37, &seen)
    let fourth = Self.bits(text, 37..<47, &seen)
    let last = Self.bits(text, 47..<50, &seen)
    guard seen & Self.noSextet == 0, text[50] == UInt8(ascii: "=") else { throw .alphabet }
    guard last & 3 == 0 else { throw .trailingBits }
    self.init(
      words: (
        first << 4 | second >> 56, second << 8 | third >> 52, third << 12 | fourth >> 48,
        fourth << 16 | last >> 2
      ))
  }

  @inline(__always)
  private static func bits(
    _ text: Span<UInt8>, _ range: Range<Int>, _ seen: inout UInt8
  ) -> UInt64 {
    var bits: UInt64 = 0
    for index in range {
      let sextet = sextets[Int(text[index])]
      seen |= sextet
      bits = bits << 6 | UInt64(sextet)
    }
    return bits
  }
}
