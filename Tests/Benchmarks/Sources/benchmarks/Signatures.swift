import CBaseline
import Foundation
import PinCrypto
import PinPolicy

/// Signing and verifying, ours and bare EVP's, on one policy of about 1 KB an algorithm.
final class Signatures {
  private let folder: Folder
  private var cases: [String: Case] = [:]

  init(_ folder: Folder) { self.folder = folder }

  private struct Case {
    let policy: [UInt8]
    let payload: [UInt8]
    let input: [UInt8]
    let signature: [UInt8]
    let verifier: JWSVerifier
    let signer: JWSSigner
    let publicKey: UnsafeMutableRawPointer
    let privateKey: UnsafeMutableRawPointer
    let baseline: baseline_algorithm
  }

  func time(_ what: String, _ algorithm: SignatureAlgorithm, turns: Int) throws -> Int64 {
    let encoding: ECDSAEncoding = what == "verify-jose" ? .jose : .der
    let prepared = try prepared(algorithm, encoding)
    switch what {
    case "verify", "verify-jose": return try verify(prepared, turns: turns)
    case "sign": return try sign(prepared, turns: turns)
    case "evp-verify":
      return baseline_verify(
        prepared.publicKey, prepared.baseline, prepared.signature, prepared.signature.count,
        prepared.input, prepared.input.count, Int64(turns))
    case "evp-sign":
      return baseline_sign(
        prepared.privateKey, prepared.baseline, prepared.input, prepared.input.count, Int64(turns))
    default: throw Fault(what)
    }
  }

  private func verify(_ prepared: Case, turns: Int) throws -> Int64 {
    var bytes = 0
    let start = baseline_now()
    for _ in 0..<turns { bytes &+= try prepared.verifier.verify(prepared.policy).bytes.count }
    let time = baseline_now() - start
    guard bytes == turns * prepared.payload.count else { throw Fault("another payload") }
    return time
  }

  private func sign(_ prepared: Case, turns: Int) throws -> Int64 {
    var bytes = 0
    let start = baseline_now()
    for _ in 0..<turns { bytes &+= try prepared.signer.sign(payload: prepared.payload).count }
    let time = baseline_now() - start
    guard bytes > turns * prepared.payload.count else { throw Fault("nothing signed") }
    return time
  }

  private func prepared(
    _ algorithm: SignatureAlgorithm, _ encoding: ECDSAEncoding
  ) throws -> Case {
    let name = algorithm.rawValue
    if let found = cases["\(name).\(encoding)"] { return found }
    let policy = try folder.bytes("\(name).\(encoding).jws")
    guard let lastDot = policy.lastIndex(of: UInt8(ascii: ".")),
      let signature = decode(policy[(lastDot + 1)...])
    else { throw Fault("no JWS") }
    let publicPEM = try folder.bytes("\(name).pub.pem")
    let privatePEM = try folder.bytes("\(name).pem")
    let key = try PrivateKey(reading: SecretBytes(copying: privatePEM)) { nil }
    guard let publicKey = baseline_public_key(publicPEM, publicPEM.count),
      let privateKey = baseline_private_key(privatePEM, privatePEM.count)
    else { throw Fault("a key") }
    let digest: StaticString =
      name.hasSuffix("256") ? "SHA256" : name.hasSuffix("384") ? "SHA384" : "SHA512"
    let made = Case(
      policy: policy, payload: try folder.bytes("\(name).json"),
      input: Array(policy[..<lastDot]), signature: signature,
      verifier: JWSVerifier(
        trustedKeys: try TrustedKeys([TrustedKey(pem: publicPEM, algorithms: [algorithm])]),
        ecdsa: encoding),
      signer: try JWSSigner(key: key, algorithm: algorithm, profile: .standard),
      publicKey: publicKey, privateKey: privateKey,
      baseline: baseline_algorithm(
        digest: UnsafeRawPointer(digest.utf8Start).assumingMemoryBound(to: CChar.self),
        pss: name.hasPrefix("PS")))
    cases["\(name).\(encoding)"] = made
    return made
  }

  private func decode(_ base64url: ArraySlice<UInt8>) -> [UInt8]? {
    let text = String(decoding: base64url, as: UTF8.self)
      .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text + padding).map { [UInt8]($0) }
  }
}
