import PinCrypto
import PinPolicy
import StrictJSON
import Testing

@Suite("protected header")
struct ProtectedHeaderTests {
  static let all = Set(Profile.allCases)

  @Test(
    "reads alg, typ and kid, in any order, with white space and escapes",
    arguments: [
      (#"{"alg":"ES256","kid":"a","typ":"pin-policy+jwt"}"#, .es256, .standard, "a"),
      (#"{"typ":"pin-policy+jwt","alg":"PS512"}"#, .ps512, .standard, nil),
      (" {\n\"alg\" : \"RS256\" , \"typ\":\"JWT\"}\t", .rs256, .cnpinning, nil),
      (#"{"alg":"es384","typ":"JWT","kid":""}"#, .es384, .cnpinning, ""),
      (
        #"{"\u0061lg":"\u0045S256","typ":"pin-policy\u002bjwt","kid":"\uD83D\uDD11"}"#, .es256,
        .standard, "🔑"
      ),
    ] as [(String, SignatureAlgorithm, Profile, String?)])
  func reading(
    text: String, algorithm: SignatureAlgorithm, profile: Profile, identifier: String?
  ) throws {
    let header = try ProtectedHeader(decoding: Array(text.utf8), accepting: Self.all)
    #expect(header.algorithm == algorithm)
    #expect(header.profile == profile)
    #expect(header.keyIdentifier == identifier)
  }

  @Test(
    "refuses each fault for its own reason",
    arguments: [
      ("[]", .headerNotObject),
      (#""ES256""#, .headerNotObject),
      ("1", .headerNotObject),
      ("{}", .missingHeaderMember(.typ)),
      (#"{"alg":"ES256"}"#, .missingHeaderMember(.typ)),
      (#"{"typ":"JWT"}"#, .missingHeaderMember(.alg)),
      (#"{"alg":null,"typ":"JWT"}"#, .headerMemberNotText(.alg)),
      (#"{"alg":["ES256"],"typ":"JWT"}"#, .headerMemberNotText(.alg)),
      (#"{"alg":256,"typ":"JWT"}"#, .headerMemberNotText(.alg)),
      (#"{"alg":"ES256","typ":null}"#, .headerMemberNotText(.typ)),
      (#"{"alg":"ES256","typ":["JWT"]}"#, .headerMemberNotText(.typ)),
      (#"{"alg":"ES256","typ":"JWT","kid":null}"#, .headerMemberNotText(.kid)),
      (#"{"alg":"ES256","typ":"JWT","kid":1}"#, .headerMemberNotText(.kid)),
      (#"{"alg":"ES256","typ":"JWT","kid":{}}"#, .headerMemberNotText(.kid)),
      (#"{"alg":"ES256","typ":"jwt"}"#, .unknownType("jwt")),
      (#"{"alg":"ES256","typ":""}"#, .unknownType("")),
      (#"{"alg":"ES256","typ":"Pin-Policy+JWT"}"#, .unknownType("Pin-Policy+JWT")),
      (
        #"{"alg":"ES256","typ":"application/pin-policy+jwt"}"#,
        .unknownType("application/pin-policy+jwt")
      ),
      (#"{"alg":"ES256","typ":"JWT "}"#, .unknownType("JWT ")),
      (#"{"alg":"none","typ":"JWT"}"#, .unknownAlgorithm("none", .cnpinning)),
      (#"{"alg":"NONE","typ":"pin-policy+jwt"}"#, .unknownAlgorithm("NONE", .standard)),
      (#"{"alg":"HS256","typ":"pin-policy+jwt"}"#, .unknownAlgorithm("HS256", .standard)),
      (#"{"alg":"EdDSA","typ":"JWT"}"#, .unknownAlgorithm("EdDSA", .cnpinning)),
      (#"{"alg":"ES521","typ":"JWT"}"#, .unknownAlgorithm("ES521", .cnpinning)),
      (#"{"alg":"ES256K","typ":"JWT"}"#, .unknownAlgorithm("ES256K", .cnpinning)),
      (#"{"alg":"es256","typ":"pin-policy+jwt"}"#, .unknownAlgorithm("es256", .standard)),
      (#"{"alg":"Es256","typ":"JWT"}"#, .unknownAlgorithm("Es256", .cnpinning)),
      (#"{"alg":"ES256 ","typ":"JWT"}"#, .unknownAlgorithm("ES256 ", .cnpinning)),
      (#"{"alg":"","typ":"JWT"}"#, .unknownAlgorithm("", .cnpinning)),
      (#"{"alg":"ＥS256","typ":"JWT"}"#, .unknownAlgorithm("ＥS256", .cnpinning)),
      (#"{"alg":"eß256","typ":"JWT"}"#, .unknownAlgorithm("eß256", .cnpinning)),
      (#"{"alg":"ES256","typ":"JWT","crit":["exp"]}"#, .unknownHeaderMember(line: 1, column: 28)),
      (#"{"alg":"ES256","typ":"JWT","b64":true}"#, .unknownHeaderMember(line: 1, column: 28)),
      (#"{"jwk":{},"alg":"ES256","typ":"JWT"}"#, .unknownHeaderMember(line: 1, column: 2)),
      (
        #"{"jku":"https://a.example","alg":"ES256","typ":"JWT"}"#,
        .unknownHeaderMember(line: 1, column: 2)
      ),
      (#"{"x5u":"","alg":"ES256","typ":"JWT"}"#, .unknownHeaderMember(line: 1, column: 2)),
      (#"{"x5c":[],"alg":"ES256","typ":"JWT"}"#, .unknownHeaderMember(line: 1, column: 2)),
      ("{\n \"x5t\":\"\"}", .unknownHeaderMember(line: 2, column: 2)),
      (#"{"cty":"","alg":"ES256"}"#, .unknownHeaderMember(line: 1, column: 2)),
      (#"{"Kid":"","alg":"ES256"}"#, .unknownHeaderMember(line: 1, column: 2)),
      (#"{"":"","alg":"ES256"}"#, .unknownHeaderMember(line: 1, column: 2)),
      (
        #"{"alg":"ES256","alg":"ES256","typ":"JWT"}"#,
        .duplicateHeaderMember(line: 1, column: 16)
      ),
      (#"{"alg":"ES256","\u0061lg":"none"}"#, .duplicateHeaderMember(line: 1, column: 16)),
    ] as [(String, JWSError)])
  func refusal(text: String, reason: JWSError) {
    #expect(throws: reason) {
      try ProtectedHeader(decoding: Array(text.utf8), accepting: Self.all)
    }
    #expect(reason.category == .header)
  }

  @Test("a profile is refused unless it was asked for", arguments: Profile.allCases)
  func profiles(profile: Profile) {
    let text = #"{"alg":"ES256","typ":"\#(profile.type)"}"#
    #expect(throws: JWSError.profileNotAccepted(profile)) {
      try ProtectedHeader(
        decoding: Array(text.utf8), accepting: Self.all.subtracting([profile]))
    }
    // Also when its `alg` is unknown: what is not accepted is not looked into.
    #expect(throws: JWSError.profileNotAccepted(profile)) {
      try ProtectedHeader(
        decoding: Array(#"{"alg":"x","typ":"\#(profile.type)"}"#.utf8),
        accepting: Self.all.subtracting([profile]))
    }
  }

  @Test(
    "is strict JSON, within limits, and tells no more than the place",
    arguments: [
      ("", .unexpectedEnd(expected: "a value"), .header),
      (#"{"alg":"ES256","typ":"JWT"}x"#, .trailingBytes, .header),
      (#"{"alg":"ES256","typ":"JWT",}"#, .unexpected(expected: "a member's name"), .header),
      ("{\"alg\":\"ES\n256\"}", .controlCharacter, .header),
      (#"{"kid":"\ud800"}"#, .loneSurrogate, .header),
      ("\u{feff}{}", .byteOrderMark, .header),
      (#"{"kid":"# + String(repeating: "[", count: 16), .tooDeep(limit: 16), .limit),
      (#"{"kid":"# + String(repeating: "1", count: 33) + "}", .numberTooLong(limit: 32), .limit),
    ] as [(String, JSONError.Reason, FailureCategory)])
  func json(text: String, reason: JSONError.Reason, category: FailureCategory) throws {
    let error = try #require(throws: JWSError.self) {
      try ProtectedHeader(decoding: Array(text.utf8), accepting: Self.all)
    }
    guard case .headerJSON(let fault) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(fault.reason == reason)
    #expect(fault.path == nil)
    #expect(error.category == category)
  }

  @Test(
    "errors tell nothing of the message but alg, typ and kid",
    arguments: [
      #"{"alg":"ES256","typ":"JWT","hostile":"hostile"}"#,
      #"{"alg":"ES256","typ":"JWT","hostile":1,"hostile":2}"#,
      #"{"hostile":{"hostile":tru}}"#,
      #"["hostile"]"#,
    ])
  func silence(text: String) throws {
    let error = try #require(throws: JWSError.self) {
      try ProtectedHeader(decoding: Array(text.utf8), accepting: Self.all)
    }
    let shown = "\(error) \(error.message) \(error.detail)"
    #expect(!shown.contains("hostile"), "\(shown)")
  }

  @Test("alg, typ and kid are escaped and cut in messages, whole in detail")
  func escaping() {
    let hostile = "\u{1b}[2J\u{202e}" + String(repeating: "x", count: 1000)
    for error in [
      JWSError.unknownType(hostile), .unknownAlgorithm(hostile, .standard),
      .unknownKeyIdentifier(hostile, trusted: ["a"]), .keyNotForProfile(hostile, .standard),
      .keyNotForAlgorithm(hostile, .es256, allowed: []),
    ] {
      #expect(!error.message.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
      #expect(error.message.contains(#"“\u{1b}[2J\u{202e}xx"#))
      #expect(error.message.unicodeScalars.count < 500)
      #expect(error.detail.contains { $0.value == .string(hostile) })
    }
  }
}
