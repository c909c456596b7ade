import TestSupport
import Testing

@testable import PinPolicy

@Suite("a link matches a Common Name byte for byte")
struct LinkMatchingTests {
  @Test(
    "each type at its edges",
    arguments: [
      (.exact("R1"), "R1", true),
      (.exact("R1"), "R1 ", false),
      (.exact("R1"), "r1", false),
      (.exact("\u{E9}"), "e\u{301}", false),  // equal as Swift strings
      (.prefix("Root "), "Root CA", true),
      (.prefix("Root"), "Root", true),
      (.prefix("Root CA"), "Root", false),
      (.prefix("e"), "e\u{301}", true),  // no prefix as Swift strings
      (.suffix(".example"), "a.example", true),
      (.suffix("a.example"), "a.example", true),
      (.suffix("aa.example"), "a.example", false),
      (.suffix("\u{301}"), "e\u{301}", true),
      (.prefixWithNumber("R"), "R0", true),
      (.prefixWithNumber("R"), "R9876543210", true),
      (.prefixWithNumber("R"), "R", false),
      (.prefixWithNumber("R"), "R/", false),  // the bytes beside 0 and 9
      (.prefixWithNumber("R"), "R:", false),
      (.prefixWithNumber("R"), "R1\u{661}", false),
      (.prefixWithNumber("R1"), "R1", false),
      (.any, "", true),
      (.any, "whatever", true),
    ] as [(LinkPattern, String, Bool)])
  func matching(link: LinkPattern, name: String, expected: Bool) {
    #expect(link.matches(name) == expected)
  }

  @Test(
    "an empty value, which would match every name, matches none",
    arguments: [.exact(""), .prefix(""), .suffix(""), .prefixWithNumber("")] as [LinkPattern])
  func emptyValue(link: LinkPattern) {
    #expect(!link.matches(""))
    #expect(!link.matches("1"))
  }

  @Test("an unreadable name matches no link but any", arguments: CommonName.Fault.allCases)
  func unreadable(fault: CommonName.Fault) {
    let name = CommonName.unreadable(fault, names: ["a"])
    for link in [.exact("a"), .prefix("a"), .suffix("a"), .prefixWithNumber("a")] as [LinkPattern] {
      #expect(!link.matches(name))
    }
    #expect(LinkPattern.any.matches(name))
  }

  @Test("links that Unicode calls equivalent are two links")
  func equality() {
    #expect(LinkPattern.exact("\u{E9}") != .exact("e\u{301}"))
    #expect(LinkPattern.exact("a") == .exact("a"))
    #expect(LinkPattern.exact("a") != .prefix("a"))
    #expect(LinkPattern.any == .any)
    #expect(Set<LinkPattern>([.suffix("\u{212A}"), .suffix("K"), .suffix("K")]).count == 2)
  }

  @Test("the shared cases")
  func sharedCases() throws {
    let file = "policies/match.jsonl"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    // A CR or LF: true of the bytes alone, while a certificate so named is unreadable.
    let controls: Set = ["match-035", "match-048"]
    let cases = try Vectors.lines(file)
    for item in cases {
      let value = try #require(item.string("value"))
      let name = try #require(item.string("cn"))
      let expected = try #require(item.bool("expect") as Bool?)
      let link: LinkPattern? =
        switch item.string("type") {
        case "exact": .exact(value)
        case "prefix": .prefix(value)
        case "suffix": .suffix(value)
        case "prefixWithNumber": .prefixWithNumber(value)
        default: nil
        }
      #expect(try #require(link).matches(name) == expected, "\(item.id)")
      let asCommonName = expected && !controls.contains(item.id)
      #expect(link?.matches(CommonName([name])) == asCommonName, "\(item.id) as a Common Name")
    }
    Vectors.report(file, ran: cases.count, exceptions: controls.count)
    #expect(cases.count == 62)
  }
}

@Suite("a Common Name is readable when there is one, decoded, not empty, without controls")
struct CommonNameTests {
  @Test(
    "what makes one unreadable",
    arguments: [
      ([], .missing, []),
      (["a", "a"], .repeated, ["a", "a"]),
      (["", nil], .repeated, ["", "\u{FFFD}"]),
      ([nil], .undecodable, ["\u{FFFD}"]),
      ([""], .empty, [""]),
      (["a\u{0}"], .controlCharacter, ["a\u{0}"]),
      (["\u{1F}a"], .controlCharacter, ["\u{1F}a"]),
      (["a\r\nb"], .controlCharacter, ["a\r\nb"]),
      (["\u{7F}"], .controlCharacter, ["\u{7F}"]),
      (["\u{9F}"], .controlCharacter, ["\u{9F}"]),
    ] as [([String?], CommonName.Fault, [String])])
  func unreadable(names: [String?], fault: CommonName.Fault, shown: [String]) {
    #expect(CommonName(names) == .unreadable(fault, names: shown))
  }

  @Test(
    "what does not: the characters beside Cc, format characters, noncharacters",
    arguments: [" ", "~", "\u{A0}", "\u{200D}", "\u{202E}", "\u{2028}", "\u{FFFD}", "\u{10FFFF}"])
  func readable(name: String) {
    #expect(CommonName([name]) == .readable(name))
    #expect(CommonName([name]).names == [name])
  }

  @Test("names that Unicode calls equivalent are two names")
  func equality() {
    #expect(CommonName(["\u{E9}"]) != CommonName(["e\u{301}"]))
    #expect(CommonName(["\u{E9}", "a"]) != CommonName(["e\u{301}", "a"]))
  }
}
