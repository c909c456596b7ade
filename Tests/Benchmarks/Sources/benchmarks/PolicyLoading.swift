import CBaseline
import Foundation
import PinCrypto
import PinPolicy

/// From a payload's bytes to a policy.
final class PolicyLoading {
  private let folder: Folder
  private var payloads: [Int: VerifiedPayload] = [:]

  init(_ folder: Folder) { self.folder = folder }

  func payload(hosts: Int) throws -> VerifiedPayload {
    if let found = payloads[hosts] { return found }
    let keys = try TrustedKeys([TrustedKey(pem: try folder.bytes("ES256.pub.pem"))])
    let verifier = JWSVerifier(trustedKeys: keys, limits: Material.limits)
    let payload = try verifier.verify(try folder.bytes("\(hosts).jws"))
    payloads[hosts] = payload
    return payload
  }

  func policy(hosts: Int) throws -> Policy {
    try Policy(decoding: try payload(hosts: hosts), limits: Material.limits)
  }

  /// The time of the decoding alone; releasing the policy is not counted.
  func load(hosts: Int, turns: Int) throws -> Int64 {
    let payload = try payload(hosts: hosts)
    var total: Int64 = 0
    for _ in 0..<turns {
      let start = baseline_now()
      let policy = try Policy(decoding: payload, limits: Material.limits)
      total += baseline_now() - start
      guard policy.rules.count == hosts else { throw Fault("\(policy.rules.count) rules") }
    }
    return total
  }

  /// Prints by how many bytes resident memory grew over the payload's own, at most and at the end.
  func printMemory(hosts: Int) throws {
    let payload = try payload(hosts: hosts)
    baseline_trim()
    // Forget the peak of what came before.
    let peak = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
    try peak.write(contentsOf: Data("5".utf8))
    let before = try resident("VmRSS:")
    let policy = try Policy(decoding: payload, limits: Material.limits)
    let most = try resident("VmHWM:")
    baseline_trim()
    let after = try resident("VmRSS:")
    print(most - before, after - before)
    withExtendedLifetime((policy, payload)) {}
  }

  private func resident(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    for line in status.split(separator: "\n") where line.hasPrefix(name) {
      guard let kilobytes = Int(line.split(whereSeparator: \.isWhitespace)[1]) else { break }
      return kilobytes * 1024
    }
    throw Fault("no \(name)")
  }
}
