import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// JWS and JWK vectors. They have no `typ` and payloads that are no policy, so that keys, segments
/// and signatures are judged here, and the header's `alg` alone.
@Suite("Wycheproof JSON Web vectors")
struct WycheproofWebTests {
  /// The file, its tests, and how many are accepted in DER and in raw form.
  static let files: [(String, Int, der: Int, raw: Int)] = [
    ("json_web_signature", 241, der: 18, raw: 20),
    ("json_web_key", 16, der: 1, raw: 1),
    ("json_web_crypto", 29, der: 0, raw: 0),
  ]

  /// Valid raw ES512 whose key says `"alg": "ES521"`, which is no algorithm: refused as a key.
  static let misspelt: Set<Int64> = [347, 351]

  @Test("each message is accepted or refused as listed", arguments: files)
  func messages(name: String, count: Int, der: Int, raw: Int) throws {
    let path = "wycheproof/\(name).json"
    guard Vectors.isPresent else { return Vectors.reportSkipped(path) }
    let expectations = try WycheproofFile.expectations(of: name)
    var failures: [String] = []
    var ran = 0
    var accepted: [ECDSAEncoding: Int] = [.der: 0, .jose: 0]
    for group in try WycheproofFile(name).groups {
      for test in group.list("tests") {
        ran += 1
        let identifier = test.integer("tcId") ?? 0
        guard let expectation = expectations[identifier] else {
          failures.append("\(name) \(identifier): no expectation")
          continue
        }
        for ecdsa in ECDSAEncoding.allCases {
          let outcome = Self.outcome(test, group, ecdsa)
          if outcome == nil { accepted[ecdsa, default: 0] += 1 }
          let isAccepted =
            expectation.string("expect") == "accept"
            || ecdsa == .jose && expectation.bool("accept_if_raw_form") == true
              && !Self.misspelt.contains(identifier)
          let category = expectation.string("category")
          if (outcome == nil) != isAccepted
            || category != nil && outcome?.category.rawValue != category
          {
            failures.append(
              "\(name) \(identifier) \(ecdsa): \(outcome.map { "\($0)" } ?? "accepted")")
          }
        }
      }
    }
    Vectors.report(path, ran: ran)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(ran == count)
    #expect(accepted == [.der: der, .jose: raw])
  }

  @Test("a raw ES512 signature of a key whose alg is misspelt is refused for the key alone")
  func misspelt() throws {
    let name = "json_web_signature"
    guard Vectors.isPresent else { return Vectors.reportSkipped("wycheproof/\(name).json") }
    var ran = 0
    for group in try WycheproofFile(name).groups {
      for test in group.list("tests") where Self.misspelt.contains(test.integer("tcId") ?? 0) {
        ran += 1
        var jwk = group.child("public")?.object ?? [:]
        #expect(throws: KeyError.jwk(member: "alg", .unsupported)) {
          try TrustedKey(jwk: Self.bytes(jwk))
        }
        jwk["alg"] = "ES512"
        #expect(Self.outcome(test, Case(object: ["public": jwk]), .jose) == nil)
      }
    }
    #expect(ran == 2)
  }

  /// nil when the keys load and one of them, allowed this `alg`, made the signature.
  private static func outcome(
    _ test: Case, _ group: Case, _ ecdsa: ECDSAEncoding
  ) -> (any Refusal)? {
    let given = group.child("public") ?? group.child("private") ?? Case(object: [:])
    do {
      let keys =
        given.object["keys"] == nil
        ? [try TrustedKey(jwk: bytes(given.object), algorithms: SignatureAlgorithm.allCases)]
        : try TrustedKeys.load(
          jwks: bytes(given.object), algorithms: SignatureAlgorithm.allCases
        ).keys.keys
      let message = try CompactJWS(Array((test.string("jws") ?? "").utf8))
      let header =
        try? JSONSerialization.jsonObject(with: Data(message.header)) as? [String: Any]
      guard let token = header?["alg"] as? String else {
        throw JWSError.missingHeaderMember(.alg)
      }
      guard let algorithm = SignatureAlgorithm(token: token, profile: .standard) else {
        throw JWSError.unknownAlgorithm(token, .standard)
      }
      guard let key = keys.first(where: { $0.algorithms.contains(algorithm) }) else {
        throw JWSError.noKey(algorithm, .standard)
      }
      try key.publicKey.verify(
        message.signature, over: Array(message.signingInput), algorithm: algorithm, ecdsa: ecdsa)
      return nil
    } catch {
      return error as? any Refusal
    }
  }

  private static func bytes(_ object: [String: Any]) -> [UInt8] {
    Array((try? JSONSerialization.data(withJSONObject: object)) ?? Data())
  }
}
