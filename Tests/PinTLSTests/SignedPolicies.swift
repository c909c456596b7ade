import LoopbackTLS
import PinCrypto
import PinPolicy
import PinVerifier
import StrictJSON

/// Policies for tests, signed and verified as a service does it.
struct SignedPolicies {
  private let signer: JWSSigner
  private let verifier: PolicyVerifier

  init() throws {
    let key = try PrivateKey.generate(for: .es256)
    signer = try JWSSigner(key: key, algorithm: .es256)
    verifier = PolicyVerifier(
      trustedKeys: try TrustedKeys([TrustedKey(key.publicKey)]), audience: .exactly("tests"))
  }

  /// - Parameters:
  ///   - hosts: the member `hosts`, as JSON.
  ///   - exp: the end of the window, which begins an hour ago.
  func policy(
    hosts: String, denied: [TestCertificate] = [], exp: Int64 = TestTime.now + 3600
  ) throws -> VerifiedPolicy {
    let list = try denied.map { "\"\(try $0.pin)\"" }.joined(separator: ",")
    let payload = """
      {"version":1,"aud":"tests","iat":\(TestTime.now - 3600),"exp":\(exp),\
      \(denied.isEmpty ? "" : "\"denied\":[\(list)],")"hosts":\(hosts)}
      """
    return try verifier.verify(signer.sign(payload: Array(payload.utf8)), at: TestTime.now)
  }
}

extension TestCertificate {
  /// As the tested code reads it.
  var read: Certificate {
    get throws { try Certificate(der: der) }
  }

  var pin: SPKIPin {
    get throws { try read.spki }
  }
}

/// A rule in JSON.
enum Rule {
  static func pins(_ kind: String, _ certificates: TestCertificate...) throws -> String {
    let list = try certificates.map { "\"\(try $0.pin)\"" }.joined(separator: ",")
    return "{\"spki\":{\"\(kind)\":[\(list)]}}"
  }

  /// Links root → leaf: `exact NAME`, `prefix NAME`, `prefixWithNumber NAME`, `any`.
  static func chain(_ links: String..., anchors: [TestCertificate] = []) throws -> String {
    let texts = links.map { link in
      let parts = link.split(separator: " ", maxSplits: 1)
      return parts.count == 1
        ? "{\"type\":\"\(parts[0])\"}" : "{\"type\":\"\(parts[0])\",\"value\":\"\(parts[1])\"}"
    }
    let chains = "\"chains\":[[\(texts.joined(separator: ","))]]"
    guard !anchors.isEmpty else { return "{\(chains)}" }
    let list = try anchors.map { "\"\(try $0.pin)\"" }.joined(separator: ",")
    return "{\(chains),\"spki\":{\"anchor\":[\(list)]}}"
  }

  /// The same rule in another mode.
  static func report(_ rule: String) -> String { "{\"mode\":\"report\"," + rule.dropFirst() }
}
