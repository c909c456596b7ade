import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

@Suite("JWS signer")
struct JWSSignerTests {
  private static func header(of message: [UInt8]) throws -> String {
    String(decoding: try CompactJWS(message).header, as: UTF8.self)
  }

  @Test("the standard header names the key, in the order of RFC 8785")
  func standardHeader() throws {
    for algorithm in SignatureAlgorithm.allCases {
      let key = try Tokens.key(for: algorithm)
      let message = try JWSSigner(key: key, algorithm: algorithm).sign(payload: Tokens.payload)
      let expected =
        #"{"alg":"\#(algorithm.rawValue)","kid":"\#(Tokens.thumbprint(key))","#
        + #""typ":"pin-policy+jwt"}"#
      #expect(try Self.header(of: message) == expected)
      #expect(try CompactJWS(message).unverifiedPayload == Tokens.payload)
      let payload = try JWSVerifier(trustedKeys: Tokens.trusting(key)).verify(message)
      #expect(payload.algorithm == algorithm.rawValue)
    }
  }

  @Test("the cnpinning header is the one that those clients were seen to take")
  func cnpinningHeader() throws {
    let key = try Tokens.p256.get()
    for (registered, header) in [
      (false, #"{"alg":"es256","typ":"JWT"}"#), (true, #"{"alg":"ES256","typ":"JWT"}"#),
    ] {
      let signer = try JWSSigner(
        key: key, algorithm: .es256, profile: .cnpinning, registeredToken: registered)
      let message = try signer.sign(payload: Tokens.payload)
      #expect(try Self.header(of: message) == header)
      let verifier = JWSVerifier(
        trustedKeys: try Tokens.trusting(key), profiles: [.cnpinning])
      #expect(try verifier.verify(message).profile == .cnpinning)
    }
  }

  @Test("the same policy and key give the same signing input")
  func deterministic() throws {
    let signer = try JWSSigner(key: Tokens.p256.get(), algorithm: .es256)
    let input = signer.signingInput(payload: Tokens.payload)
    #expect(input == signer.signingInput(payload: Tokens.payload))
    let message = try signer.sign(payload: Tokens.payload)
    #expect(Array(try CompactJWS(message).signingInput) == input.bytes)
    #expect(try SigningInput(input.bytes) == input)
    #expect(try input.digest() == Digest.sha256.hash(input.bytes))
  }

  @Test("ECDSA is written as asked", arguments: SignatureAlgorithm.Curve.allCases)
  func encodings(curve: SignatureAlgorithm.Curve) throws {
    let key = try Tokens.key(for: curve.algorithm)
    for ecdsa in ECDSAEncoding.allCases {
      let signer = try JWSSigner(key: key, algorithm: curve.algorithm, ecdsa: ecdsa)
      let signature = try CompactJWS(signer.sign(payload: Tokens.payload)).signature
      #expect(ECDSASignature.hasShape(of: ecdsa, signature, curve))
    }
  }

  @Test("a signature made elsewhere is attached in either form, once it verifies")
  func attaching() throws {
    let key = try Tokens.p384.get()
    let trusted = try Tokens.trusting(key)
    let input = try JWSSigner(key: key, algorithm: .es384).signingInput(payload: Tokens.payload)
    let der = try key.sign(input.bytes, algorithm: .es384)
    let raw = try ECDSASignature(der: der, curve: .p384).raw
    for signature in [der, raw] {
      for encoding in ECDSAEncoding.allCases {
        let message = try input.attaching(signature, of: trusted, encoding: encoding)
        let expected = encoding == .der ? der : raw
        #expect(try CompactJWS(message).signature == expected)
      }
    }
    let stranger = try Tokens.p256.get()
    let other = try key.sign(input.bytes + [0], algorithm: .es384)
    #expect(throws: JWSError.badSignature(keys: [Tokens.thumbprint(key)])) {
      try input.attaching(other, of: trusted)
    }
    #expect(throws: JWSError.notRaw(expectedBytes: 96)) {
      try input.attaching([1, 2, 3], of: trusted)
    }
    #expect(
      throws: JWSError.unknownKeyIdentifier(
        Tokens.thumbprint(key), trusted: [Tokens.thumbprint(stranger)])
    ) { try input.attaching(der, of: Tokens.trusting(stranger)) }
  }

  @Test("a signing input is two segments with a good header")
  func signingInput() {
    #expect(throws: JWSError.notThreeSegments(found: 2)) { try SigningInput(Array("e30".utf8)) }
    #expect(throws: JWSError.notThreeSegments(found: 4)) {
      try SigningInput(Array("e30.e30.e30".utf8))
    }
    #expect(throws: JWSError.missingHeaderMember(.typ)) {
      try SigningInput(Array("e30.e30".utf8))
    }
  }

  @Test("refuses a key that readers would refuse, or that can't do the algorithm")
  func keys() throws {
    #expect(throws: KeyError.algorithmsNotPossible([.es384], possible: [.es256])) {
      try JWSSigner(key: Tokens.p256.get(), algorithm: .es384)
    }
    let file = Vectors.packageRoot.appendingPathComponent("keys/demo-es256.pem")
    let demo = try PrivateKey(
      reading: SecretBytes(copying: String(contentsOf: file, encoding: .utf8).utf8)
    ) { nil }
    #expect(throws: KeyError.demoKey(Tokens.thumbprint(demo))) {
      try JWSSigner(key: demo, algorithm: .es256)
    }
    let signer = try JWSSigner(key: demo, algorithm: .es256, allowDemoKeys: true)
    #expect(throws: Never.self) { try signer.sign(payload: Tokens.payload) }
  }

  @Test("refuses to make what no reader takes")
  func tooLong() throws {
    var limits = Limits.standard
    limits.policyBytes = 200
    let signer = try JWSSigner(key: Tokens.p256.get(), algorithm: .es256, limits: limits)
    let error = #expect(throws: JWSError.self) {
      try signer.sign(payload: [UInt8](repeating: 0x20, count: 200))
    }
    #expect(error?.category == .limit)
    #expect(error?.code == "too-long")
  }
}
