import Foundation
import TestSupport
import Testing

/// Keys for the nine algorithms and policies signed with them, made by policyctl.
///
/// The folder holds for each algorithm `ALG.pem`, `ALG.pub.pem`, `ALG.jwk`, `ALG.pub.jwk`, `ALG.kid`,
/// `ALG.standard.jws` (DER), `ALG.jose.jws` and `ALG.cnpinning.jws`, and `payload.json`, the bytes
/// of one of the standard policies' payloads.
struct SignedPolicies {
  static let algorithms = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
  ]
  static let audience = "shop-prod"

  private static let source = """
    {
      "aud": "shop-prod",
      "hosts": {
        "api.example.com": {
          "spki": {
            "anchor": [
              "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
              "sha256/LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564="
            ]
          }
        },
        "legacy.example.com": { "mode": "exempt" }
      }
    }
    """
  /// Chains alone: a CNPinning client knows nothing else. The audience is left out when signing.
  private static let mobileSource = """
    {
      "aud": "shop-prod",
      "hosts": {
        "api.example.com": {
          "chains": [
            [
              { "type": "exact", "value": "Example Root R1" },
              { "type": "prefixWithNumber", "value": "Example Issuing CA " },
              { "type": "suffix", "value": ".example.com" }
            ],
            [{ "type": "prefix", "value": "Übergang" }, { "type": "exact", "value": "api.example.com" }]
          ]
        },
        "*": { "chains": [[{ "type": "exact", "value": "Enterprise Root CA" }]] }
      }
    }
    """
  static let mobileHosts = "*,api.example.com"

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Data(Self.source.utf8).write(to: folder.file("standard.json"))
    try Data(Self.mobileSource.utf8).write(to: folder.file("cnpinning.json"))
    for algorithm in Self.algorithms {
      try makeKey(algorithm)
      try sign("standard.json", algorithm, [], to: "\(algorithm).standard.jws")
      try sign("standard.json", algorithm, ["--ecdsa", "jose"], to: "\(algorithm).jose.jws")
      try sign(
        "cnpinning.json", algorithm, ["--profile", "cnpinning"], to: "\(algorithm).cnpinning.jws")
    }
    try write(try segments("ES256.standard.jws").payload, to: "payload.json")
  }

  /// RSA keys are slow to make and serve both of their size's algorithms.
  private func makeKey(_ algorithm: String) throws {
    let sibling = "R" + algorithm.dropFirst()
    if algorithm.hasPrefix("PS") {
      for suffix in ["pem", "pub.pem", "jwk", "pub.jwk", "kid"] {
        try write(try bytes("\(sibling).\(suffix)"), to: "\(algorithm).\(suffix)")
      }
      return
    }
    try policyctl([
      "key", "new", "--alg", algorithm, "--no-passphrase", "-o", "\(algorithm).pem",
      "--public-out", "\(algorithm).pub.pem",
    ])
    let convert = ["key", "convert", "\(algorithm).pem", "--to", "jwk"]
    try write(try policyctl(convert + ["--no-passphrase"]), to: "\(algorithm).jwk")
    try write(try policyctl(convert + ["--public"]), to: "\(algorithm).pub.jwk")
    try write(try policyctl(["key", "id", "\(algorithm).pem"]), to: "\(algorithm).kid")
  }

  func sign(_ source: String, _ algorithm: String, _ options: [String], to name: String) throws {
    try policyctl(
      ["sign", source, "--key", "\(algorithm).pem", "--alg", algorithm, "--valid-for", "7d"]
        + ["--allow", "all", "-o", name] + options)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.file(name)))
  }

  func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: folder.file(name))
  }

  /// Runs policyctl in the folder, which must succeed.
  @discardableResult
  func policyctl(_ arguments: [String]) throws -> [UInt8] {
    let outcome = try ChildProcess.run(ChildProcess.policyctl, arguments, in: folder.url)
    guard outcome.status == 0 else {
      throw PolicyctlFailure(arguments: arguments, status: outcome.status, text: outcome.errorText)
    }
    return outcome.output
  }

  /// Expects that policyctl takes a standard policy that a peer signed, and refuses it tampered.
  func expectAccepted(_ name: String, _ algorithm: String, _ options: [String] = []) throws {
    let verify = [
      "--key", "\(algorithm).pub.pem", "--alg", algorithm, "--audience", Self.audience, "--json",
    ]
    let answer = try json(["verify", name] + verify + options)
    #expect(answer.status == 0, "\(name): \(answer.object)")
    #expect(answer.object["verified"] as? Bool == true, "\(name)")
    #expect(answer.object["alg"] as? String == algorithm, "\(name)")
    #expect(try answer.object["keyID"] as? String == text("\(algorithm).kid"), "\(name)")
    #expect(answer.object["hosts"] as? Int == 2, "\(name)")

    try write(try tampered(name), to: "tampered.jws")
    let refusal = try json(["verify", "tampered.jws"] + verify + options)
    let error = refusal.object["error"] as? [String: Any]
    #expect(refusal.status == 1, "\(name), tampered")
    #expect(error?["category"] as? String == "signature", "\(name), tampered: \(refusal.object)")
  }

  private func json(_ arguments: [String]) throws -> (status: Int32, object: [String: Any]) {
    let outcome = try ChildProcess.run(ChildProcess.policyctl, arguments, in: folder.url)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    return (outcome.status, object ?? [:])
  }
}

struct PolicyctlFailure: Error {
  let arguments: [String]
  let status: Int32
  let text: String
}

/// The parts of a compact JWS, decoded.
struct Segments {
  let header: [UInt8]
  let payload: [UInt8]
  let signature: [UInt8]
  /// What was signed: the first two segments as they stand.
  let input: [UInt8]
}

extension SignedPolicies {
  func segments(_ name: String) throws -> Segments {
    let parts = try text(name).split(separator: ".", omittingEmptySubsequences: false)
    let decoded = parts.compactMap { Base64URLText.decode(String($0)) }
    try #require(decoded.count == 3, "\(name)")
    return Segments(
      header: decoded[0], payload: decoded[1], signature: decoded[2],
      input: Array("\(parts[0]).\(parts[1])".utf8))
  }

  /// The policy with one bit of its payload's middle changed.
  func tampered(_ name: String) throws -> [UInt8] {
    let segments = try segments(name)
    var payload = segments.payload
    payload[payload.count / 2] ^= 1
    let parts = [segments.header, payload, segments.signature]
    return Array(parts.map(Base64URLText.encode).joined(separator: ".").utf8)
  }
}

/// Base64url by way of Foundation: a coder that is not the one on test.
enum Base64URLText {
  static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  static func decode(_ text: String) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let standard = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
  }
}

/// Makes the policies once for a whole suite and removes them after it.
struct SignedPoliciesTrait: SuiteTrait, TestScoping {
  @TaskLocal static var current: SignedPolicies?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(try SignedPolicies(), operation: function)
  }
}

extension Trait where Self == SignedPoliciesTrait {
  static var signedPolicies: Self { SignedPoliciesTrait() }
}
