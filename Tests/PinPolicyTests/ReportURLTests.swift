import PinPolicy
import Testing

@Suite("reportTo")
struct ReportURLTests {
  typealias Reason = PolicyDecodingError.Reason

  private static func payload(_ list: String) -> String {
    Payload.standard(more: "\"reportTo\": \(list)")
  }

  @Test(
    "a URL of https, a canonical host, a port, a path and a query",
    arguments: [
      "https://a", "https://a/", "https://a.example", "https://a_b.example:1",
      "https://a:65535/x", "https://192.0.2.1", "https://[2001:db8::1]",
      "https://[2001:db8::1]:443/x?y", "https://a?q", "https://a/?q", "https://a/@b:c",
      "https://a/!$&'()*+,;=:@%20[]{}|^`<>~", "https://a//b", "https://a/??",
    ])
  func taken(url: String) throws {
    #expect(try Payload.decode(Self.payload("[\"\(url)\"]")).reportTo == [url])
  }

  @Test(
    "each rule refuses a URL by its name",
    arguments: [
      ("", .scheme), ("https:/a", .scheme), ("http://a", .scheme), ("HTTPS://a", .scheme),
      ("Https://a", .scheme), (" https://a", .scheme), ("//a", .scheme),
      ("https://", .host(.empty)), ("https:///x", .host(.empty)), ("https://:1", .host(.empty)),
      ("https://u@a", .user), ("https://a:b@c", .user), ("https://@a", .user),
      ("https://A.example", .host(.notCanonical("a.example"))),
      ("https://a.example.", .host(.notCanonical("a.example"))),
      ("https://[2001:DB8::1]", .host(.notCanonical("2001:db8::1"))),
      ("https://[::ffff:1.2.3.4]", .host(.mappedIPv4("1.2.3.4"))),
      ("https://[fe80::1%25eth0]", .host(.zone)),
      ("https://a..b", .host(.emptyLabel(index: 1))),
      ("https://-a", .host(.hyphenAtEdge(index: 0))),
      ("https://1", .host(.invalidIPv4)), ("https://*", .host(.wildcard)),
      ("https://a b/", .host(.forbiddenCharacter(" "))),
      ("https://bücher.example", .host(.notASCII)),
      ("https://[a]", .host(.strayBracket)), ("https://[192.0.2.1]", .host(.strayBracket)),
      ("https://[2001:db8::1", .host(.strayBracket)), ("https://[]", .host(.empty)),
      ("https://2001:db8::1", .noBrackets), ("https://2001:db8::1:443/", .noBrackets),
      ("https://a:", .port), ("https://a:0", .port), ("https://a:01", .port),
      ("https://a:65536", .port), ("https://a:100000", .port), ("https://a:x", .port),
      ("https://a:1:2", .port), ("https://a:+1", .port), ("https://[::1]x", .port),
      ("https://a/#f", .fragment), ("https://a#f", .fragment), ("https://a?#", .fragment),
      ("https://a/ b", .character), ("https://a/\\\\b", .character), ("https://a\\\\b", .character),
      ("https://a/\\u007f", .character), ("https://a/ü", .character), ("https://a/\\t", .character),
    ] as [(String, ReportURLError)])
  func refused(url: String, error: ReportURLError) {
    Payload.expectRefusal(
      Self.payload("[\"https://ok\", \"\(url)\"]"), .reportURL(error), at: "$['reportTo'][1]")
  }

  @Test("a URL has at most 2 048 bytes, of category payload")
  func length() throws {
    let longest = "https://a/" + String(repeating: "x", count: 2038)
    #expect(try Payload.decode(Self.payload("[\"\(longest)\"]")).reportTo == [longest])
    Payload.expectRefusal(
      Self.payload("[\"\(longest)x\"]"), .reportURL(.tooLong(bytes: 2049)), at: "$['reportTo'][0]")
  }

  @Test(
    "the list has 1 to 4 distinct strings",
    arguments: [
      ("[]", .emptyList, "$['reportTo']"),
      ("null", .wrongType(expected: .array), "$['reportTo']"),
      ("\"https://a\"", .wrongType(expected: .array), "$['reportTo']"),
      ("[1]", .wrongType(expected: .string), "$['reportTo'][0]"),
      (
        "[\"https://a\",\"https://b\",\"https://c\",\"https://d\",\"https://e\"]",
        .tooManyURLs(most: 4), "$['reportTo']"
      ),
      ("[\"https://a\",\"https://b\",\"https://\\u0061\"]", .repeatedURL, "$['reportTo'][2]"),
    ] as [(String, Reason, String)])
  func list(list: String, reason: Reason, path: String) {
    Payload.expectRefusal(Self.payload(list), reason, at: path)
  }
}
