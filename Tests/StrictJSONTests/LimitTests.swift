import StrictJSON
import Testing

@Suite("Limits")
struct LimitTests {
  @Test("A text may have as many bytes as the limit says")
  func bytes() throws {
    let limits = JSONLimits(bytes: 5, depth: 16, numberCharacters: 32)
    #expect(refusal("\"abc\"", limits: limits) == nil)
    #expect(
      refusal("\"é\u{e9}c\"", limits: limits)
        == JSONError(
          reason: .tooLong(limit: 5), byteOffset: 5, line: 1, column: 4, path: nil))
    #expect(refusal("[1]\n  ", limits: limits)?.reason == .tooLong(limit: 5))
    #expect(refusal("[1]\n  ", limits: limits)?.line == 2)
    #expect(try #require(refusal("[1]\n  ", limits: limits)).isLimit)
  }

  @Test("A limit of no bytes refuses everything", arguments: [0, -1, Int.min])
  func noBytes(limit: Int) {
    let limits = JSONLimits(bytes: limit, depth: 16, numberCharacters: 32)
    #expect(
      refusal("1", limits: limits)
        == JSONError(reason: .tooLong(limit: 0), byteOffset: 0, line: 1, column: 1, path: nil))
  }

  @Test(
    "As many containers may be open at once as the limit says",
    arguments: [
      ("[", "]", "$[0][0][0]"), (#"{"a":"#, "}", "$['a']['a']['a']"),
    ])
  func depth(open: String, close: String, path: String) throws {
    let limits = JSONLimits(bytes: 1000, depth: 3, numberCharacters: 32)
    func text(_ depth: Int) -> String {
      String(repeating: open, count: depth) + (open == "[" ? "" : "1")
        + String(repeating: close, count: depth)
    }
    #expect(refusal(text(3), limits: limits) == nil)
    let column = open.utf8.count * 3
    #expect(
      refusal(text(4), limits: limits)
        == JSONError(
          reason: .tooDeep(limit: 3), byteOffset: column, line: 1, column: column + 1,
          path: try JSONPath(normalized: path)))
    #expect(try #require(refusal(text(4), limits: limits)).isLimit)
    #expect(refusal("[\(text(2)),\(text(2))]", limits: limits) == nil, "closed ones don't count")
  }

  @Test("A hundred thousand levels are refused at the limit")
  func deepText() {
    #expect(
      refusal(String(repeating: "[", count: 100_000))
        == JSONError(
          reason: .tooDeep(limit: 16), byteOffset: 16, line: 1, column: 17,
          path: JSONPath(Array(repeating: .index(0), count: 16))))
  }

  @Test("A hundred thousand levels are read without recursion where the limit allows them")
  func deepLimit() throws {
    let limits = JSONLimits(bytes: 1_000_000, depth: 100_000, numberCharacters: 32)
    let text =
      String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let document = try JSONDocument(text, limits: limits)
    #expect(document.count(of: document.root) == 1)
    #expect(refusal("[" + text + "]", limits: limits)?.reason == .tooDeep(limit: 100_000))
  }

  @Test("No container may be open where the limit is 0 or less", arguments: [0, -1])
  func noDepth(limit: Int) {
    let limits = JSONLimits(bytes: 1000, depth: limit, numberCharacters: 32)
    #expect(refusal("1", limits: limits) == nil)
    #expect(refusal("[]", limits: limits)?.reason == .tooDeep(limit: limit))
  }

  @Test(
    "A number may have as many characters as the limit says",
    arguments: [
      String(repeating: "1", count: 32), "-" + String(repeating: "1", count: 31),
      "0." + String(repeating: "5", count: 30), "1e+" + String(repeating: "9", count: 29),
    ])
  func number(longest: String) throws {
    #expect(refusal(#"{"x":\#(longest)}"#) == nil)
    let error = try #require(refusal(#"{"x":\#(longest)1}"#))
    #expect(
      error
        == JSONError(
          reason: .numberTooLong(limit: 32), byteOffset: 5, line: 1, column: 6,
          path: .root.member("x")))
    #expect(error.isLimit)
  }
}
