import PinPolicy
import StrictJSON
import Testing

@Suite("Chains of a payload")
struct ChainDecodingTests {
  typealias Reason = PolicyDecodingError.Reason
  private static let link = "$['hosts']['h.example']['chains'][0][0]"
  private static let words = ["exact", "prefix", "prefixWithNumber", "suffix", "any"]

  @Test("every type of link is read")
  func types() throws {
    let text = Payload.chain(
      """
      {"type": "exact", "value": "a"}, {"value": "b", "type": "prefix"},
      {"type": "prefixWithNumber", "value": "c"}, {"type": "suffix", "value": " d "},
      {"type": "any"}, {"type": "e\\u0078act", "value": "\\u00e9"}
      """)
    #expect(
      try Payload.decode(text).rules.first?.pinSet.chains == [
        ChainPattern([
          .exact("a"), .prefix("b"), .prefixWithNumber("c"), .suffix(" d "), .any, .exact("é"),
        ])
      ])
  }

  @Test(
    "a link has a type, and a value unless the type is any",
    arguments: [
      ("{}", .missingMember, "['type']"),
      ("{\"value\": \"a\"}", .missingMember, "['type']"),
      ("{\"type\": \"exact\"}", .missingMember, "['value']"),
      ("{\"type\": \"Any\"}", .missingMember, "['value']"),
      ("{\"type\": \"regex\", \"value\": \"a\"}", .unknownWord(allowed: words), "['type']"),
      ("{\"type\": \"Exact\", \"value\": \"a\"}", .unknownWord(allowed: words), "['type']"),
      ("{\"type\": \"\", \"value\": \"a\"}", .unknownWord(allowed: words), "['type']"),
      ("{\"type\": null, \"value\": \"a\"}", .wrongType(expected: .string), "['type']"),
      ("{\"type\": 1, \"value\": \"a\"}", .wrongType(expected: .string), "['type']"),
      ("{\"type\": \"any\", \"value\": \"a\"}", .notAllowed(.valueOfAny), "['value']"),
      ("{\"type\": \"any\", \"value\": null}", .notAllowed(.valueOfAny), "['value']"),
      ("{\"type\": \"exact\", \"value\": null}", .wrongType(expected: .string), "['value']"),
      ("{\"type\": \"exact\", \"value\": 1}", .wrongType(expected: .string), "['value']"),
      ("{\"type\": \"exact\", \"value\": \"\"}", .emptyValue, "['value']"),
      ("{\"type\": \"prefix\", \"value\": \"\"}", .emptyValue, "['value']"),
      ("{\"type\": \"suffix\", \"value\": \"\"}", .emptyValue, "['value']"),
      ("{\"type\": \"any\", \"optional\": true}", .unknownMember, "['optional']"),
      ("{\"type\": \"exact\", \"value\": \"a\", \"note\": \"\"}", .unknownMember, "['note']"),
    ] as [(String, Reason, String)])
  func link(link: String, reason: Reason, path: String) {
    Payload.expectRefusal(Payload.chain(link), reason, at: Self.link + path)
  }

  /// Every scalar of Cc and Bidi_Control, and the neighbours that are neither.
  private static let forbidden: [ClosedRange<UInt32>] = [
    0...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069,
  ]

  @Test("control and bidirectional characters may not stand in a value, others may")
  func characters() throws {
    let candidates = Array(0...0x7ff as ClosedRange<UInt32>) + Array(0x1ff0...0x2080)
    for value in candidates + [0xd7ff, 0xe000, 0xfeff, 0xffff, 0x10000, 0x10ffff] {
      let scalar = try #require(Unicode.Scalar(value))
      let escape =
        value < 0x10000
        ? "\\u" + String(repeating: "0", count: 4 - String(value, radix: 16).count)
          + String(value, radix: 16) : String(Character(scalar))
      let text = Payload.chain("{\"type\": \"exact\", \"value\": \"a\(escape)b\"}")
      let isForbidden = Self.forbidden.contains { $0.contains(value) }
      do {
        let policy = try Payload.decode(text)
        #expect(!isForbidden, "U+\(String(value, radix: 16)) is taken")
        #expect(
          policy.rules.first?.pinSet.chains.first?.links == [
            .exact("a" + String(Character(scalar)) + "b")
          ])
      } catch {
        #expect(isForbidden, "U+\(String(value, radix: 16)) is refused")
        #expect(error.reason == .forbiddenCharacter(scalar))
      }
    }
  }

  @Test("repeated chains are taken, strings are not normalised")
  func asTheyAre() throws {
    let text = Payload.rule(
      "\"chains\": [\(Payload.chain), \(Payload.chain), "
        + "[{\"type\": \"exact\", \"value\": \"e\\u0301\"}]]")
    let chains = try #require(try Payload.decode(text).rules.first?.pinSet.chains)
    #expect(chains.count == 3 && chains[0] == chains[1])
    guard case .exact(let value) = chains[2].links[0] else {
      Issue.record("\(chains[2])")
      return
    }
    #expect(Array(value.unicodeScalars) == ["e", "\u{301}"])
  }
}

@Suite("Payloads of profile cnpinning")
struct CNPinningDecodingTests {
  typealias Reason = PolicyDecodingError.Reason

  @Test("hosts stand beside iat and exp, a link without type is exact")
  func members() throws {
    let policy = try Payload.decode(
      Payload.cnpinning(
        """
        "*": [[{"value": "Root"}, {"type": "suffix", "value": ".example"}]],
        "Hosts": [\(Payload.chain)], "2001:db8::1": [\(Payload.chain), \(Payload.chain)]
        """), profile: .cnpinning)
    #expect(policy.profile == .cnpinning)
    #expect(policy.audience == nil)
    #expect(policy.rules.map(\.pattern.description) == ["*", "hosts", "2001:db8::1"])
    #expect(
      policy.rules[0].pinSet.chains == [ChainPattern([.exact("Root"), .suffix(".example")])])
    #expect(policy.rules[2].pinSet.chains.count == 2)
    #expect(policy.rules.allSatisfy { $0.mode == .enforce && !$0.includesSubdomains })
    #expect(try policy.resolve("a.hosts").step == .wildcard)
  }

  @Test(
    "only chains fit",
    arguments: [
      ("\"h\": {}", .wrongType(expected: .array), "$['h']"),
      ("\"h\": null", .wrongType(expected: .array), "$['h']"),
      ("\"version\": 1", .wrongType(expected: .array), "$['version']"),
      ("\"h\": []", .emptyList, "$['h']"),
      ("\"h\": [[]]", .emptyList, "$['h'][0]"),
      ("\"h\": [[{}]]", .missingMember, "$['h'][0][0]['value']"),
      ("\"h\": [[{\"type\": \"any\"}]]", .missingMember, "$['h'][0][0]['value']"),
      (
        "\"h\": [[{\"type\": \"any\", \"value\": \"a\"}]]",
        .unknownWord(allowed: ["exact", "prefix", "prefixWithNumber", "suffix"]),
        "$['h'][0][0]['type']"
      ),
      (
        "\"h\": [[{\"type\": null, \"value\": \"a\"}]]", .wrongType(expected: .string),
        "$['h'][0][0]['type']"
      ),
      ("\"h\": [[{\"value\": \"\"}]]", .emptyValue, "$['h'][0][0]['value']"),
      ("\"iss\": [\(Payload.chain)]", .reservedName, "$['iss']"),
      ("\"sub\": [\(Payload.chain)]", .reservedName, "$['sub']"),
      ("\"aud\": \"x\"", .reservedName, "$['aud']"),
      ("\"nbf\": 1", .reservedName, "$['nbf']"),
      ("\"jti\": 1", .reservedName, "$['jti']"),
      ("\"Iss\": [\(Payload.chain)]", .reservedName, "$['Iss']"),
      ("\"IAT\": 1", .reservedName, "$['IAT']"),
      ("\"eXp\": [\(Payload.chain)]", .reservedName, "$['eXp']"),
    ] as [(String, Reason, String)])
  func fault(hosts: String, reason: Reason, path: String) {
    Payload.expectRefusal(Payload.cnpinning(hosts), profile: .cnpinning, reason, at: path)
  }

  @Test("iat and exp are required")
  func claims() {
    Payload.expectRefusal(
      Payload.cnpinning("", iat: nil), profile: .cnpinning, .missingMember, at: "$['iat']")
    Payload.expectRefusal(
      Payload.cnpinning("", exp: nil), profile: .cnpinning, .missingMember, at: "$['exp']")
  }

  @Test("two keys that fold alike are one host")
  func sameHost() {
    Payload.expectRefusal(
      Payload.cnpinning(
        "\"a\": [\(Payload.chain)], \"*\": [\(Payload.chain)], "
          + "\"A\": [\(Payload.chain)]"), profile: .cnpinning,
      .sameHost(JSONPath.root.member("a")), at: "$['A']")
  }
}
