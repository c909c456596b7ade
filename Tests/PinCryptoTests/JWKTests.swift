import PinCrypto
import PinPolicy
import StrictJSON
import Testing

@Suite("trusted JWK and JWK Sets")
struct JWKTests {
  /// The JWK of a key with members added, replaced, or (null) taken out.
  static func object(
    _ key: PublicKey, _ changes: [String: JSONValue] = [:]
  ) throws -> JSONValue {
    guard case .object(let members) = key.jwk else { throw KeyError.unfitKind(key.kind) }
    let kept = members.filter { changes[$0.name] == nil }
    let added = changes.filter { $0.value != .null }.map { JSONMember($0.key, $0.value) }
    return .object(kept + added)
  }

  static func jwk(_ key: PublicKey, _ changes: [String: JSONValue] = [:]) throws -> [UInt8] {
    JSONWriter.bytes(try object(key, changes), order: .canonical)
  }

  @Test("a public key, by its members; unknown ones are ignored, alg binds, kid is another id")
  func reading() throws {
    for key in try [Tokens.p256, Tokens.p384, Tokens.p521, Tokens.rsa].map({ try $0.get() }) {
      let trusted = try TrustedKey(
        jwk: Self.jwk(
          key.publicKey,
          [
            "use": .string("sig"), "key_ops": .array([.string("sign"), .string("verify")]),
            "kid": .string("a\u{1b}"), "x5c": .integer(1), "ext": .bool(true),
          ]),
        algorithms: SignatureAlgorithm.allCases)
      #expect(trusted.identifier == key.publicKey.thumbprint)
      #expect(trusted.alias == "a\u{1b}")
      #expect(trusted.algorithms == key.publicKey.supportedAlgorithms)
      #expect(trusted.publicKey.spkiBytes == key.publicKey.spkiBytes)
    }
    let rsa = try Tokens.rsa.get().publicKey
    #expect(throws: KeyError.algorithmsNotStated(.rsa(bits: 2048))) {
      try TrustedKey(jwk: Self.jwk(rsa))
    }
    let bound = try Self.jwk(rsa, ["alg": .string("PS384")])
    #expect(try TrustedKey(jwk: bound).algorithms == [.ps384])
    #expect(try TrustedKey(jwk: bound, algorithms: [.ps384, .rs256]).algorithms == [.ps384])
    #expect(throws: KeyError.algorithmsNotPossible([.rs256], possible: [.ps384])) {
      try TrustedKey(jwk: bound, algorithms: [.rs256])
    }
  }

  @Test(
    "refuses each fault of an EC key for its own reason",
    arguments: [
      (["kty": .null], .jwk(member: "kty", .missing)),
      (["kty": .integer(1)], .jwk(member: "kty", .wrongType)),
      (["kty": .string("ec")], .jwk(member: "kty", .unsupported)),
      (["kty": .string("oct"), "k": .string("AA")], .jwk(member: "kty", .unsupported)),
      (["kty": .string("OKP")], .jwk(member: "kty", .unsupported)),
      (["kty": .string("RSA")], .jwk(member: "n", .missing)),
      (["crv": .null], .jwk(member: "crv", .missing)),
      (["crv": .string("secp256k1")], .jwk(member: "crv", .unsupported)),
      (["crv": .string("p-256")], .jwk(member: "crv", .unsupported)),
      (["crv": .string("P-384")], .jwk(member: "x", .wrongLength(expectedBytes: 48))),
      (["x": .null], .jwk(member: "x", .missing)),
      (["y": .null], .jwk(member: "y", .missing)),
      (["y": .integer(3)], .jwk(member: "y", .wrongType)),
      (["x": .string("A+==")], .jwk(member: "x", .notBase64URL)),
      (["x": .string("")], .jwk(member: "x", .wrongLength(expectedBytes: 32))),
      (
        ["x": .string(String(repeating: "A", count: 44))],
        .jwk(member: "x", .wrongLength(expectedBytes: 32))
      ),
      (["y": .string(String(repeating: "A", count: 43))], .pointNotOnCurve),
      (["d": .string("AA")], .jwk(member: "d", .secret)),
      (["use": .string("enc")], .jwk(member: "use", .unsupported)),
      (["use": .string("SIG")], .jwk(member: "use", .unsupported)),
      (["use": .integer(1)], .jwk(member: "use", .wrongType)),
      (["key_ops": .array([.string("sign")])], .jwk(member: "key_ops", .unsupported)),
      (["key_ops": .array([])], .jwk(member: "key_ops", .unsupported)),
      (["key_ops": .string("verify")], .jwk(member: "key_ops", .wrongType)),
      (["key_ops": .array([.string("verify"), .integer(1)])], .jwk(member: "key_ops", .wrongType)),
      (["alg": .string("ES521")], .jwk(member: "alg", .unsupported)),
      (["alg": .string("es256")], .jwk(member: "alg", .unsupported)),
      (["alg": .string("none")], .jwk(member: "alg", .unsupported)),
      (["alg": .string("HS256")], .jwk(member: "alg", .unsupported)),
      (["alg": .integer(256)], .jwk(member: "alg", .wrongType)),
      (["alg": .string("ES384")], .algorithmsNotPossible([.es384], possible: [.es256])),
      (["alg": .string("PS256")], .algorithmsNotPossible([.ps256], possible: [.es256])),
      (["kid": .integer(1)], .jwk(member: "kid", .wrongType)),
    ] as [([String: JSONValue], KeyError)])
  func ec(changes: [String: JSONValue], reason: KeyError) throws {
    let bytes = try Self.jwk(Tokens.p256.get().publicKey, changes)
    #expect(throws: reason) { try TrustedKey(jwk: bytes) }
    #expect(reason.category == .key)
  }

  @Test(
    "refuses each fault of an RSA key for its own reason",
    arguments: [
      (["n": .null], .jwk(member: "n", .missing)),
      (["n": .string("")], .jwk(member: "n", .missing)),
      (["e": .null], .jwk(member: "e", .missing)),
      (["e": .integer(65537)], .jwk(member: "e", .wrongType)),
      (["e": .string("AAEAAQ")], .jwk(member: "e", .leadingZeros)),
      (["e": .string("AQAB=")], .jwk(member: "e", .notBase64URL)),
      (["e": .string("Aw")], .rsaExponent),
      (["n": .string("AA" + String(repeating: "B", count: 342))], .jwk(member: "n", .leadingZeros)),
      (["n": .string(Base64URL.text(repeatElement(0xff, count: 1025)))], .rsaSize(bits: 8200)),
      (["n": .string(Base64URL.text(repeatElement(0xff, count: 128)))], .rsaSize(bits: 1024)),
      (["p": .string("AA")], .jwk(member: "p", .secret)),
      (["q": .string("AA")], .jwk(member: "q", .secret)),
      (["dp": .string("AA")], .jwk(member: "dp", .secret)),
      (["dq": .string("AA")], .jwk(member: "dq", .secret)),
      (["qi": .string("AA")], .jwk(member: "qi", .secret)),
      (["oth": .array([])], .jwk(member: "oth", .secret)),
      (
        ["alg": .string("ES256")],
        .algorithmsNotPossible(
          [.es256],
          possible: [
            .rs256, .rs384, .rs512, .ps256, .ps384, .ps512,
          ])
      ),
      (["alg": .string("RSA1_5")], .jwk(member: "alg", .unsupported)),
    ] as [([String: JSONValue], KeyError)])
  func rsa(changes: [String: JSONValue], reason: KeyError) throws {
    let bytes = try Self.jwk(Tokens.rsa.get().publicKey, changes)
    #expect(throws: reason) {
      try TrustedKey(jwk: bytes, algorithms: SignatureAlgorithm.allCases)
    }
  }

  @Test("a member twice is refused, also one that would be ignored")
  func duplicates() throws {
    for text in [#"{"kty":"EC","kty":"EC"}"#, #"{"a":1,"\u0061":2}"#] {
      let error = #expect(throws: KeyError.self) { try TrustedKey(jwk: Array(text.utf8)) }
      guard case .json(let fault) = error, case .duplicateMember = fault.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("a JWK is an object", arguments: ["[]", "1", #""EC""#, "null"])
  func notObject(text: String) {
    #expect(throws: KeyError.jwk(member: "kty", .missing)) {
      try TrustedKey(jwk: Array(text.utf8))
    }
  }

  // MARK: Sets

  static func set(_ keys: [JSONValue]) -> [UInt8] {
    JSONWriter.bytes(
      .object([JSONMember("keys", .array(keys)), JSONMember("other", .null)]), order: .canonical)
  }

  @Test("every key of a set that can't be used is listed; skipping is the caller's to say")
  func sets() throws {
    let p256 = try Tokens.p256.get().publicKey
    let rsa = try Tokens.rsa.get().publicKey
    let bytes = try Self.set([
      Self.object(p256, ["use": .string("enc")]), Self.object(p256), .integer(1),
      Self.object(rsa, ["alg": .string("PS256")]), Self.object(rsa),
    ])
    let unusable = [
      UnusableKey(index: 0, reason: .jwk(member: "use", .unsupported)),
      UnusableKey(index: 2, reason: .jwk(member: "kty", .missing)),
      UnusableKey(index: 4, reason: .algorithmsNotStated(.rsa(bits: 2048))),
    ]
    #expect(throws: KeyError.unusableKeys(unusable)) { try TrustedKeys.load(jwks: bytes) }
    let (keys, skipped) = try TrustedKeys.load(jwks: bytes, skippingUnusable: true)
    #expect(keys.identifiers == [p256.thumbprint, rsa.thumbprint])
    #expect(skipped == unusable)
  }

  @Test("two keys with one id, and no key at all, are refused also when skipping")
  func badSets() throws {
    let key = try Self.object(Tokens.p256.get().publicKey)
    let identifier = try #require(Tokens.p256.get().publicKey.thumbprint)
    #expect(throws: KeyError.duplicateIdentifier(identifier)) {
      try TrustedKeys.load(jwks: Self.set([key, key]), skippingUnusable: true)
    }
    for keys in [[], [JSONValue.null]] {
      #expect(throws: KeyError.noKeys) {
        try TrustedKeys.load(jwks: Self.set(keys), skippingUnusable: true)
      }
    }
  }

  @Test(
    "a set is an object with a list of keys",
    arguments: [
      ("{}", .jwk(member: "keys", .missing)), ("[]", .jwk(member: "keys", .missing)),
      (#"{"keys":{}}"#, .jwk(member: "keys", .wrongType)),
      (#"{"keys":null}"#, .jwk(member: "keys", .wrongType)),
    ] as [(String, KeyError)])
  func notSet(text: String, reason: KeyError) {
    #expect(throws: reason) {
      try TrustedKeys.load(jwks: Array(text.utf8), skippingUnusable: true)
    }
  }
}
