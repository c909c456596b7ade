import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// ECDSA in DER and raw form, RSA PKCS#1 v1.5 and PSS, over keys that a policy may have.
@Suite("Wycheproof signature vectors")
struct WycheproofSignatureTests {
  /// The file, its tests, and those among them whose verdict is listed as our own.
  static let files: [(String, Int, Int)] = [
    ("ecdsa_secp256r1_sha256", 290, 0),
    ("ecdsa_secp256r1_sha256_p1363", 157, 0),
    ("ecdsa_secp384r1_sha384", 302, 0),
    ("ecdsa_secp384r1_sha384_p1363", 168, 0),
    ("ecdsa_secp521r1_sha512", 326, 0),
    ("ecdsa_secp521r1_sha512_p1363", 191, 0),
    ("rsa_pkcs1_2048_sig_gen", 17, 3),
    ("rsa_pkcs1_3072_sig_gen", 15, 1),
    ("rsa_pkcs1_4096_sig_gen", 14, 0),
    ("rsa_pss_2048_sha256_mgf1_32", 65, 0),
    ("rsa_pss_2048_sha256_mgf1_32_params", 64, 0),
    ("rsa_pss_2048_sha384_mgf1_48", 84, 0),
    ("rsa_pss_3072_sha256_mgf1_32", 64, 0),
    ("rsa_pss_3072_sha256_mgf1_32_params", 64, 0),
    ("rsa_pss_4096_sha256_mgf1_32", 64, 0),
    ("rsa_pss_4096_sha384_mgf1_48", 85, 0),
    ("rsa_pss_4096_sha512_mgf1_64", 107, 0),
    ("rsa_pss_4096_sha512_mgf1_64_params", 108, 0),
    ("rsa_pss_misc", 2, 0),
    ("rsa_pss_misc_params", 2, 0),
    ("rsa_signature_2048_sha256", 155, 1),
    ("rsa_signature_2048_sha384", 154, 1),
    ("rsa_signature_2048_sha512", 156, 2),
    ("rsa_signature_3072_sha256", 156, 1),
    ("rsa_signature_3072_sha384", 155, 0),
    ("rsa_signature_3072_sha512", 156, 1),
    ("rsa_signature_4096_sha256", 154, 1),
    ("rsa_signature_4096_sha384", 156, 1),
    ("rsa_signature_4096_sha512", 156, 1),
  ]

  @Test("with the JSON Web files there are 3 873 tests, 13 of them with a verdict of our own")
  func total() {
    let webTests = WycheproofWebTests.files.map(\.1).reduce(0, +)
    #expect(Self.files.map(\.1).reduce(0, +) + webTests == 3873)
    #expect(Self.files.map(\.2).reduce(0, +) == 13)
  }

  @Test("each signature is accepted or refused as listed", arguments: files)
  func signatures(name: String, count: Int, exceptionCount: Int) throws {
    let path = "wycheproof/\(name).json"
    guard Vectors.isPresent else { return Vectors.reportSkipped(path) }
    let exceptions = try WycheproofFile.exceptions(of: name)
    var failures: [String] = []
    var ran = 0
    for group in try WycheproofFile(name).groups {
      let key = try PublicKey(
        trustedDER: [UInt8](
          hex: group.string("publicKeyDer") ?? group.string("keyDer") ?? ""))
      let algorithm = try #require(Self.algorithm(of: group))
      let ecdsa: ECDSAEncoding = group.string("type") == "EcdsaP1363Verify" ? .jose : .der
      for test in group.list("tests") {
        ran += 1
        let outcome = Self.outcome(test, key, algorithm, ecdsa)
        let identifier = test.integer("tcId") ?? 0
        let expected: FailureCategory? =
          if let exception = exceptions[identifier] {
            FailureCategory(rawValue: exception.string("category") ?? "")
          } else {
            test.string("result") == "valid" ? nil : .signature
          }
        if outcome?.category != expected {
          failures.append("\(name) \(identifier): \(outcome.map { "\($0)" } ?? "accepted")")
        }
      }
    }
    Vectors.report(path, ran: ran, exceptions: exceptions.count)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(ran == count)
    #expect(exceptions.count == exceptionCount)
  }

  /// nil when the key is fit and the signature verifies.
  private static func outcome(
    _ test: Case, _ key: PublicKey, _ algorithm: SignatureAlgorithm, _ ecdsa: ECDSAEncoding
  ) -> (any Refusal)? {
    do {
      try key.checkFitForPolicies()
      try key.verify(
        [UInt8](hex: test.string("sig") ?? ""), over: [UInt8](hex: test.string("msg") ?? ""),
        algorithm: algorithm, ecdsa: ecdsa)
      return nil
    } catch {
      return error as? any Refusal
    }
  }

  private static func algorithm(of group: Case) -> SignatureAlgorithm? {
    guard let type = group.string("type"), let digits = group.string("sha")?.suffix(3) else {
      return nil
    }
    let prefix = type.hasPrefix("Ecdsa") ? "ES" : type.hasPrefix("RsassaPss") ? "PS" : "RS"
    return SignatureAlgorithm(rawValue: prefix + digits)
  }
}
