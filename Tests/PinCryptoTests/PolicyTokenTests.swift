import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// Signed policies, good and hostile, as far as size, segments, header, key and signature go.
@Suite("policy token vectors, before the payload")
struct PolicyTokenTests {
  static let steps: Set<String> = ["limit", "encoding", "header", "key", "signature"]

  @Test(
    "each token passes, or fails in its category",
    arguments: [("policies/policies.jsonl", 321, 143), ("standard/standard.jsonl", 672, 123)])
  func tokens(file: String, count: Int, refusedCount: Int) throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    var failures: [String] = []
    var ran = 0
    var refused = 0
    for row in try Vectors.lines(file) {
      ran += 1
      let outcome = Self.outcome(row)
      if outcome != nil { refused += 1 }
      let category = row.string("category") ?? ""
      let allowed = [category] + row.strings("also_ok")
      if let outcome {
        if row.string("expect") == "accept" || !allowed.contains(outcome.category.rawValue) {
          failures.append("\(row.id): \(outcome.category) \(outcome)")
        }
        if outcome.message.contains("\n") { failures.append("\(row.id): \(outcome.message)") }
      } else if Self.steps.contains(category), !Self.isInPayload(row) {
        failures.append("\(row.id): passes, not \(allowed)")
      }
    }
    Vectors.report(file, ran: ran)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(ran == count)
    #expect(refused == refusedCount)
  }

  /// Limits of the payload are judged when it is decoded, after these steps.
  private static func isInPayload(_ row: Case) -> Bool {
    guard row.string("category") == "limit" else { return false }
    return message(of: row).count <= limits(of: row).policyBytes && !row.id.contains("header")
  }

  private static func limits(of row: Case) -> Limits {
    var limits = Limits.standard
    if row.string("decision") == "D13" { limits.policyBytes = 1 << 20 }
    return limits
  }

  private static func outcome(_ row: Case) -> (any Refusal)? {
    do {
      let verifier = JWSVerifier(
        trustedKeys: try trustedKeys(of: row),
        profiles: row.object["profiles"] == nil
          ? Set(Profile.allCases)
          : Set(row.strings("profiles").compactMap(Profile.init(rawValue:))),
        ecdsa: row.string("ecdsa").flatMap(ECDSAEncoding.init(rawValue:)) ?? .der,
        limits: limits(of: row))
      let payload = try verifier.verify(message(of: row))
      return payload.keyIdentifier.isEmpty ? KeyError.noKeys : nil
    } catch {
      return error as? any Refusal
    }
  }

  private static func trustedKeys(of row: Case) throws -> TrustedKeys {
    func key(_ pem: String?, _ entry: Case, _ algorithm: String) throws -> TrustedKey {
      let bound = entry.string(algorithm).map { [$0] } ?? entry.strings(algorithm)
      return try TrustedKey(
        pem: Array((pem ?? "").utf8),
        algorithms: bound.isEmpty
          ? SignatureAlgorithm.allCases : bound.compactMap(SignatureAlgorithm.init(rawValue:)),
        profile: entry.string("profile").flatMap(Profile.init(rawValue:)),
        issuedBefore: entry.integer("issued_before"))
    }
    if row.object["keys"] != nil {
      return try TrustedKeys(row.list("keys").map { try key($0.string("pem"), $0, "alg") })
    }
    return try TrustedKeys([key(row.string("key"), row, "key_alg")])
  }

  private static func message(of row: Case) -> [UInt8] {
    if let text = row.string("jws") { return Array(text.utf8) }
    if let text = row.string("jws_b64") { return Array(Data(base64Encoded: text) ?? Data()) }
    guard let recipe = row.child("recipe") else { return [] }
    if recipe.object["raw"] != nil { return Case.joined(recipe.list("raw")) }
    let stop = [UInt8(ascii: ".")]
    let signature =
      recipe.string("signature").map { Array($0.utf8) }
      ?? Case.joined(recipe.list("signature_repeat"))
    return base64URL(Array((recipe.string("header") ?? "").utf8)) + stop
      + base64URL(Case.joined(recipe.list("payload"))) + stop + signature
  }

  /// Foundation's: not the code on test. Whole-buffer calls are fast in an unoptimised build too.
  private static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
    var text = Array(Data(bytes).base64EncodedData())
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    text.withUnsafeMutableBytes { buffer in
      for (old, new) in [("+", "-"), ("/", "_")] as [(Unicode.Scalar, Unicode.Scalar)] {
        var rest = buffer[...]
        while let base = UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress,
          let found = memchr(base, Int32(old.value), rest.count)
        {
          found.storeBytes(of: UInt8(ascii: new), as: UInt8.self)
          rest = rest.dropFirst(found - base + 1)
        }
      }
    }
    return text
  }
}
