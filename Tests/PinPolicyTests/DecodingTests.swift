import PinPolicy
import StrictJSON
import Testing

@Suite("Members of a policy")
struct DecodingTests {
  typealias Reason = PolicyDecodingError.Reason
  private static let times: Reason = .number(0...253_402_300_799)

  @Test("every member is read")
  func members() throws {
    let policy = try Payload.decode(
      Payload.standard(
        aud: "\"payments-prod\"", iat: "1764500000", exp: "1765104800",
        hosts: "{\"API.example.com\": {\(Payload.spki)}, \"*\": {\"mode\": \"exempt\"}}",
        more: """
          "iss": "https://pins.example.com", "refreshHint": 3600, "denied": \(Payload.pins),
          "reportTo": ["https://reports.example.net/pins"]
          """))
    #expect(policy.profile == .standard)
    #expect(policy.audience == "payments-prod")
    #expect(policy.issuer == "https://pins.example.com")
    #expect(policy.window == ValidityWindow(issuedAt: 1_764_500_000, expiresAt: 1_765_104_800))
    #expect(policy.refreshHint == 3600)
    #expect(policy.reportTo == ["https://reports.example.net/pins"])
    #expect(policy.denied.map(\.description) == [Payload.pin])
    #expect(policy.rules.map(\.pattern.description) == ["api.example.com", "*"])
  }

  @Test("a policy without hosts is one, and pins nothing")
  func noHosts() throws {
    let policy = try Payload.decode(Payload.standard())
    #expect(policy.rules.isEmpty)
    #expect(policy.issuer == nil && policy.refreshHint == nil)
    #expect(policy.reportTo.isEmpty && policy.denied.isEmpty)
    #expect(try policy.resolve("a.example").step == .none)
  }

  @Test(
    "what is no object is no policy",
    arguments: ["[]", "null", "1", "\"{}\"", "true"])
  func notAnObject(text: String) {
    for profile in Profile.allCases {
      Payload.expectRefusal(text, profile: profile, .wrongType(expected: .object), at: "$")
    }
  }

  @Test(
    "version is the literal 1, judged before every other member",
    arguments: [
      (nil, .missingMember), ("0", .version(0)), ("2", .version(2)), ("10", .version(10)),
      ("\"1\"", .version(nil)), ("1e0", .version(nil)), ("1.0", .version(nil)),
      ("null", .version(nil)), ("true", .version(nil)), ("[1]", .version(nil)),
      ("-1", .version(nil)), ("18446744073709551617", .version(nil)),
    ] as [(String?, Reason)])
  func version(value: String?, reason: Reason) {
    Payload.expectRefusal(
      Payload.standard(version: value, aud: "7", iat: nil, hosts: "[]", more: "\"x\": 1"), reason,
      at: "$['version']")
  }

  @Test("a required member may not be missing", arguments: ["aud", "iat", "exp", "hosts"])
  func missing(member: String) {
    Payload.expectRefusal(
      Payload.standard(
        aud: member == "aud" ? nil : "\"a\"", iat: member == "iat" ? nil : "1",
        exp: member == "exp" ? nil : "2", hosts: member == "hosts" ? nil : "{}"),
      .missingMember, at: "$['\(member)']")
  }

  @Test(
    "a member that the format does not name is an error",
    arguments: ["", "x", "AUD", "audience", "sub", "nbf", "pins", "sets", "lint", "$schema"])
  func unknown(member: String) {
    Payload.expectRefusal(
      Payload.standard(more: "\"\(member)\": null"), .unknownMember, at: "$['\(member)']")
  }

  @Test(
    "a time is a literal integer from 0 to the end of the year 9999",
    arguments: [
      "-1", "-0", "1.0", "1e0", "253402300800", "1764500000000", "9223372036854775807",
      "9223372036854775808", "18446744075474051616", "99999999999999999999999999999999",
    ])
  func times(value: String) {
    Payload.expectRefusal(Payload.standard(iat: value), Self.times, at: "$['iat']")
    Payload.expectRefusal(Payload.standard(exp: value), Self.times, at: "$['exp']")
    Payload.expectRefusal(
      Payload.cnpinning("", exp: value), profile: .cnpinning, Self.times, at: "$['exp']")
  }

  @Test("a time is a number", arguments: ["\"1\"", "null", "true", "[1]", "{}"])
  func timeType(value: String) {
    Payload.expectRefusal(
      Payload.standard(iat: value), .wrongType(expected: .number), at: "$['iat']")
    Payload.expectRefusal(
      Payload.cnpinning("", iat: value), profile: .cnpinning, .wrongType(expected: .number),
      at: "$['iat']")
  }

  @Test("the edges of time are times")
  func timeEdges() throws {
    let policy = try Payload.decode(Payload.standard(iat: "0", exp: "253402300799"))
    #expect(policy.window == ValidityWindow(issuedAt: 0, expiresAt: 253_402_300_799))
  }

  @Test(
    "a window without a time in it is of category time, after all else and the audience",
    arguments: [("1", "1"), ("2", "1"), ("253402300799", "0")])
  func emptyWindow(iat: String, exp: String) throws {
    let text = Payload.standard(iat: iat, exp: exp)
    let window = ValidityWindow(
      issuedAt: try #require(Int64(iat)), expiresAt: try #require(Int64(exp)))
    Payload.expectRefusal(text, .emptyWindow(window), at: "$['exp']")
    #expect(
      throws: PolicyDecodingError(
        reason: .audience(expected: "b", found: "a"), path: JSONPath.root.member("aud"))
    ) { try Payload.decode(text, audience: "b") }
    Payload.expectRefusal(
      Payload.standard(iat: iat, exp: exp, more: "\"x\": 1"), .unknownMember, at: "$['x']")
    Payload.expectRefusal(
      Payload.cnpinning("", iat: iat, exp: exp), profile: .cnpinning, .emptyWindow(window),
      at: "$['exp']")
  }

  @Test(
    "aud and iss are 1 to 255 visible ASCII characters",
    arguments: ["", " ", "a b", "a\\n", "a\\u0000", "\\u007f", "ü", "\\u00fc"])
  func identifier(text: String) {
    Payload.expectRefusal(
      Payload.standard(aud: "\"\(text)\""), .identifier, at: "$['aud']")
    Payload.expectRefusal(
      Payload.standard(more: "\"iss\": \"\(text)\""), .identifier, at: "$['iss']")
  }

  @Test("an identifier of 255 characters is the longest")
  func longestIdentifier() throws {
    let longest = String(repeating: "~", count: 255)
    #expect(try Payload.decode(Payload.standard(aud: "\"\(longest)\"")).audience == longest)
    #expect(try Payload.decode(Payload.standard(aud: "\"\\u0021\"")).audience == "!")
    Payload.expectRefusal(
      Payload.standard(aud: "\"\(longest)~\""), .identifier, at: "$['aud']")
  }

  @Test("an identifier is a string", arguments: ["null", "1", "true", "[\"a\"]", "{}"])
  func identifierType(value: String) {
    Payload.expectRefusal(
      Payload.standard(aud: value), .wrongType(expected: .string), at: "$['aud']")
    Payload.expectRefusal(
      Payload.standard(more: "\"iss\": \(value)"), .wrongType(expected: .string), at: "$['iss']")
  }

  @Test("an expected audience is compared byte for byte")
  func audience() throws {
    let text = Payload.standard(aud: "\"Payments\"")
    #expect(try Payload.decode(text, audience: "Payments").audience == "Payments")
    for expected in ["payments", "Payments/", "", "P\u{301}ayments"] {
      let error = #expect(throws: PolicyDecodingError.self) {
        try Payload.decode(text, audience: expected)
      }
      #expect(error?.reason == .audience(expected: expected, found: "Payments"))
      #expect(error?.category == .audience)
    }
    let error = #expect(throws: PolicyDecodingError.self) {
      try Payload.decode(Payload.cnpinning(""), profile: .cnpinning, audience: "Payments")
    }
    #expect(error?.reason == .audience(expected: "Payments", found: nil))
  }

  @Test(
    "refreshHint is 60 to 2 592 000 seconds",
    arguments: ["0", "59", "2592001", "-60", "60.0", "6e1"])
  func refreshHint(value: String) {
    Payload.expectRefusal(
      Payload.standard(more: "\"refreshHint\": \(value)"), .number(60...2_592_000),
      at: "$['refreshHint']")
  }

  @Test("the edges of refreshHint are taken", arguments: [60, 2_592_000])
  func refreshHintEdges(value: Int64) throws {
    let policy = try Payload.decode(Payload.standard(more: "\"refreshHint\": \(value)"))
    #expect(policy.refreshHint == value)
  }

  @Test(
    "denied is a list of pins that is not empty",
    arguments: [
      ("[]", .emptyList, "$['denied']"),
      ("null", .wrongType(expected: .array), "$['denied']"),
      ("\"\(Payload.pin)\"", .wrongType(expected: .array), "$['denied']"),
      ("[1]", .wrongType(expected: .string), "$['denied'][0]"),
      ("[[\"\(Payload.pin)\"]]", .wrongType(expected: .string), "$['denied'][0]"),
      ("[\"\(Payload.pin)\", \"@name\"]", .pin(.prefix), "$['denied'][1]"),
      ("[\"\(Payload.pin) \"]", .pin(.length(45)), "$['denied'][0]"),
    ] as [(String, Reason, String)])
  func denied(value: String, reason: Reason, path: String) {
    Payload.expectRefusal(Payload.standard(more: "\"denied\": \(value)"), reason, at: path)
  }

  @Test(
    "what is no JSON says where",
    arguments: [
      ("{\"version\": 1,}", .json(.unexpected(expected: "a member's name")), 1, 15),
      ("{\"version\": 1\n", .json(.unexpectedEnd(expected: "',' or '}'")), 2, 1),
      (
        Payload.standard(more: "\"aud\": \"a\""), .json(.duplicateMember("aud")), nil, nil
      ),
    ] as [(String, Reason, Int?, Int?)])
  func syntax(text: String, reason: Reason, line: Int?, column: Int?) {
    do {
      _ = try Payload.decode(text)
      Issue.record("taken")
    } catch {
      switch (error.reason, reason) {
      // How the reader words what it expected is its own matter.
      case (.json(.unexpected), .json(.unexpected)), (.json(.unexpectedEnd), .json(.unexpectedEnd)):
        break
      default: #expect(error.reason == reason)
      }
      #expect(error.category == .payload)
      if let line { #expect(error.line == line && error.column == column) }
      #expect(error.line != nil)
    }
  }

  @Test("an error carries its place and values, its message shows no hidden character")
  func refusal() throws {
    let text = Payload.standard(hosts: "{\"a\\u202e'b\": 1}")
    let error = try #require(
      throws: PolicyDecodingError.self, performing: { try Payload.decode(text) })
    #expect(error.category == .payload)
    #expect(error.code == "host-not-ascii")
    #expect(
      error.message.hasPrefix("$['hosts']['a\\u{202e}\\'b']: a host must be ASCII here: convert"))
    #expect(
      error.detail == [JSONMember("path", .string("$['hosts']['a\u{202e}\\'b']"))])

    let spelling = try #require(
      throws: PolicyDecodingError.self,
      performing: { try Payload.decode(Payload.standard(hosts: "{\"2001:DB8::1\": 1}")) })
    #expect(spelling.canonical == "2001:db8::1")
    #expect(spelling.detail.last == JSONMember("canonical", .string("2001:db8::1")))

    let window = try #require(
      throws: PolicyDecodingError.self,
      performing: { try Payload.decode(Payload.standard(exp: "1")) })
    #expect(window.category == .time)
    #expect(window.code == "empty-window")
  }

  @Test("an unverified policy is read by the same rules")
  func unverified() throws {
    let bytes = Array(Payload.rule(Payload.spki).utf8)
    #expect(try UnverifiedPolicy(decoding: bytes, profile: .standard).policy.rules.count == 1)
    let error = #expect(throws: PolicyDecodingError.self) {
      try UnverifiedPolicy(decoding: bytes, profile: .cnpinning)
    }
    #expect(error?.reason == .wrongType(expected: .array))
    #expect(error?.path?.description == "$['version']")
  }
}
