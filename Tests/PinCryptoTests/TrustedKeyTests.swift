import Foundation
import PinCrypto
import PinPolicy
import StrictJSON
import TestSupport
import Testing

@Suite("trusted keys")
struct TrustedKeyTests {
  static func pem(_ label: String, _ body: String = "AAAA") -> String {
    "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
  }

  // MARK: PEM and DER

  @Test("a PEM key is one PUBLIC KEY block; text around it says what it is")
  func goodPEM() throws {
    let key = try Tokens.p256.get().publicKey
    let text = try "the key of the policy team\n" + key.spkiPEM() + "\n# end\n"
    let trusted = try TrustedKey(pem: Array(text.utf8))
    #expect(trusted.identifier == key.thumbprint)
    #expect(trusted.algorithms == [.es256])
    #expect(trusted.profile == nil)
    #expect(trusted.issuedBefore == nil)
    #expect(trusted.alias == nil)
    #expect(trusted.publicKey.spkiBytes == key.spkiBytes)
  }

  @Test(
    "what is given instead of a public key is named, with a way out",
    arguments: [
      ("PRIVATE KEY", "openssl pkey -in FILE -pubout"),
      ("ENCRYPTED PRIVATE KEY", "openssl pkey -in FILE -pubout"),
      ("EC PRIVATE KEY", "openssl pkey -in FILE -pubout"),
      ("RSA PRIVATE KEY", "openssl pkey -in FILE -pubout"),
      ("RSA PUBLIC KEY", "openssl rsa -RSAPublicKey_in -in FILE -pubout"),
      ("CERTIFICATE", "openssl x509 -in FILE -noout -pubkey"),
      ("CERTIFICATE REQUEST", "Give the public key alone"),
    ])
  func otherPEM(label: String, hint: String) throws {
    let good = try Tokens.p256.get().publicKey.spkiPEM()
    for text in [Self.pem(label), good + Self.pem(label), Self.pem(label) + good] {
      let error = KeyError.notPublicKeyPEM(label: label)
      #expect(throws: error) { try TrustedKey(pem: Array(text.utf8)) }
      #expect(error.message.contains(label))
      #expect(error.message.contains(hint), "\(error.message)")
    }
  }

  @Test("no block and two blocks are refused")
  func blocks() throws {
    let good = try Tokens.p256.get().publicKey.spkiPEM()
    let other = try Tokens.p384.get().publicKey.spkiPEM()
    for text in ["", "\n", "not a key"] {
      #expect(throws: KeyError.notOnePEMBlock(found: 0)) { try TrustedKey(pem: Array(text.utf8)) }
    }
    for text in [good + good, good + other] {
      #expect(throws: KeyError.notOnePEMBlock(found: 2)) { try TrustedKey(pem: Array(text.utf8)) }
    }
    let headers = good.replacing("KEY-----\n", with: "KEY-----\nComment: x\n\n", maxReplacements: 1)
    #expect(throws: KeyError.notOnePEMBlock(found: 1)) { try TrustedKey(pem: Array(headers.utf8)) }
  }

  @Test("a block that is cut, not Base64, or no key, says so")
  func brokenPEM() throws {
    let good = try Tokens.p256.get().publicKey.spkiPEM()
    for (text, code) in [
      (String(good.dropLast(30)), "malformed-pem"),
      ("-----BEGIN PUBLIC KEY-----", "malformed-pem"),
      (good + "-----BEGIN PUBLIC KEY-----\n", "malformed-pem"),
      (Self.pem("PUBLIC KEY", "!!!!"), "malformed-pem"),
      (Self.pem("PUBLIC KEY"), "unreadable-key"),
    ] {
      let error = #expect(throws: KeyError.self) { try TrustedKey(pem: Array(text.utf8)) }
      #expect(error?.code == code, "\(text)")
      #expect(error?.category == .key)
    }
  }

  @Test("nothing follows the DER, in a PEM block or alone")
  func trailing() throws {
    let spki = try Tokens.p256.get().publicKey.spkiBytes
    #expect(try TrustedKey(der: spki).algorithms == [.es256])
    #expect(throws: KeyError.trailingBytes) { try TrustedKey(der: spki + [0]) }
    let error = #expect(throws: KeyError.self) { try TrustedKey(der: []) }
    #expect(error?.code == "unreadable-key")
  }

  // MARK: Algorithms

  @Test("EC implies its algorithm; RSA does six, and which is trusted must be said")
  func algorithms() throws {
    let rsa = try Tokens.rsa.get().publicKey
    let p384 = try Tokens.p384.get().publicKey
    #expect(throws: KeyError.algorithmsNotStated(.rsa(bits: 2048))) { try TrustedKey(rsa) }
    #expect(try TrustedKey(p384).algorithms == [.es384])
    #expect(
      try TrustedKey(rsa, algorithms: SignatureAlgorithm.allCases).algorithms
        == [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
    #expect(try TrustedKey(rsa, algorithms: [.ps512, .rs256]).algorithms == [.rs256, .ps512])
    #expect(try TrustedKey(p384, algorithms: [.es256, .es384]).algorithms == [.es384])
    #expect(throws: KeyError.algorithmsNotPossible([.es256], possible: [.es384])) {
      try TrustedKey(p384, algorithms: [.es256])
    }
    #expect(throws: KeyError.algorithmsNotPossible([], possible: [.es384])) {
      try TrustedKey(p384, algorithms: [])
    }
  }

  @Test("a PSS key that is restricted to one algorithm implies it")
  func restrictedPSS() throws {
    let parameters = PublicKeyFitnessTests.Parameters(digest: 1, mask: 1, salt: 32)
    let spki = PublicKeyFitnessTests.pssKey(parameters: parameters.der)
    #expect(try TrustedKey(der: spki).algorithms == [.ps256])
    #expect(throws: KeyError.algorithmsNotPossible([.rs256], possible: [.ps256])) {
      try TrustedKey(der: spki, algorithms: [.rs256])
    }
  }

  @Test("an unfit key is not trusted")
  func unfit() throws {
    let key = try PublicKey(
      rsaModulus: PublicKeyFitnessTests.modulus(bits: 1024), exponent: [1, 0, 1])
    #expect(throws: KeyError.rsaSize(bits: 1024)) {
      try TrustedKey(key, algorithms: SignatureAlgorithm.allCases)
    }
  }

  // MARK: Sets

  @Test("a set has a key at least, and no id twice")
  func sets() throws {
    let p256 = try Tokens.p256.get().publicKey
    let rsa = try Tokens.rsa.get().publicKey
    let identifier = try #require(rsa.thumbprint)
    #expect(throws: KeyError.noKeys) { try TrustedKeys([]) }
    #expect(throws: KeyError.duplicateIdentifier(identifier)) {
      try TrustedKeys([
        TrustedKey(rsa, algorithms: [.rs256]), TrustedKey(p256),
        TrustedKey(rsa, algorithms: [.ps256], profile: .cnpinning),
      ])
    }
    let keys = try TrustedKeys([TrustedKey(rsa, algorithms: [.rs256]), TrustedKey(p256)])
    #expect(keys.identifiers == [identifier, p256.thumbprint])
  }

  @Test("a JWK's kid is an id like any other")
  func aliases() throws {
    let first = try JWKTests.jwk(Tokens.p256.get().publicKey, ["kid": .string("a")])
    let second = try JWKTests.jwk(Tokens.otherP256.get().publicKey, ["kid": .string("a")])
    #expect(throws: KeyError.duplicateIdentifier("a")) {
      try TrustedKeys([TrustedKey(jwk: first), TrustedKey(jwk: second)])
    }
    let thumbprint = try #require(Tokens.p256.get().publicKey.thumbprint)
    let posing = try JWKTests.jwk(
      Tokens.otherP256.get().publicKey, ["kid": .string(thumbprint)])
    #expect(throws: KeyError.duplicateIdentifier(thumbprint)) {
      try TrustedKeys([TrustedKey(jwk: first), TrustedKey(jwk: posing)])
    }
    let own = try JWKTests.jwk(
      Tokens.p256.get().publicKey, ["kid": .string(thumbprint)])
    #expect(try TrustedKeys([TrustedKey(jwk: own)]).identifiers == [thumbprint])
  }

  @Test("demo keys are refused unless the service says so", arguments: ["es256", "rsa2048"])
  func demoKeys(name: String) throws {
    let file = Vectors.packageRoot.appendingPathComponent("keys/demo-\(name).pub.pem")
    let key = try TrustedKey(
      pem: [UInt8](String(contentsOf: file, encoding: .utf8).utf8),
      algorithms: SignatureAlgorithm.allCases)
    #expect(throws: KeyError.demoKey(key.identifier)) { try TrustedKeys([key]) }
    #expect(try TrustedKeys([key], allowDemoKeys: true).identifiers == [key.identifier])
  }
}
