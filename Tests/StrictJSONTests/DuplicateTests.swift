import StrictJSON
import Testing

@Suite("Members of one name")
struct DuplicateTests {
  @Test(
    "A name may stand in an object once, compared after unescaping",
    arguments: [
      (#"{"a":1,"a":1}"#, "a", 7, "$['a']"),
      (#"{"":1,"":2}"#, "", 6, "$['']"),
      (#"{"b":1,"a":2,"b":3}"#, "b", 13, "$['b']"),
      (#"{"a":1,"b":2,"b":3}"#, "b", 13, "$['b']"),
      (#"{"a":1,"\u0061":2}"#, "a", 7, "$['a']"),
      (#"{"\u0061":1,"a":2}"#, "a", 12, "$['a']"),
      (#"{"\u0061":1,"\u0061":2}"#, "a", 12, "$['a']"),
      (#"{"\/":1,"/":2}"#, "/", 8, "$['/']"),
      (#"{"\ud83d\ude00":1,"😀":2}"#, "😀", 18, "$['😀']"),
      (#"{"a":{"a":1},"b":{"c":[{"d":0,"e":1,"d":2}]}}"#, "d", 36, "$['b']['c'][0]['d']"),
      (#"{"a":{"b":{}},"a":{}}"#, "a", 14, "$['a']"),
      (
        #"{"api.example.com":1,"api.example.com":2}"#, "api.example.com", 21, "$['api.example.com']"
      ),
      (#"[0,{"a":[],"a":[]}]"#, "a", 11, "$[1]['a']"),
    ])
  func refused(text: String, name: String, offset: Int, path: String) throws {
    #expect(
      refusal(text)
        == JSONError(
          reason: .duplicateMember(name), byteOffset: offset, line: 1, column: offset + 1,
          path: try JSONPath(normalized: path)))
  }

  @Test(
    "Names that only look alike are different",
    arguments: [
      #"{"a":1,"A":2}"#, #"{"a":1,"ab":2}"#, #"{"ab":1,"a":2}"#, #"{"a":1,"a ":2}"#,
      #"{"a ":1,"a":2}"#, #"{"a!":1,"a":2,"a#":3}"#, #"{"a":{"a":{"a":1}}}"#,
      #"[{"a":1},{"a":2}]"#, #"{"\u00e9":1,"e\u0301":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}",
      #"{"api.example.com":1,"api.example.co":2}"#, #"{"":1,"\u0000":2}"#,
      #"{"exp":1,"abcdefghijk":1,"abcdefghij":1,"abcdefghijkl":1}"#,
      "{\"\u{212b}\":1,\"\u{c5}\":2}", #"{"a\"":1,"a":2,"a\\":3}"#,
    ])
  func accepted(text: String) { #expect(refusal(text) == nil) }

  /// Sizes on both sides of where names are looked up rather than compared.
  @Test("At any size of the object", arguments: [2, 3, 7, 8, 9, 10, 16, 17, 100, 1000])
  func sizes(count: Int) {
    for ascending in [true, false] {
      for isEscaped in [true, false] {
        var names = (0..<count).map { "host\(1000 + $0).example" }
        if !ascending { names.reverse() }
        func text(_ names: [String]) -> String {
          "{"
            + names.map { #""\#(isEscaped ? "\\u0068" + $0.dropFirst() : $0)":0"# }
            .joined(separator: ",") + "}"
        }
        #expect(refusal(text(names)) == nil)
        for (first, second) in [(0, count - 1), (count - 2, count - 1), (0, 1), (count / 2, 0)]
        where first != second {
          var repeated = names
          repeated[second] = repeated[first]
          #expect(refusal(text(repeated))?.reason == .duplicateMember(names[first]))
        }
      }
    }
  }

  /// The outcome of comparing every pair, on objects that are likely to have pairs.
  @Test("Agrees with comparing every pair")
  func random() throws {
    var random = SplitMix(seed: 1)
    let pieces = [
      "a", "b", "\\u0061", "é", "\\u00e9", "abcdefgh", "!", " ", "\\\\", "\\\"", "0123456789",
    ]
    var repeated = 0
    var wrong: [[String]] = []
    for _ in 0..<20_000 {
      let names = (0..<random.next(below: 14)).map { _ in
        (0..<random.next(below: 4)).map { _ in pieces[random.next(below: pieces.count)] }.joined()
      }
      let spelt = try names.map { name in
        let document = try JSONDocument("\"\(name)\"")
        return Array(document.string(document.root).utf8)
      }
      let first = spelt.indices.first { spelt[..<$0].contains(spelt[$0]) }
      let reason = refusal("{" + names.map { "\"\($0)\":[]" }.joined(separator: ", ") + "}")?.reason
      let expected = first.map {
        JSONError.Reason.duplicateMember(String(decoding: spelt[$0], as: UTF8.self))
      }
      if reason != expected { wrong.append(names) }
      if first != nil { repeated += 1 }
    }
    #expect(wrong.isEmpty)
    #expect(repeated > 1000 && repeated < 19_000)
  }

  @Test(
    "Time grows with the text and not with its square",
    arguments: [
      "{" + (0..<200_000).map { #""\#(7919 * $0 % 200_003)":0"# }.joined(separator: ",") + "}",
      "{" + (0..<100_000).map { #""\u0061\#(7919 * $0 % 100_003)":0"# }.joined(separator: ",")
        + "}",
    ])
  func manyMembers(text: String) throws {
    let start = ContinuousClock.now
    let document = try JSONDocument(text)
    #expect(document.count(of: document.root) >= 100_000)
    // Comparing each pair would take minutes.
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
