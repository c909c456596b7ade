import Foundation
import LoopbackTLS
import TestSupport
import Testing

/// What `check` says to servers with the faults that badssl.com made known, and to pins that fit and
/// don't.
@Suite("check: a table of servers")
struct LoopbackTableTests {
  struct Row {
    let name: String
    let identity: ServerIdentity
    let rule: String
    /// What trust fails for; nil where it holds.
    var trust: String?
    let verdict: String
    let status: Int32
    var denied: [String] = []
    var options = ""
    var backup: Bool?
  }

  private let root: TestCertificate
  private let authority: TestCertificate

  init() throws {
    root = try TestCertificate.root("Table Root X1")
    authority = try root.issue(.authority("E7"))
  }

  private func identity(
    _ name: String, by issuer: TestCertificate? = nil, above: [TestCertificate]? = nil,
    _ change: (inout CertificateShape) -> Void = { _ in }
  ) throws -> ServerIdentity {
    let shape = CertificateShape.server(name).with(change)
    return ServerIdentity(
      try (issuer ?? authority).issue(shape), above: above ?? [issuer ?? authority])
  }

  private func anchored(_ pins: String...) -> String {
    #"{"spki":{"anchor":["# + pins.map { "\"\($0)\"" }.joined(separator: ",") + "]}}"
  }

  private func names(_ root: String, _ authority: String, _ rest: String = "") -> String {
    #"{"chains":[[{"type":"prefixWithNumber","value":"\#(root)"},"#
      + #"{"type":"prefixWithNumber","value":"\#(authority)"},{"type":"any"}]]\#(rest)}"#
  }

  // MARK: Trust

  private func trustRows() throws -> [Row] {
    let rule = anchored(try root.pin, nobodysPin)
    let now = TestTime.now
    let stranger = try TestCertificate.root("Stranger Root X1")
    let revoked = try identity("revoked.test", by: root, above: [])
    try revokedList(revoked)
    let itself = try TestCertificate.selfSigned(.server("selfsigned.test"))
    return [
      Row(
        name: "good.test", identity: try identity("good.test"), rule: rule, verdict: "accepted",
        status: 0),
      Row(
        name: "expired.test",
        identity: try identity("expired.test") { $0.notAfter = now - 3600 }, rule: rule,
        trust: "expired", verdict: "rejected", status: 1),
      Row(
        name: "notyet.test",
        identity: try identity("notyet.test") { $0.notBefore = now + 3600 }, rule: rule,
        trust: "not-yet-valid", verdict: "rejected", status: 1),
      Row(
        name: "wronghost.test", identity: try identity("other.test"), rule: rule,
        trust: "hostname", verdict: "rejected", status: 1),
      Row(
        name: "selfsigned.test", identity: ServerIdentity(itself), rule: rule,
        trust: "self-signed", verdict: "rejected", status: 1),
      Row(
        name: "stranger.test", identity: try identity("stranger.test", by: stranger),
        rule: rule, trust: "untrusted", verdict: "rejected", status: 1),
      Row(
        name: "missing.test", identity: try identity("missing.test", above: []), rule: rule,
        trust: "untrusted", verdict: "rejected", status: 1),
      Row(
        name: "revoked.test", identity: revoked, rule: rule, trust: "revoked",
        verdict: "rejected", status: 1, options: "--crl crl.der"),
      Row(
        name: "sha1.test", identity: try identity("sha1.test") { $0.digest = "SHA1" },
        rule: rule, trust: "weak", verdict: "rejected", status: 1),
      Row(
        name: "rsa1024.test", identity: try identity("rsa1024.test") { $0.key = .rsa(1024) },
        rule: rule, trust: "weak", verdict: "rejected", status: 1),
      // An exempt host is trusted or not like any other.
      Row(
        name: "exempt.test",
        identity: try identity("exempt.test") { $0.notAfter = now - 3600 },
        rule: #"{"mode":"exempt"}"#, trust: "expired", verdict: "rejected", status: 1),
    ]
  }

  private let folder = try? ServerSession()

  private func revokedList(_ identity: ServerIdentity) throws {
    let folder = try #require(folder)
    try Data(root.revocationList(revoking: [identity.leaf]))
      .write(to: folder.session.folder.appendingPathComponent("crl.der"))
  }

  // MARK: Pins

  private func pinRows() throws -> [Row] {
    let ours = try root.pin
    let floating = names("Table Root X", "E")
    let both = names("Table Root X", "E", #","spki":{"anchor":["\#(ours)","\#(nobodysPin)"]}"#)
    let next = try root.issue(.authority("E8"))
    let other = try root.issue(.authority("R12"))
    return [
      Row(
        name: "nocn.test", identity: try identity("nocn.test") { $0.commonNames = [] },
        rule: floating, verdict: "accepted", status: 0),
      Row(
        name: "wrong.test", identity: try identity("wrong.test"), rule: anchored(nobodysPin),
        verdict: "rejected", status: 1),
      Row(
        name: "backup.test", identity: try identity("backup.test"),
        rule: anchored(nobodysPin, ours), verdict: "accepted", status: 0),
      Row(
        name: "rotated.test", identity: try identity("rotated.test", by: next), rule: both,
        verdict: "accepted", status: 0),
      Row(
        name: "moved.test", identity: try identity("moved.test", by: other), rule: both,
        verdict: "rejected", status: 1),
      Row(
        name: "report.test", identity: try identity("report.test"),
        rule: #"{"mode":"report","spki":{"any":["\#(nobodysPin)"]}}"#, verdict: "reported",
        status: 0),
      Row(
        name: "rehearsed.test", identity: try identity("rehearsed.test"),
        rule: #"{"mode":"report","spki":{"any":["\#(nobodysPin)"]}}"#, verdict: "rejected",
        status: 1, options: "--as-if enforce"),
      Row(
        name: "free.test", identity: try identity("free.test"), rule: #"{"mode":"exempt"}"#,
        verdict: "exempt", status: 0),
      Row(
        name: "denied.test", identity: try identity("denied.test"),
        rule: #"{"mode":"exempt"}"#, verdict: "rejected", status: 1, denied: [try authority.pin]),
    ]
  }

  /// Authorities that another one vouches for, and a root that somebody else has made.
  private func crossRows() throws -> [Row] {
    let second = try TestCertificate.root("Table Root X2")
    let cross = try root.crossSigned(by: second)
    let clone = try root.cloned()
    let cloned = try clone.issue(.authority("E7"))
    try #require(folder).write([root, second, clone], to: "root.pem")
    let names = names("Table Root X", "E")
    let both = self.names("Table Root X", "E", #","spki":{"anchor":["\#(try root.pin)"]}"#)
    let twoRoots =
      #"{"chains":[[{"type":"exact","value":"Table Root X2"},{"type":"any"},{"type":"any"},"#
      + #"{"type":"any"}]],"spki":{"anchor":["\#(try second.pin)"]}}"#
    return [
      // The first path ends at the first root; the pins want the other.
      Row(
        name: "cross.test", identity: try identity("cross.test", above: [authority, cross]),
        rule: twoRoots, verdict: "accepted", status: 0, backup: false),
      Row(
        name: "clone-names.test", identity: try identity("clone-names.test", by: cloned),
        rule: names, verdict: "accepted", status: 0),
      Row(
        name: "clone-anchored.test", identity: try identity("clone-anchored.test", by: cloned),
        rule: both, verdict: "rejected", status: 1),
    ]
  }

  @Test("trust, verdict and exit status of each server")
  func table() throws {
    let folder = try #require(folder)
    var rows = try trustRows() + pinRows()
    try folder.write([root], to: "root.pem")
    try judge(rows, in: folder)
    rows = try crossRows()
    try judge(rows, in: folder)
  }

  private func judge(_ rows: [Row], in folder: ServerSession) throws {
    let identities = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.identity) })
    let server = try LoopbackServer { name in identities[name ?? ""].map { [$0] } ?? [] }
    for row in rows {
      try folder.policy([(row.name, row.rule)], denied: row.denied)
      let (status, lines, errors) = try folder.json(
        "policyctl check policy.json --json -q --anchors t=root.pem --connect \(server.place) "
          + row.options)
      let store = lines.first?.list("chains").first?.list("stores").first
      let trust = store?.child("trust")
      let met = (
        trust?.string("reason"), lines.first?.string("verdict"), trust?.bool("valid"), status
      )
      #expect(met.0 == row.trust && met.1 == row.verdict, "\(row.name): \(met) \(errors)")
      #expect(met.2 == (row.trust == nil) && met.3 == row.status, "\(row.name): \(met) \(errors)")
      if let backup = row.backup {
        #expect(lines.first?.bool("backup") == backup, "\(row.name)")
      }
      report(row.name, met.0 ?? "valid", met.1 ?? "none", status)
    }
  }

  @Test("a server that only does TLS 1.1 counts as not reached")
  func oldVersion() throws {
    let folder = try #require(folder)
    var options = LoopbackServer.Options()
    options.versions = .tls11 ... .tls11
    let server = try LoopbackServer(identity("old.test"), options)
    try folder.write([root], to: "root.pem")
    try folder.policy([("old.test", anchored(nobodysPin))])
    let (status, lines, _) = try folder.json(
      "policyctl check policy.json --json -q --anchors t=root.pem --connect \(server.place)")
    #expect(status == 4)
    let error = lines.first?.child("error")
    #expect(error?.string("category") == "network" && error?.string("code") == "tls")
    #expect(error?.child("detail")?.integer("alert") == 70)
    #expect(lines.first?.object["verdict"] is NSNull)
    report("old.test (TLS 1.1)", "alert 70", "none", status)
  }

  private func report(_ server: String, _ trust: String, _ verdict: String, _ status: Int32) {
    let line = "check: \(server) → \(trust) → \(verdict) → exit \(status)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
