import StrictJSON
import Testing

@Suite("Paths")
struct PathTests {
  @Test(
    "Normalized paths (RFC 9535 §2.7)",
    arguments: [
      ([], "$"), ([.member("a"), .index(0)], "$['a'][0]"), ([.index(10)], "$[10]"),
      ([.member("")], "$['']"), ([.member("a'b\\c\"d/")], #"$['a\'b\\c"d/']"#),
      ([.member("\u{8}\t\n\u{c}\r")], #"$['\b\t\n\f\r']"#),
      ([.member("\u{0}\u{b}\u{1f}\u{7f}é😀")], "$['\\u0000\\u000b\\u001f\u{7f}é😀']"),
    ] as [([JSONPath.Component], String)])
  func normalized(components: [JSONPath.Component], text: String) throws {
    #expect(JSONPath(components).description == text)
  }
}

extension JSONPath {
  /// A path whose names need no escapes.
  init(normalized text: String) throws {
    var components: [Component] = []
    for part in text.dropFirst().split(separator: "[") {
      let inside = part.dropLast()
      if inside.hasPrefix("'") {
        components.append(.member(String(inside.dropFirst().dropLast())))
      } else {
        components.append(.index(try #require(Int(inside))))
      }
    }
    self.init(components)
    try #require(description == text)
  }
}
