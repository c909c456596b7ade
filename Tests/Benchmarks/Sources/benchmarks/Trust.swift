import CBaseline
import Foundation
import PinCrypto
import PinPolicy
import PinTLS
import PinVerifier

/// From a chain in DER to a verdict, and handshakes that end in one, on the chains that
/// `generate_chain.sh` made: `KIND-root.pem`, `KIND-chain.pem` (leaf, authority), `KIND-key.pem`.
final class Trust {
  private static let host = "api.example.com"

  private let folder: Folder
  private let time = Int64(Date().timeIntervalSince1970)
  private var cases: [String: Case] = [:]

  init(_ folder: Folder) { self.folder = folder }

  private struct Case {
    let der: [[UInt8]]
    let host: HostName
    let evaluator: TrustEvaluator
    let policy: VerifiedPolicy
    let path: ValidatedPath
    let store: UnsafeMutableRawPointer
    let clients: [String: UnsafeMutableRawPointer]
    let servers: [String: UnsafeMutableRawPointer]
  }

  /// - Parameter what: `pins`, `judge`, `evaluate`, `bare-evaluate`, or
  ///   `handshake-VERSION-plain|hooked[-client]`.
  func time(_ what: String, _ kind: String, turns: Int) throws -> Int64 {
    let prepared = try prepared(kind)
    switch what {
    case "pins": return try pins(prepared, turns: turns)
    case "judge": return try judge(prepared, turns: turns)
    case "evaluate": return try evaluate(prepared, turns: turns)
    case "bare-evaluate":
      return baseline_verify_chain(
        prepared.store, Self.host, time, prepared.der[0], prepared.der[0].count, prepared.der[1],
        prepared.der[1].count, Int64(turns))
    default:
      let words = what.split(separator: "-").map(String.init)
      guard words.count >= 3, let server = prepared.servers[words[1]],
        let client = prepared.clients[words[2]]
      else { throw Fault(what) }
      return baseline_handshakes(
        client, server, Self.host, words.count > 3 ? 1 : 0, Int64(turns))
    }
  }

  /// Names and pins of three certificates that are parsed already.
  private func pins(_ prepared: Case, turns: Int) throws -> Int64 {
    let certificates = prepared.path.certificates
    var bytes = 0
    let start = baseline_now()
    for _ in 0..<turns {
      for certificate in certificates {
        bytes &+= certificate.commonName.names.count &+ certificate.spki.hashValue & 1
      }
    }
    let time = baseline_now() - start
    guard bytes >= turns * 3 else { throw Fault("\(bytes) names") }
    return time
  }

  private func judge(_ prepared: Case, turns: Int) throws -> Int64 {
    var accepted = 0
    let start = baseline_now()
    for _ in 0..<turns {
      let judgement = try prepared.policy.evaluate(prepared.path, at: time)
      if judgement.verdict == .accepted { accepted &+= 1 }
    }
    let elapsed = baseline_now() - start
    guard accepted == turns else { throw Fault("\(accepted) accepted") }
    return elapsed
  }

  /// Certificates in DER → trust → verdict.
  private func evaluate(_ prepared: Case, turns: Int) throws -> Int64 {
    var accepted = 0
    let start = baseline_now()
    for _ in 0..<turns {
      let path = try prepared.evaluator.evaluate(
        PresentedChain(der: prepared.der), host: prepared.host, at: time)
      if try prepared.policy.evaluate(path, at: time).verdict == .accepted { accepted &+= 1 }
    }
    let elapsed = baseline_now() - start
    guard accepted == turns else { throw Fault("\(accepted) accepted") }
    return elapsed
  }

  private func prepared(_ kind: String) throws -> Case {
    if let found = cases[kind] { return found }
    let rootPEM = try folder.bytes("\(kind)-root.pem")
    let root = try Certificate(der: Certificate.all(in: rootPEM, atMost: 1)[0].der)
    let chain = try Certificate.all(in: try folder.bytes("\(kind)-chain.pem"), atMost: 2)
    let evaluator = TrustEvaluator(anchors: try TrustAnchors.only([root]))
    let host = try HostName(Self.host)
    let policy = try policy(pinning: root)
    guard let store = baseline_store(rootPEM, rootPEM.count),
      let plain = baseline_client(store, time), let hooked = baseline_client(store, time)
    else { throw Fault("a client") }
    let time = time
    try unsafe installPinVerification(
      on: OpaquePointer(hooked), policy: CurrentPolicy(policy), trust: evaluator,
      onUnpinned: .reject,
      clock: { time })
    var servers: [String: UnsafeMutableRawPointer] = [:]
    for (name, version) in [("1.2", 0x0303), ("1.3", 0x0304)] {
      servers[name] = baseline_server(
        folder.url.appendingPathComponent("\(kind)-chain.pem").path,
        folder.url.appendingPathComponent("\(kind)-key.pem").path, Int32(version))
    }
    let made = Case(
      der: chain.map(\.der), host: host, evaluator: evaluator, policy: policy,
      path: try evaluator.evaluate(PresentedChain(chain), host: host, at: time), store: store,
      clients: ["plain": plain, "hooked": hooked], servers: servers)
    cases[kind] = made
    return made
  }

  /// Names of all three certificates, and the anchor's key with a backup.
  private func policy(pinning root: Certificate) throws -> VerifiedPolicy {
    let backup = "sha256/" + String(repeating: "A", count: 43) + "="
    let payload = """
      {"version":1,"aud":"bench","iat":\(time - 60),"exp":\(time + 86_400),"hosts":{
      "\(Self.host)":{"chains":[[{"type":"exact","value":"Bench Root X1"},
      {"type":"prefixWithNumber","value":"Bench CA R"},{"type":"any"}]],
      "spki":{"anchor":["\(backup)","\(root.spki)"]}}}}
      """
    let key = try PrivateKey.generate(for: .es256)
    let verifier = PolicyVerifier(
      trustedKeys: try TrustedKeys([TrustedKey(key.publicKey)]), audience: .exactly("bench"))
    let signer = try JWSSigner(key: key, algorithm: .es256)
    return try verifier.verify(signer.sign(payload: Array(payload.utf8)), at: time)
  }
}
