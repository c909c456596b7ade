import StrictJSON
import Testing

@Suite("Writer")
struct WriterTests {
  @Test(
    "Escapes are the shortest (RFC 8785 §3.2.2.2)",
    arguments: [
      ("", ""), ("\"\\/", #"\"\\/"#), ("\u{8}\t\n\u{c}\r", #"\b\t\n\f\r"#),
      (
        "\u{0}\u{1}\u{7}\u{b}\u{e}\u{f}\u{10}\u{1a}\u{1f}",
        #"\u0000\u0001\u0007\u000b\u000e\u000f\u0010\u001a\u001f"#
      ),
      ("\u{7f}\u{80}\u{2028}é😀\u{feff}", "\u{7f}\u{80}\u{2028}é😀\u{feff}"),
      ("€$\u{f}\nA'B\"\\\\\"/", #"€$\u000f\nA'B\"\\\\\"/"#),
    ])
  func escapes(text: String, written: String) {
    #expect(JSONWriter.bytes(.string(text), order: .canonical) == Array("\"\(written)\"".utf8))
    #expect(
      JSONWriter.bytes(.object([JSONMember(text, .null)]), order: .canonical)
        == Array("{\"\(written)\":null}".utf8))
  }

  @Test("Every control character is written as an escape that reads back")
  func controls() throws {
    for value in 0..<UInt32(0x20) {
      let text = String(Character(try #require(Unicode.Scalar(value))))
      let bytes = JSONWriter.bytes(.string(text), order: .canonical)
      let document = try JSONDocument(parsing: bytes, limits: .policy)
      #expect(document.string(document.root) == text)
    }
  }

  /// The rows of RFC 8785 §3.2.3, and pairs around the surrogates.
  @Test("Names are sorted by UTF-16 code units")
  func order() {
    let sorted = [
      "", "\r", "1", "A", "a", "aa", "ab", "a\u{10000}", "a\u{e000}", "b", "\u{80}", "\u{f6}",
      "\u{20ac}", "\u{d7ff}", "\u{10000}", "\u{1f600}", "\u{10ffff}", "\u{e000}", "\u{fb33}",
      "\u{ffff}",
    ]
    #expect(sorted == sorted.sorted { Array($0.utf16).lexicographicallyPrecedes(Array($1.utf16)) })
    var random = SplitMix(seed: 2)
    for _ in 0..<20 {
      let members = sorted.shuffled(using: &random).map { JSONMember($0, .integer(0)) }
      let expected = sorted.map { JSONMember($0, .integer(0)) }
      #expect(
        JSONWriter.bytes(.object(members), order: .canonical)
          == JSONWriter.bytes(.object(expected), order: .asGiven))
    }
  }

  @Test("Canonical output has no white space and its objects are sorted at every level")
  func canonical() {
    let value = JSONValue.object([
      JSONMember("z", .array([.null, .bool(true), .bool(false), .array([]), .object([])])),
      JSONMember("b", .object([JSONMember("d", .integer(.max)), JSONMember("c", .integer(.min))])),
      JSONMember("a", .integer(0)),
    ])
    let canonical =
      #"{"a":0,"b":{"c":-9223372036854775808,"d":9223372036854775807},"z":[null,true,false,[],{}]}"#
    #expect(JSONWriter.bytes(value, order: .canonical) == Array(canonical.utf8))
    #expect(JSONWriter.text(value, order: .canonical, indent: nil) == canonical)
    #expect(
      JSONWriter.text(value, order: .asGiven, indent: nil)
        == #"{"z":[null,true,false,[],{}],"b":{"d":9223372036854775807,"c":-9223372036854775808},"a":0}"#
    )
  }

  @Test("Indented output has a line for each member and element")
  func indented() {
    let value = JSONValue.object([
      JSONMember("b", .array([.integer(1), .object([JSONMember("c", .string("x"))])])),
      JSONMember("a", .array([])), JSONMember("d", .object([])),
    ])
    #expect(
      JSONWriter.text(value, order: .asGiven, indent: 2) == """
        {
          "b": [
            1,
            {
              "c": "x"
            }
          ],
          "a": [],
          "d": {}
        }
        """)
    #expect(
      JSONWriter.text(.array([.object([JSONMember("a", .null)])]), order: .canonical, indent: 0)
        == "[\n{\n\"a\": null\n}\n]")
  }

  @Test("What is written reads back, in both orders and with white space")
  func roundTrip() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<500 {
      let value = Self.value(&random, depth: 0)
      let canonical = JSONWriter.bytes(value, order: .canonical)
      for bytes in [
        canonical, JSONWriter.bytes(value, order: .asGiven),
        Array(JSONWriter.text(value, order: .asGiven, indent: 3).utf8),
      ] {
        let document = try JSONDocument(parsing: bytes, limits: .policy)
        let read = try document.value(document.root)
        if bytes != canonical { #expect(read == value) }
        #expect(JSONWriter.bytes(read, order: .canonical) == canonical)
      }
    }
  }

  private static func value(_ random: inout SplitMix, depth: Int) -> JSONValue {
    switch random.next(below: depth < 6 ? 8 : 4) {
    case 0: return random.next(below: 3) == 0 ? .null : .bool(.random(using: &random))
    case 1, 2: return .string(text(&random))
    case 3: return .integer(Int64(truncatingIfNeeded: random.next() >> random.next(below: 64)))
    case 4, 5:
      return .array((0..<random.next(below: 5)).map { _ in value(&random, depth: depth + 1) })
    default:
      var seen: Set<[UInt8]> = []
      return .object(
        (0..<random.next(below: 12)).compactMap { _ in
          let name = text(&random)
          guard seen.insert(Array(name.utf8)).inserted else { return nil }
          return JSONMember(name, value(&random, depth: depth + 1))
        })
    }
  }

  private static func text(_ random: inout SplitMix) -> String {
    var text = ""
    for _ in 0..<random.next(below: 12) {
      let value = UInt32(truncatingIfNeeded: random.next()) >> (11 + UInt32(random.next(below: 18)))
      text.unicodeScalars.append(Unicode.Scalar(value) ?? "\"")
    }
    return text
  }
}
