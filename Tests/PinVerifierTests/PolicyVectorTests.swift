import Foundation
import PinCrypto
import PinPolicy
import PinVerifier
import StrictJSON
import TestSupport
import Testing

/// Signed policies, good and hostile, whose expected outcomes were made by other software.
@Suite("signed policy vectors")
struct PolicyVectorTests {
  @Test(
    "each case is accepted, or refused in the right category at the right place",
    arguments: [("policies/policies.jsonl", 321), ("standard/standard.jsonl", 672)])
  func cases(file: String, count: Int) throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    var failures: [String] = []
    var ran = 0
    for row in try Vectors.lines(file) {
      failures += Self.judge(row)
      ran += 1
    }
    Vectors.report(file, ran: ran)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(ran == count)
  }

  private static func judge(_ row: Case) -> [String] {
    let expected = row.string("expect")
    let allowed = [row.string("category")].compactMap(\.self) + row.strings("also_ok")
    let verified: VerifiedPolicy
    do {
      verified = try verify(row)
    } catch {
      if expected == "accept" { return ["\(row.id): refused: \(error.message)"] }
      var failures: [String] = []
      if !allowed.contains(error.category.rawValue) {
        failures.append("\(row.id): \(error.category) (\(error.code)), not \(allowed)")
      }
      if error.category.rawValue == row.string("category") {
        failures += place(of: error.base, row)
      }
      if error.message.isEmpty || error.code.isEmpty { failures.append("\(row.id): says nothing") }
      return failures
    }
    guard expected == "accept" else { return ["\(row.id): accepted, not \(allowed)"] }
    return row.list("resolve").compactMap { resolution($0, in: verified, row.id) }
      + row.list("queries").compactMap { query($0, in: verified, row.id) }
  }

  private static func place(of error: any Refusal, _ row: Case) -> [String] {
    var failures: [String] = []
    if let path = row.string("path"), error.text("path") != path {
      failures.append("\(row.id): at \(error.text("path") ?? "no path"), not \(path)")
    }
    if let canonical = row.string("canonical"), error.text("canonical") != canonical {
      failures.append("\(row.id): shows \(error.text("canonical") ?? "nothing"), not \(canonical)")
    }
    return failures
  }

  private static func verify(_ row: Case) throws(AnyRefusal) -> VerifiedPolicy {
    var limits = Limits.standard
    if row.string("decision") == "D13" {
      limits.policyBytes = 1 << 20
      limits.hosts = 1024
    }
    do {
      let verifier = PolicyVerifier(
        trustedKeys: try trustedKeys(of: row),
        audience: row.string("audience").map { .exactly($0) } ?? .unchecked,
        profiles: profiles(of: row),
        maximumLifetime: row.integer("max_lifetime"),
        limits: limits,
        ecdsa: row.string("ecdsa") == "jose" ? .jose : .der,
        issuedAtTolerance: row.integer("skew") ?? 0)
      return try verifier.verify(message(of: row), at: row.integer("now") ?? 0)
    } catch let error as any Refusal {
      throw AnyRefusal(error)
    } catch {
      throw AnyRefusal(UnexpectedError(text: "\(error)"))
    }
  }

  private static func profiles(of row: Case) -> Set<Profile> {
    // The older file is of profile cnpinning alone; there `typ` is required to be exactly JWT.
    if row.object["cnpinning_1_2"] != nil { return [.cnpinning] }
    guard row.object["profiles"] != nil else { return Set(Profile.allCases) }
    return Set(row.strings("profiles").compactMap(Profile.init(rawValue:)))
  }

  private static func trustedKeys(of row: Case) throws -> TrustedKeys {
    var keys: [TrustedKey] = []
    if let pem = row.string("key") {
      keys.append(
        try TrustedKey(
          pem: Array(pem.utf8), algorithms: algorithms(row.string("key_alg")), profile: nil,
          issuedBefore: nil))
    }
    for entry in row.list("keys") {
      keys.append(
        try TrustedKey(
          pem: Array((entry.string("pem") ?? "").utf8),
          algorithms: algorithms(entry.string("alg")),
          profile: entry.string("profile").flatMap(Profile.init(rawValue:)),
          issuedBefore: entry.integer("issued_before")))
    }
    return try TrustedKeys(keys)
  }

  /// The one that is named, or all that the key can do.
  private static func algorithms(_ name: String?) -> [SignatureAlgorithm] {
    name.flatMap(SignatureAlgorithm.init(rawValue:)).map { [$0] } ?? SignatureAlgorithm.allCases
  }

  private static func message(of row: Case) -> [UInt8] {
    if let text = row.string("jws") { return Array(text.utf8) }
    if let text = row.string("jws_b64") { return Array(Data(base64Encoded: text) ?? Data()) }
    guard let recipe = row.child("recipe") else { return [] }
    let raw = recipe.list("raw")
    if !raw.isEmpty { return Case.joined(raw) }
    var bytes = base64URL(Array((recipe.string("header") ?? "").utf8))
    bytes.append(UInt8(ascii: "."))
    bytes += base64URL(Case.joined(recipe.list("payload")))
    bytes.append(UInt8(ascii: "."))
    if let part = recipe.child("signature_repeat") {
      bytes += Case.joined([part])
    } else {
      bytes += Array((recipe.string("signature") ?? "").utf8)
    }
    return bytes
  }

  private static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
    var text = Data(bytes).base64EncodedString()
    // Some payloads have 64 MB, and an unoptimised test translates slowly: only where it must.
    for (standard, safe) in [("+", "-"), ("/", "_"), ("=", "")] where text.contains(standard) {
      text = text.replacingOccurrences(of: standard, with: safe)
    }
    return Array(text.utf8)
  }

  private static func resolution(
    _ query: Case, in verified: VerifiedPolicy, _ id: String
  ) -> String? {
    let host = query.string("host") ?? ""
    guard let resolution = try? verified.rule(for: host) else { return "\(id): \(host) is refused" }
    let found = [
      resolution.rule?.pattern.description, resolution.step.rawValue,
      resolution.rule?.mode.rawValue,
    ]
    let expected = [query.string("pattern"), query.string("step"), query.string("mode")]
    return found == expected ? nil : "\(id): \(host) gives \(found), not \(expected)"
  }

  /// Hosts that the older vectors take for names that no rule governs, and the specification for
  /// invalid: a name whose last label is all digits is a wrong IPv4 address.
  private static let invalidHosts = ["1.192.0.2.1"]

  /// A chain of Common Names, root → leaf, against the rule's chains.
  private static func query(_ query: Case, in verified: VerifiedPolicy, _ id: String) -> String? {
    let host = query.string("host") ?? ""
    guard let name = try? HostName(host) else {
      return invalidHosts.contains(host) ? nil : "\(id): \(host) is refused"
    }
    let path = query.strings("chain").reversed().map { name in
      PathCertificate(commonName: CommonName([name]), spki: SPKIPin(words: (0, 0, 0, 0)))
    }
    let judgement = PinEvaluator.evaluate(policy: verified.policy, host: name, paths: [path])
    let found =
      switch judgement.verdict {
      case .accepted: "match"
      case .notPinned: "unpinned"
      default: "mismatch"
      }
    let expected = query.string("expect")
    return found == expected ? nil : "\(id): \(host) \(query.strings("chain")) gives \(found)"
  }
}

struct AnyRefusal: Error {
  let base: any Refusal
  init(_ base: any Refusal) { self.base = base }
  var category: FailureCategory { base.category }
  var code: String { base.code }
  var message: String { base.message }
}

struct UnexpectedError: Refusal {
  let text: String
  var category: FailureCategory { .internal }
  var code: String { "unexpected" }
  var message: String { text }
  var detail: [JSONMember] { [] }
}

extension Refusal {
  func text(_ name: String) -> String? {
    guard case .string(let text)? = detail.first(where: { $0.name == name })?.value else {
      return nil
    }
    return text
  }
}
