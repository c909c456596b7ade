import StrictJSON
import Testing

/// A text that is refused, and where.
struct Refused: CustomTestStringConvertible {
  let bytes: [UInt8]
  let reason: JSONError.Reason
  let offset: Int
  let line: Int
  let column: Int
  let path: String?

  init(
    _ text: String, _ reason: JSONError.Reason, _ offset: Int, _ line: Int, _ column: Int,
    _ path: String?
  ) {
    self.init(Array(text.utf8), reason, offset, line, column, path)
  }

  init(
    _ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int, _ line: Int, _ column: Int,
    _ path: String?
  ) {
    self.bytes = bytes
    self.reason = reason
    self.offset = offset
    self.line = line
    self.column = column
    self.path = path
  }

  var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }
}

@Suite("Refusals")
struct RefusalTests {
  @Test("Structure", arguments: Self.structureTexts)
  func structure(_ text: Refused) throws { try check(text) }

  @Test("Words and numbers", arguments: Self.wordsTexts)
  func words(_ text: Refused) throws { try check(text) }

  @Test("Strings", arguments: Self.stringsTexts)
  func strings(_ text: Refused) throws { try check(text) }

  @Test("UTF-8", arguments: Self.encodingTexts)
  func encoding(_ text: Refused) throws { try check(text) }

  @Test("Lines and columns", arguments: Self.placesTexts)
  func places(_ text: Refused) throws { try check(text) }

  private func check(_ text: Refused) throws {
    let error = try #require(refusal(text.bytes))
    #expect(error.reason == text.reason)
    #expect(error.byteOffset == text.offset)
    #expect(error.line == text.line)
    #expect(error.column == text.column)
    #expect(error.path?.description == text.path)
    #expect(!error.isLimit)
  }

  static let structureTexts: [Refused] = [
    Refused("", .unexpectedEnd(expected: "a value"), 0, 1, 1, "$"),
    Refused(" \n", .unexpectedEnd(expected: "a value"), 2, 2, 1, "$"),
    Refused("}", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("[", .unexpectedEnd(expected: "a value"), 1, 1, 2, "$[0]"),
    Refused("[,1]", .unexpected(expected: "a value"), 1, 1, 2, "$[0]"),
    Refused("[1,]", .unexpected(expected: "a value"), 3, 1, 4, "$[1]"),
    Refused("[1,,2]", .unexpected(expected: "a value"), 3, 1, 4, "$[1]"),
    Refused("[1 2]", .unexpected(expected: "',' or ']'"), 3, 1, 4, "$"),
    Refused("[1}", .unexpected(expected: "',' or ']'"), 2, 1, 3, "$"),
    Refused("[1", .unexpectedEnd(expected: "',' or ']'"), 2, 1, 3, "$"),
    Refused("[[1],[2", .unexpectedEnd(expected: "',' or ']'"), 7, 1, 8, "$[1]"),
    Refused("[]]", .trailingBytes, 2, 1, 3, nil),
    Refused("1 1", .trailingBytes, 2, 1, 3, nil),
    Refused("{}\u{0}", .trailingBytes, 2, 1, 3, nil),
    Refused("{", .unexpectedEnd(expected: "a member's name or '}'"), 1, 1, 2, "$"),
    Refused("{,", .unexpected(expected: "a member's name or '}'"), 1, 1, 2, "$"),
    Refused("{]", .unexpected(expected: "a member's name or '}'"), 1, 1, 2, "$"),
    Refused("{a:1}", .unexpected(expected: "a member's name or '}'"), 1, 1, 2, "$"),
    Refused("{'a':1}", .unexpected(expected: "a member's name or '}'"), 1, 1, 2, "$"),
    Refused(#"{"a""#, .unexpectedEnd(expected: "':'"), 4, 1, 5, "$['a']"),
    Refused(#"{"a" 1}"#, .unexpected(expected: "':'"), 5, 1, 6, "$['a']"),
    Refused(#"{"a":"#, .unexpectedEnd(expected: "a value"), 5, 1, 6, "$['a']"),
    Refused(#"{"a":}"#, .unexpected(expected: "a value"), 5, 1, 6, "$['a']"),
    Refused(#"{"a":1"#, .unexpectedEnd(expected: "',' or '}'"), 6, 1, 7, "$"),
    Refused(#"{"a":1]"#, .unexpected(expected: "',' or '}'"), 6, 1, 7, "$"),
    Refused(#"{"a":1,"#, .unexpectedEnd(expected: "a member's name"), 7, 1, 8, "$"),
    Refused(#"{"a":1,}"#, .unexpected(expected: "a member's name"), 7, 1, 8, "$"),
    Refused(#"{"a":1,,"b":2}"#, .unexpected(expected: "a member's name"), 7, 1, 8, "$"),
    Refused(
      #"{"a":{"b":[1,{"c":[] 1}]}}"#, .unexpected(expected: "',' or '}'"), 21, 1, 22,
      "$['a']['b'][1]"),
    Refused(
      #"{"a":{"b":[[],{},{"c":[[2]x]}]}}"#, .unexpected(expected: "',' or ']'"), 26, 1, 27,
      "$['a']['b'][2]['c']"),
    Refused(
      #"{"a":[0],"b":{"c":[]},"d":[1,{},?]}"#, .unexpected(expected: "a value"), 32, 1, 33,
      "$['d'][2]"),
    Refused("/**/1", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("[1]//", .trailingBytes, 3, 1, 4, nil),
    Refused("\u{b}1", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("\u{a0}1", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("\u{feff}{}", .byteOrderMark, 0, 1, 1, nil),
    Refused("{}\u{feff}", .trailingBytes, 2, 1, 3, nil),
    Refused([0xff, 0xfe, 0x7b, 0x00], .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused(
      [0x7b, 0x00, 0x7d, 0x00], .unexpected(expected: "a member's name or '}'"), 1, 1, 2, "$"),
  ]

  static let wordsTexts: [Refused] = [
    Refused("ture", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("tru", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("truer", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("[True]", .unexpected(expected: "a value"), 1, 1, 2, "$[0]"),
    Refused("[false1]", .unexpected(expected: "a value"), 1, 1, 2, "$[0]"),
    Refused("[nul]", .unexpected(expected: "a value"), 1, 1, 2, "$[0]"),
    Refused("[null-]", .unexpected(expected: "a value"), 1, 1, 2, "$[0]"),
    Refused("undefined", .unexpected(expected: "a value"), 0, 1, 1, "$"),
    Refused("[NaN]", .invalidNumber, 1, 1, 2, "$[0]"),
    Refused("[Infinity]", .invalidNumber, 1, 1, 2, "$[0]"),
    Refused("[-Infinity]", .invalidNumber, 1, 1, 2, "$[0]"),
    Refused("[-NaN]", .invalidNumber, 1, 1, 2, "$[0]"),
    Refused("+1", .invalidNumber, 0, 1, 1, "$"),
    Refused(".5", .invalidNumber, 0, 1, 1, "$"),
    Refused("-", .invalidNumber, 0, 1, 1, "$"),
    Refused("--1", .invalidNumber, 0, 1, 1, "$"),
    Refused("- 1", .invalidNumber, 0, 1, 1, "$"),
    Refused("00", .invalidNumber, 0, 1, 1, "$"),
    Refused("-01", .invalidNumber, 0, 1, 1, "$"),
    Refused(#"{"refreshHint":0060}"#, .invalidNumber, 15, 1, 16, "$['refreshHint']"),
    Refused("[60.]", .invalidNumber, 1, 1, 2, "$[0]"),
    Refused("1.", .invalidNumber, 0, 1, 1, "$"),
    Refused("1.e1", .invalidNumber, 0, 1, 1, "$"),
    Refused("1e", .invalidNumber, 0, 1, 1, "$"),
    Refused("1e+", .invalidNumber, 0, 1, 1, "$"),
    Refused("1e1.5", .invalidNumber, 0, 1, 1, "$"),
    Refused("1.2.3", .invalidNumber, 0, 1, 1, "$"),
    Refused("0x1f", .invalidNumber, 0, 1, 1, "$"),
    Refused("1_000", .trailingBytes, 1, 1, 2, nil),
    Refused("1n", .invalidNumber, 0, 1, 1, "$"),
    Refused("[1-1]", .invalidNumber, 1, 1, 2, "$[0]"),
  ]

  static let stringsTexts: [Refused] = [
    Refused("\"", .unexpectedEnd(expected: "the end of the string"), 1, 1, 2, "$"),
    Refused("\"abcdefghijk", .unexpectedEnd(expected: "the end of the string"), 12, 1, 13, "$"),
    Refused(#"["a\""#, .unexpectedEnd(expected: "the end of the string"), 5, 1, 6, "$[0]"),
    Refused(#"{"a"#, .unexpectedEnd(expected: "the end of the string"), 3, 1, 4, "$"),
    Refused("\"a\nb\"", .controlCharacter, 2, 1, 3, "$"),
    Refused("\"\u{0}\"", .controlCharacter, 1, 1, 2, "$"),
    Refused("\"\u{1f}\"", .controlCharacter, 1, 1, 2, "$"),
    Refused("{\"a\tb\":1}", .controlCharacter, 3, 1, 4, "$"),
    Refused(#""\"#, .unexpectedEnd(expected: "an escape"), 1, 1, 2, "$"),
    Refused(#""a\x41""#, .invalidEscape, 2, 1, 3, "$"),
    Refused(#"{"a\x41":1}"#, .invalidEscape, 3, 1, 4, "$"),
    Refused(#""\'""#, .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\U0041""#, .invalidEscape, 1, 1, 2, "$"),
    Refused("\"\\\n\"", .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\u""#, .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\u00""#, .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\u004g""#, .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\u 041""#, .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\u+041""#, .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\u004"#, .invalidEscape, 1, 1, 2, "$"),
    Refused(#""\ud800""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\uDBFF""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\udc00""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\uDFFF""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\ud800\ud800""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\udc00\ud800""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\ud800x\udc00""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\ud800\n""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\ud800\u0041""#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#""\ud83d\ude00\ude00""#, .loneSurrogate, 13, 1, 14, "$"),
    Refused(#""\ud800"#, .loneSurrogate, 1, 1, 2, "$"),
    Refused(#"{"iss":"a\ud800"}"#, .loneSurrogate, 9, 1, 10, "$['iss']"),
  ]

  static let encodingTexts: [Refused] =
    ([
      ([0x80], 0), ([0xbf], 0), ([0xc0, 0x80], 0), ([0xc1, 0xbf], 0), ([0xc2], 1),
      ([0xc2, 0x7f], 1),
      ([0xdf, 0xc0], 1), ([0xe0, 0x9f, 0xbf], 1), ([0xe0, 0xa0], 2), ([0xe1, 0x80, 0x7f], 2),
      ([0xec, 0xbf, 0xc0], 2), ([0xed, 0xa0, 0x80], 1), ([0xed, 0xbf, 0xbf], 1), ([0xef, 0xbf], 2),
      ([0xf0, 0x8f, 0xbf, 0xbf], 1), ([0xf0, 0x90, 0x80], 3), ([0xf1, 0x80, 0x80, 0x7f], 3),
      ([0xf3, 0xbf, 0x41], 2), ([0xf4, 0x90, 0x80, 0x80], 1), ([0xf5, 0x80, 0x80, 0x80], 0),
      ([0xfe], 0), ([0xff], 0),
    ] as [([UInt8], Int)]).map { bytes, bad in
      Refused(
        Array(#"["é"#.utf8) + bytes + Array("\"]".utf8), .invalidUTF8, 4 + bad, 1,
        bad == 0 ? 4 : 5, "$[0]")
    } + [
      Refused([0x22, 0xe2, 0x82], .invalidUTF8, 3, 1, 3, "$"),
      Refused(Array("{\"".utf8) + [0xff], .invalidUTF8, 2, 1, 3, "$"),
    ]

  static let placesTexts: [Refused] = [
    Refused("{\n\n  \"a\": 1,\n  ?", .unexpected(expected: "a member's name"), 15, 4, 3, "$"),
    Refused("[1,\r\n ?", .unexpected(expected: "a value"), 6, 2, 2, "$[1]"),
    Refused("{\"ü🔒\" {}}", .unexpected(expected: "':'"), 10, 1, 7, "$['ü🔒']"),
    Refused("{\n\"e\u{301}\" {}}", .unexpected(expected: "':'"), 8, 2, 6, "$['e\u{301}']"),
    Refused("[\n \n\t\"日本語\" 1", .unexpected(expected: "',' or ']'"), 17, 3, 8, "$"),
  ]
}
