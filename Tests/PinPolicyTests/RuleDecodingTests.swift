import PinPolicy
import StrictJSON
import Testing

@Suite("Host rules of a payload")
struct RuleDecodingTests {
  typealias Reason = PolicyDecodingError.Reason
  private static let host = "$['hosts']['h.example']"

  @Test("every member of a rule is read")
  func members() throws {
    let text = Payload.rule(
      """
      "mode": "report", "includesSubdomains": true, "require": "any", "note": "why",
      "chains": [\(Payload.chain)],
      "spki": {"any": \(Payload.pins), "leaf": \(Payload.pins), "ca": \(Payload.pins),
               "anchor": \(Payload.pins)}
      """)
    let pin = try SPKIPin(Payload.pin)
    let name = try HostName("h.example")
    #expect(
      try Payload.decode(text).rules == [
        HostRule(
          pattern: .host(name), mode: .report, includesSubdomains: true,
          pinSet: PinSet(
            chains: [ChainPattern([.exact("CA")])], any: [pin], leaf: [pin], ca: [pin],
            anchor: [pin], requirement: .any),
          note: "why")
      ])
  }

  @Test("defaults are enforce, no subdomains, all")
  func defaults() throws {
    let rule = try #require(try Payload.decode(Payload.rule(Payload.spki)).rules.first)
    #expect(rule.mode == .enforce)
    #expect(!rule.includesSubdomains)
    #expect(rule.pinSet.requirement == .all)
    #expect(rule.note == nil)
  }

  @Test(
    "a rule is well-formed or says where it is not",
    arguments: [
      ("", .noPins, ""),
      ("\"mode\": \"enforce\"", .noPins, ""),
      ("\"mode\": \"report\"", .noPins, ""),
      ("\"includesSubdomains\": true", .noPins, ""),
      ("\"require\": \"any\"", .noPins, ""),
      ("\"note\": \"n\"", .noPins, ""),
      ("\(Payload.spki), \"x\": 1", .unknownMember, "['x']"),
      ("\(Payload.spki), \"SPKI\": {}", .unknownMember, "['SPKI']"),
      ("\(Payload.spki), \"denied\": []", .unknownMember, "['denied']"),
      ("\(Payload.spki), \"includeSubdomains\": true", .unknownMember, "['includeSubdomains']"),
      (
        "\(Payload.spki), \"mode\": \"Enforce\"",
        .unknownWord(allowed: ["enforce", "report", "exempt"]), "['mode']"
      ),
      (
        "\(Payload.spki), \"mode\": \"\"",
        .unknownWord(allowed: ["enforce", "report", "exempt"]), "['mode']"
      ),
      ("\(Payload.spki), \"mode\": null", .wrongType(expected: .string), "['mode']"),
      (
        "\(Payload.spki), \"require\": \"ALL\"", .unknownWord(allowed: ["all", "any"]),
        "['require']"
      ),
      ("\(Payload.spki), \"require\": true", .wrongType(expected: .string), "['require']"),
      (
        "\(Payload.spki), \"includesSubdomains\": 1", .wrongType(expected: .boolean),
        "['includesSubdomains']"
      ),
      (
        "\(Payload.spki), \"includesSubdomains\": null", .wrongType(expected: .boolean),
        "['includesSubdomains']"
      ),
      (
        "\"mode\": \"exempt\", \(Payload.spki)", .notAllowed(.pinsOfExempt), "['spki']"
      ),
      (
        "\(Payload.spki), \"mode\": \"exempt\"", .notAllowed(.pinsOfExempt), "['spki']"
      ),
      (
        "\"chains\": [\(Payload.chain)], \"mode\": \"exempt\"", .notAllowed(.pinsOfExempt),
        "['chains']"
      ),
      (
        "\"mode\": \"exempt\", \"require\": \"all\"", .notAllowed(.pinsOfExempt), "['require']"
      ),
      ("\(Payload.spki), \"note\": null", .wrongType(expected: .string), "['note']"),
      ("\(Payload.spki), \"note\": 1", .wrongType(expected: .string), "['note']"),
      ("\(Payload.spki), \"note\": \"\\n\"", .forbiddenCharacter("\n"), "['note']"),
      ("\(Payload.spki), \"note\": \"x\\u202e\"", .forbiddenCharacter("\u{202e}"), "['note']"),
      ("\"spki\": {}", .emptyList, "['spki']"),
      ("\"chains\": [\(Payload.chain)], \"spki\": {}", .emptyList, "['spki']"),
      ("\"spki\": []", .wrongType(expected: .object), "['spki']"),
      ("\"spki\": null", .wrongType(expected: .object), "['spki']"),
      ("\"spki\": {\"any\": []}", .emptyList, "['spki']['any']"),
      ("\"spki\": {\"leaf\": null}", .wrongType(expected: .array), "['spki']['leaf']"),
      ("\"spki\": {\"ca\": \"\"}", .wrongType(expected: .array), "['spki']['ca']"),
      ("\"spki\": {\"Any\": []}", .unknownMember, "['spki']['Any']"),
      ("\"spki\": {\"root\": []}", .unknownMember, "['spki']['root']"),
      ("\"spki\": {\"anchor\": [null]}", .wrongType(expected: .string), "['spki']['anchor'][0]"),
      (
        "\"spki\": {\"any\": [\"\(Payload.pin)\", \"@a\"]}", .pin(.prefix), "['spki']['any'][1]"
      ),
      ("\"spki\": {\"any\": [\"sha256/\"]}", .pin(.length(0)), "['spki']['any'][0]"),
      ("\"chains\": null", .wrongType(expected: .array), "['chains']"),
      ("\"chains\": []", .emptyList, "['chains']"),
      ("\"chains\": [[]]", .emptyList, "['chains'][0]"),
      ("\"chains\": [\(Payload.chain), []]", .emptyList, "['chains'][1]"),
      ("\"chains\": \(Payload.chain)", .wrongType(expected: .array), "['chains'][0]"),
      ("\"chains\": [[\"CA\"]]", .wrongType(expected: .object), "['chains'][0][0]"),
      ("\"chains\": [[null]]", .wrongType(expected: .object), "['chains'][0][0]"),
    ] as [(String, Reason, String)])
  func fault(members: String, reason: Reason, path: String) {
    Payload.expectRefusal(Payload.rule(members), reason, at: Self.host + path)
  }

  @Test("a rule is an object", arguments: ["null", "[]", "true", "\"enforce\"", "1"])
  func type(value: String) {
    Payload.expectRefusal(
      Payload.standard(hosts: "{\"h.example\": \(value)}"), .wrongType(expected: .object),
      at: Self.host)
  }

  @Test("hosts is an object", arguments: ["null", "[]", "true", "\"h.example\"", "1"])
  func hostsType(value: String) {
    Payload.expectRefusal(
      Payload.standard(hosts: value), .wrongType(expected: .object), at: "$['hosts']")
  }

  @Test(
    "only a rule for a name may say includesSubdomains, be it false",
    arguments: [
      "*", "192.0.2.1", "2001:db8::1",
    ])
  func subdomains(host: String) {
    for value in ["true", "false", "null"] {
      Payload.expectRefusal(
        Payload.standard(
          hosts: "{\"\(host)\": {\(Payload.spki), \"includesSubdomains\": \(value)}}"),
        .notAllowed(.subdomainsOfNoName), at: "$['hosts']['\(host)']['includesSubdomains']")
    }
  }

  @Test("an exempt rule may include subdomains and have a note")
  func exempt() throws {
    let text = Payload.rule("\"mode\": \"exempt\", \"includesSubdomains\": true, \"note\": \"\"")
    let rule = try #require(try Payload.decode(text).rules.first)
    #expect(rule.mode == .exempt && rule.includesSubdomains && rule.note == "")
  }

  @Test("a note has at most 1 024 bytes of UTF-8, of category payload")
  func note() throws {
    func text(_ note: String) -> String { Payload.rule("\(Payload.spki), \"note\": \"\(note)\"") }
    let longest = String(repeating: "é", count: 512)
    #expect(try Payload.decode(text(longest)).rules.first?.note == longest)
    Payload.expectRefusal(
      text(longest + "x"), .textTooLong(most: 1024), at: Self.host + "['note']")
    let error = #expect(throws: PolicyDecodingError.self) {
      try Payload.decode(text(longest + "x"))
    }
    #expect(error?.category == .payload)
  }

  @Test(
    "a host key is canonical but for ASCII case",
    arguments: [
      ("api.example.com.", .notCanonical("api.example.com")),
      ("2001:DB8::1", .notCanonical("2001:db8::1")),
      ("[2001:db8::1]", .notCanonical("2001:db8::1")),
      ("*.example.com", .wildcardLabel("example.com")),
      ("", .empty), ("bücher.example", .notASCII), ("a:443", .port), ("1.2.3", .invalidIPv4),
      ("::ffff:1.2.3.4", .mappedIPv4("1.2.3.4")),
    ] as [(String, HostNameError)])
  func hostKey(key: String, error: HostNameError) {
    Payload.expectRefusal(
      Payload.standard(hosts: "{\"\(key)\": {\(Payload.spki)}}"), .host(error),
      at: "$['hosts']['\(key)']")
    Payload.expectRefusal(
      Payload.cnpinning("\"\(key)\": [\(Payload.chain)]"), profile: .cnpinning, .host(error),
      at: "$['\(key)']")
  }

  @Test("two keys that fold alike are one host, and both are named")
  func sameHost() {
    let rule = "{\(Payload.spki)}"
    let first = JSONPath.root.member("hosts").member("A.example")
    Payload.expectRefusal(
      Payload.standard(
        hosts: "{\"b\": \(rule), \"A.example\": \(rule), \"c\": \(rule), \"a.EXAMPLE\": \(rule)}"),
      .sameHost(first), at: "$['hosts']['a.EXAMPLE']")
    let error = PolicyDecodingError(reason: .sameHost(first), path: nil)
    #expect(error.message.contains("$['hosts']['A.example']"))
    #expect(error.detail == [JSONMember("other", .string("$['hosts']['A.example']"))])
  }

  @Test("of several repeated hosts the first in the document is told")
  func sameHosts() {
    let names = (0..<200).map { "h\($0)" }
    let rules = (names + names.map { $0.uppercased() }).map { "\"\($0)\": {\(Payload.spki)}" }
    Payload.expectRefusal(
      Payload.standard(hosts: "{" + rules.joined(separator: ", ") + "}"),
      .sameHost(JSONPath.root.member("hosts").member("h0")), at: "$['hosts']['H0']")
  }

  @Test("two wildcards cannot be: the second is a repeated member")
  func twoWildcards() {
    Payload.expectRefusal(
      Payload.standard(hosts: "{\"*\": {\(Payload.spki)}, \"\\u002a\": {\(Payload.spki)}}"),
      .json(.duplicateMember("*")), at: "$['hosts']['*']")
  }
}
