/// The escapes of RFC 8259 §7.
enum Escapes {
  /// Judges the escape whose backslash is at `start`; a surrogate pair is one.
  ///
  /// - Returns: the offset after it.
  /// - Throws: a fault at the backslash.
  static func end(of start: Int, in text: Span<UInt8>) throws(Fault) -> Int {
    guard start + 1 < text.count else {
      throw Fault(.unexpectedEnd(expected: "an escape"), at: start)
    }
    switch text[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      guard let unit = codeUnit(at: start, in: text) else {
        throw Fault(.invalidEscape, at: start)
      }
      guard unit & 0xf800 == 0xd800 else { return start + 6 }
      guard unit < 0xdc00, let low = codeUnit(at: start + 6, in: text), low & 0xfc00 == 0xdc00
      else { throw Fault(.loneSurrogate, at: start) }
      return start + 12
    default:
      throw Fault(.invalidEscape, at: start)
    }
  }

  /// The value of `\uXXXX` at `start`; nil when that isn't what stands there.
  private static func codeUnit(at start: Int, in text: Span<UInt8>) -> UInt32? {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"),
      text[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt32 = 0
    for index in (start + 2)..<(start + 6) {
      let digit: UInt8
      switch text[index] {
      case let byte where byte &- UInt8(ascii: "0") <= 9: digit = byte &- UInt8(ascii: "0")
      case let byte where (byte | 0x20) &- UInt8(ascii: "a") <= 5:
        digit = (byte | 0x20) &- UInt8(ascii: "a") &+ 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// The bytes that the inside of a string spells; what was judged has no other escapes.
  static func resolve(_ text: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < text.count else {
        result.append(byte)
        index += 1
        continue
      }
      let letter = text[index + 1]
      if letter == UInt8(ascii: "u"), let unit = codeUnit(at: index, in: text) {
        index += 6
        var value = unit
        if unit & 0xfc00 == 0xd800, let low = codeUnit(at: index, in: text) {
          value = 0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff
          index += 6
        }
        // A surrogate pair has been joined above, so there is a scalar.
        result += (Unicode.Scalar(value) ?? "\u{fffd}").utf8
      } else {
        result.append(meaning(of: letter))
        index += 2
      }
    }
    return result
  }

  private static func meaning(of letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }
}
