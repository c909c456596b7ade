/// Finds where the tokens of a text end.
enum Scanner {
  /// The first byte at or after `start` that is no white space (RFC 8259 §2).
  @inline(__always)
  static func skipSpace(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count {
      let byte = text[index]
      guard byte <= 0x20,
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
      else { break }
      index &+= 1
    }
    return index
  }

  /// The byte at `index`; 0, which continues nothing, at the end.
  @inline(__always)
  static func byte(_ text: Span<UInt8>, at index: Int) -> UInt8 {
    index < text.count ? text[index] : 0
  }

  /// Eight bytes, the first one lowest.
  @inline(__always)
  static func word(_ text: Span<UInt8>, at index: Int) -> UInt64 {
    // The load is checked against the bounds; unsafe are only types that not all bytes are good for.
    UInt64(
      littleEndian: unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// The offset of the quotation mark that ends the string whose inside begins at `start`.
  @inline(__always)
  static func endOfString(
    _ text: Span<UInt8>, from start: Int, escaped: inout Bool
  ) throws(Fault) -> Int {
    var index = start
    while true {
      index = special(text, from: index)
      guard index < text.count else {
        throw Fault(.unexpectedEnd(expected: "the end of the string"), at: text.count)
      }
      let byte = text[index]
      if byte == UInt8(ascii: "\"") { return index }
      if byte == UInt8(ascii: "\\") {
        escaped = true
        index = try Escapes.end(of: index, in: text)
      } else if byte < 0x20 {
        throw Fault(.controlCharacter, at: index)
      } else {
        index = try endOfScalar(text, from: index)
      }
    }
  }

  /// The first byte at or after `start` that is a quotation mark, a backslash, a control character
  /// or no ASCII; eight bytes a step.
  @inline(__always)
  static func special(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= text.count {
      let word = word(text, at: index)
      let ones: UInt64 = 0x0101_0101_0101_0101
      // In a byte below 0x80 the top bit of each difference says: equal, or below 0x20. A borrow
      // from a byte that was found can spoil those above it, so the lowest bit is right.
      let quote = (word ^ (ones &* 0x22)) &- ones
      let backslash = (word ^ (ones &* 0x5c)) &- ones
      let control = word &- (ones &* 0x20)
      let found = (quote | backslash | control | word) & (ones &* 0x80)
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < text.count {
      let byte = text[index]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        break
      }
      index &+= 1
    }
    return index
  }

  /// Judges the scalar that begins with the byte at `start`, which is no ASCII (RFC 3629 §4).
  ///
  /// - Returns: the offset after it.
  /// - Throws: a fault at the first byte that can't continue it.
  static func endOfScalar(_ text: Span<UInt8>, from start: Int) throws(Fault) -> Int {
    let second: ClosedRange<UInt8>
    let count: Int
    switch text[start] {
    case 0xc2...0xdf: (count, second) = (2, 0x80...0xbf)
    case 0xe0: (count, second) = (3, 0xa0...0xbf)  // shorter forms exist below
    case 0xed: (count, second) = (3, 0x80...0x9f)  // surrogates above
    case 0xe1...0xef: (count, second) = (3, 0x80...0xbf)
    case 0xf0: (count, second) = (4, 0x90...0xbf)  // shorter forms exist below
    case 0xf4: (count, second) = (4, 0x80...0x8f)  // beyond U+10FFFF above
    case 0xf1...0xf3: (count, second) = (4, 0x80...0xbf)
    default: throw Fault(.invalidUTF8, at: start)
    }
    for index in 1..<count {
      let range = index == 1 ? second : 0x80...0xbf
      guard range.contains(byte(text, at: start + index)) else {
        throw Fault(.invalidUTF8, at: start + index)
      }
    }
    return start + count
  }

  /// The offset after the number that begins at `start` (RFC 8259 §6).
  static func endOfNumber(
    _ text: Span<UInt8>, from start: Int, limit: Int
  ) throws(Fault) -> Int {
    var index = start
    if byte(text, at: index) == UInt8(ascii: "-") { index &+= 1 }
    var valid: Bool
    if byte(text, at: index) == UInt8(ascii: "0") {
      index &+= 1
      valid = true
    } else {
      valid = skipDigits(text, &index)
    }
    if valid, byte(text, at: index) == UInt8(ascii: ".") {
      index &+= 1
      valid = skipDigits(text, &index)
    }
    if valid, byte(text, at: index) | 0x20 == UInt8(ascii: "e") {
      index &+= 1
      let sign = byte(text, at: index)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index &+= 1 }
      valid = skipDigits(text, &index)
    }
    guard index &- start <= limit else { throw Fault(.numberTooLong(limit: limit), at: start) }
    guard valid, !continuesWord(byte(text, at: index)) else {
      throw Fault(.invalidNumber, at: start)
    }
    return index
  }

  /// Skips one or more digits.
  private static func skipDigits(_ text: Span<UInt8>, _ index: inout Int) -> Bool {
    let start = index
    while byte(text, at: index) &- UInt8(ascii: "0") <= 9 { index &+= 1 }
    return index > start
  }

  /// Whether a byte after a number or word would be read as a part of it: `00`, `0x1f`, `1.2.3`.
  private static func continuesWord(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") <= 25
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// Whether `word` stands at `start` and ends there.
  static func isWord(_ word: StaticString, _ text: Span<UInt8>, at start: Int) -> Bool {
    let end = start &+ word.utf8CodeUnitCount
    guard end <= text.count else { return false }
    return JSONDocument.equal(text.extracting(start..<end), word)
      && !continuesWord(byte(text, at: end))
  }
}
