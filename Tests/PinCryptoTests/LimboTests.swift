import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// The shared part of x509-limbo, beside what libcrypto alone says with the same settings.
@Suite("x509-limbo")
struct LimboTests {
  /// Cases that are accepted against the expectation, each with its reason: what it asks for is a
  /// rule for authorities that gives an attacker nothing, or one that needs more than a certificate.
  static let falseAccepts = [
    "rfc5280::aki::intermediate-missing-aki": authorities("helps to build paths, decides nothing"),
    "rfc5280::leaf-ku-keycertsign": authorities("without cA the leaf can issue nothing"),
    "rfc5280::nc::invalid-dnsname-leading-period": authorities("read as subdomains, which narrows"),
    "rfc5280::nc::not-allowed-in-ee-noncritical": authorities("a leaf constrains nobody"),
    "rfc5280::pc::ica-noncritical-pc": authorities("what it constrains is obeyed, critical or not"),
    "rfc5280::root-missing-basic-constraints": anchor("version 3 without the extension"),
    "rfc5280::san::underscore-dns": authorities("hosts with `_` exist, and match byte for byte"),
    "rfc5280::serial::too-long": authorities("a number of 21 bytes identifies as well"),
    "rfc5280::ski::intermediate-missing-ski": authorities("helps to build paths, decides nothing"),
    "webpki::aki::root-with-aki-missing-keyidentifier": anchor("an empty key identifier"),
    "webpki::cn::ipv4-hex-mismatch": commonName,
    "webpki::cn::ipv6-non-rfc5952-mismatch": commonName,
    "webpki::cn::ipv6-uppercase-mismatch": commonName,
    "webpki::cn::not-in-san": commonName,
    "webpki::cn::punycode-not-in-san": commonName,
    "webpki::eku::ee-anyeku": authorities("serverAuth stands beside it"),
    "webpki::eku::ee-without-eku": authorities("private authorities leave it out, RFC 5280 allows"),
    "webpki::forbidden-dsa-leaf": "no TLS 1.3 or forward-secret suite can use the key",
    "webpki::forbidden-rsa-not-divisible-by-8-in-root": anchor("RSA of 2052 bits is strong enough"),
    "webpki::nc::intermediate-permitted-excluded-subtrees-both-empty-sequences":
      authorities("a constraint that constrains nothing"),
    "webpki::san::public-suffix-multi-label-wildcard-san":
      "needs the public suffix list, which the embedded library does not carry",
  ]

  /// Cases that are refused against the expectation, each with its reason.
  static let falseRejects = [
    "cve::cve-2024-0567": "its only anchor is issued by another certificate: no partial chains",
    "pathlen::max-chain-depth-1-self-issued":
      "the service's own maximum counts every certificate, self-issued ones too",
    "rfc5280::validity::notafter-exact":
      "libcrypto holds a certificate for expired in the second that it names as its last",
  ]

  private static let commonName = "a Common Name is never read as a host: pins see it as it is"

  private static func authorities(_ why: String) -> String { "a rule for authorities: \(why)" }

  private static func anchor(_ why: String) -> String { "an anchor is trusted as it is: \(why)" }

  @Test("each difference is a listed one, fewer than the baseline's, and no real chain is refused")
  func cases() throws {
    let file = "x509-limbo/limbo.json"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    let rows = try Self.object(file).list("testcases")
    let baseline = try Self.object("x509-limbo/openssl-3.0.19-baseline.json").child("results")
    var (accepts, rejects): (Set<String>, Set<String>) = ([], [])
    var table: [String] = []
    var baselineRight = 0
    for row in rows {
      let failure = try Self.evaluate(row)
      let expectsSuccess = row.string("expected_result") == "SUCCESS"
      let verdict = baseline?.child(row.id)?.object["hardened"] as? [Any]
      let baselineAccepts = verdict?.first as? Bool
      if baselineAccepts == expectsSuccess { baselineRight += 1 }
      if expectsSuccess == (failure == nil), expectsSuccess == baselineAccepts { continue }
      if failure == nil, !expectsSuccess { accepts.insert(row.id) }
      if failure != nil, expectsSuccess { rejects.insert(row.id) }
      let why = Self.falseAccepts[row.id] ?? Self.falseRejects[row.id] ?? "right"
      let baselineText = baselineAccepts.map { $0 ? "accepts" : "refuses" } ?? "?"
      table.append("\(row.id): \(failure ?? "accepted") | libcrypto \(baselineText) | \(why)")
    }
    let right = rows.count - accepts.count - rejects.count
    print("limbo: \(right) right of \(rows.count), libcrypto's hardened baseline \(baselineRight)")
    print(table.sorted().joined(separator: "\n"))
    Vectors.report(file, ran: rows.count, exceptions: accepts.count + rejects.count)
    #expect(rows.count == 119)
    #expect(accepts == Set(Self.falseAccepts.keys))
    #expect(rejects == Set(Self.falseRejects.keys))
    #expect(right > baselineRight)
    #expect(!rejects.contains { $0.hasPrefix("online::") })
  }

  static func object(_ file: String) throws -> Case {
    let root = try JSONSerialization.jsonObject(with: Data(Vectors.bytes(file)))
    return Case(object: root as? [String: Any] ?? [:])
  }

  private static func evaluate(_ row: Case) throws -> String? {
    do {
      _ = try path(row)
      return nil
    } catch let error as TrustFailure {
      return "\(error.reason.rawValue) (\(error.explanation))"
    } catch let error as any Refusal {
      return error.code
    }
  }

  /// Judges a case as it asks for.
  static func path(_ row: Case) throws -> ValidatedPath {
    let peer = try Certificate.all(
      in: Array((row.string("peer_certificate") ?? "").utf8), atMost: 1)
    let others = try row.strings("untrusted_intermediates").flatMap {
      try Certificate.all(in: Array($0.utf8), atMost: 64)
    }
    let anchors = try row.strings("trusted_certs").flatMap {
      try Certificate.all(in: Array($0.utf8), atMost: 64)
    }
    let lists = try row.strings("crls").flatMap {
      try RevocationList.all(in: Array($0.utf8), atMost: 1)
    }
    var options = TrustEvaluator.Options()
    options.maximumIntermediates = row.integer("max_chain_depth").map(Int.init)
    let evaluator = TrustEvaluator(
      anchors: try TrustAnchors.only(anchors),
      revocation: lists.isEmpty ? .none : .lists(lists, scope: .leaf), options: options)
    var time = Int64(Date().timeIntervalSince1970)
    if let text = row.string("validation_time") {
      // Whole seconds: a fraction lies within the second that it begins with.
      let seconds = text.replacing(#/\.[0-9]+/#, with: "")
      let date = try #require(ISO8601DateFormatter().date(from: seconds))
      time = Int64(date.timeIntervalSince1970)
    }
    let host = row.child("expected_peer_name")?.string("value") ?? ""
    return try evaluator.evaluate(
      PresentedChain(peer + others), host: HostName(host), at: time)
  }
}
