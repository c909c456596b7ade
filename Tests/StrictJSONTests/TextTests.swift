import StrictJSON
import Testing

@Suite("Strings, names and numbers")
struct TextTests {
  @Test(
    "What a string spells",
    arguments: [
      (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
      (#""\u0000""#, "\u{0}"), (#""\u007f\u0080\u07FF""#, "\u{7f}\u{80}\u{7ff}"),
      (#""\u0800\uD7ff\ue000\uFFFF""#, "\u{800}\u{d7ff}\u{e000}\u{ffff}"),
      (#""\ud800\udc00""#, "\u{10000}"), (#""\uDBFF\uDFFF""#, "\u{10ffff}"),
      (#""x\uD83D\uDE00y""#, "x😀y"), (#""\\u0041""#, "\\u0041"), ("\"\u{7f}\"", "\u{7f}"),
      (
        "\"\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"",
        "\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}"
      ),
      ("\"\u{fffe}\u{feff}\u{2028}\"", "\u{fffe}\u{feff}\u{2028}"),
    ])
  func strings(text: String, spelling: String) throws {
    for (document, node) in try [asValue(text), asName(text)] {
      #expect(Array(document.string(node).utf8) == Array(spelling.utf8))
      document.withUTF8(of: node) { bytes in
        #expect(bytes.indices.map { bytes[$0] } == Array(spelling.utf8))
      }
    }
  }

  private func asValue(_ text: String) throws -> (JSONDocument, JSONDocument.Node) {
    let document = try JSONDocument(text)
    return (document, document.root)
  }

  private func asName(_ text: String) throws -> (JSONDocument, JSONDocument.Node) {
    let document = try JSONDocument("{\(text):0}")
    return (document, try #require(document.members(of: document.root).first { _ in true }).name)
  }

  @Test(
    "A string matches the text that it spells",
    arguments: [
      (#""type""#, true), (#""\u0074ype""#, true), (#""\u0054ype""#, false), (#""typ""#, false),
      (#""types""#, false), (#""typf""#, false), (#""Type""#, false), (#""""#, false),
      ("true", false), ("[]", false), ("1", false),
    ])
  func matches(text: String, matches: Bool) throws {
    let document = try JSONDocument(text)
    #expect(document.matches(document.root, "type") == matches)
  }

  @Test("Only a string matches, and only with no text the empty text")
  func matchesNothing() throws {
    let document = try JSONDocument(#"["", {}, [], null, 0, "x", {"": "é"}]"#)
    #expect(
      document.elements(of: document.root).map { document.matches($0, "") }
        == [true, false, false, false, false, false, false])
    let object = try #require(
      document.elements(of: document.root).first { document.count(of: $0) == 1 })
    let member = try #require(document.member("", of: object))
    #expect(document.matches(member, "é"))
    #expect(!document.matches(member, "e\u{301}"))
  }

  @Test(
    "Integers are written without sign, fraction, exponent or leading zero",
    arguments: [
      ("0", 0), ("7", 7), ("10", 10), ("253402300799", 253_402_300_799),
      ("9223372036854775807", Int64.max), ("9223372036854775808", nil),
      ("10000000000000000000", nil), ("9999999999999999999", nil), ("99999999999999999999", nil),
      ("-0", nil), ("-1", nil), ("1.0", nil), ("1e2", nil), ("1E2", nil), ("0.5", nil),
      (#""1""#, nil), ("true", nil), ("null", nil), ("[1]", nil),
    ] as [(String, Int64?)])
  func integers(text: String, value: Int64?) throws {
    let document = try JSONDocument(text)
    #expect(document.integer(document.root) == value)
  }

  @Test("The text of numbers and words is what was written; containers have none")
  func otherText() throws {
    let document = try JSONDocument(" [ -1.50e+3 , true,false, null ,{\"a\":1},[2]]")
    #expect(
      document.elements(of: document.root).map(document.string)
        == ["-1.50e+3", "true", "false", "null", "", ""])
    #expect(document.withUTF8(of: document.root) { $0.count } == 0)
  }

  /// Eight bytes are looked at in one step: what ends the step may stand at any of them.
  @Test("What ends a run of plain characters is found at every alignment")
  func alignment() throws {
    for lead in 0..<9 {
      let open = String(repeating: " ", count: lead) + "\""
      for length in 0..<26 {
        let run = String(repeating: "\u{7f} ", count: (length + 1) / 2).prefix(length)
        for (special, spelling) in [
          ("\\n", "\n"), ("\\\"", "\""), ("é", "é"), ("\u{10ffff}", "\u{10ffff}"),
        ] {
          let document = try JSONDocument(open + run + special + run + "\"")
          #expect(document.string(document.root) == run + spelling + run)
        }
        let place = lead + 1 + length
        for control in ["\u{0}", "\u{1f}", "\n"] {
          let error = refusal(open + run + control + run + "\"")
          #expect(error?.reason == .controlCharacter)
          #expect(error?.byteOffset == place)
        }
        #expect(refusal(open + run + "\" ")?.reason == nil)
        #expect(refusal(open + run + "\"x")?.byteOffset == place + 1)
        #expect(refusal(open + run)?.byteOffset == place)
        let broken = Array((open + run).utf8) + [0x80] + Array((run + "\"").utf8)
        #expect(refusal(broken)?.byteOffset == place)
      }
    }
  }

  /// The standard library's judgement, which was written apart from ours.
  @Test("Two and three bytes of every kind are UTF-8 when the standard library says so")
  func validation() {
    let edges: [UInt8] = [
      0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
      0xec,
      0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfe, 0xff,
    ]
    var accepted = 0
    var wrong: [[UInt8]] = []
    for first in UInt8(0x80)...0xff {
      for second in edges {
        for third in [0x41, 0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
          for tail in [[], [0x80], [0xbf, 0x41]] as [[UInt8]] {
            let bytes = [first, second, third] + tail
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            // Only control characters are refused besides.
            let text = [0x22] + bytes.map { $0 < 0x20 ? 0x20 : $0 } + [0x22]
            let reason = refusal(text)?.reason
            if reason != (isValid ? nil : .invalidUTF8) { wrong.append(bytes) }
            if reason == nil { accepted += 1 }
          }
        }
      }
    }
    #expect(wrong.isEmpty)
    #expect(accepted > 500)
  }
}
