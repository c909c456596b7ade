import Foundation
import LoopbackTLS
import TestSupport
import Testing

@Suite("evaluate --live")
struct EvaluateLiveTests {
  private let folder: ServerSession
  private let root: TestCertificate
  private let identities: [ServerIdentity]

  init() throws {
    folder = try ServerSession()
    let root = try TestCertificate.root("Live Root X1")
    self.root = root
    identities = try [("E7", TestKey.Kind.p256), ("R12", .rsa(2048))].map { name, key in
      let authority = try root.issue(.authority(name))
      return ServerIdentity(
        try authority.issue(.server("a.test").with { $0.key = key }), above: [authority])
    }
    try folder.write([root], to: "root.pem")
  }

  private func server(_ identities: [ServerIdentity]) throws -> LoopbackServer {
    try LoopbackServer { _ in identities }
  }

  private func command(_ server: LoopbackServer, _ options: String = "") -> String {
    "policyctl evaluate policy.json a.test --live --connect \(server.place) -q --json "
      + "--anchors-only root.pem " + options
  }

  @Test("each certificate has its answer, and the worst decides")
  func worst() throws {
    let server = try server(identities)
    try folder.policy([
      (
        "a.test",
        #"{"chains":[[{"type":"any"},{"type":"prefixWithNumber","value":"E"},{"type":"any"}]]}"#
      )
    ])
    let outcome = try folder.json(command(server))
    #expect(outcome.lines.map { $0.string("key") } == ["EC P-256", "RSA 2048"])
    #expect(outcome.lines.map { $0.string("verdict") } == ["accepted", "rejected"])
    #expect(outcome.status == 1)
    let diagnostics = outcome.lines[1].list("diagnostics")
    #expect(diagnostics.map { $0.string("commonName") } == ["R12"])
    #expect(diagnostics.map { $0.integer("link") } == [1])
  }

  @Test("an answer from a file and from the server are the same but for the key")
  func sameAsFile() throws {
    let server = try server([identities[0]])
    try folder.policy([("a.test", #"{"spki":{"anchor":["\#(try root.pin)"]}}"#)])
    try folder.write([identities[0].leaf] + identities[0].above, to: "chain.pem")
    let live = try folder.session.run(command(server)).outputText
    let file = try folder.session.run(
      "policyctl evaluate policy.json a.test --chain chain.pem -q --json --anchors-only root.pem"
    ).outputText
    #expect(live.replacingOccurrences(of: #","key":"EC P-256""#, with: "") == file)
    #expect(file.contains(#""verdict":"accepted","by":[{"kind":"spki.anchor","index":0}]"#))
  }

  @Test("revocation is looked up where a list is given, in the scope that is asked for")
  func revocation() throws {
    let authority = identities[0].above[0]
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    try folder.write([identities[0].leaf, authority], to: "chain.pem")
    let file = folder.session.folder.appendingPathComponent("crl.der")
    let command =
      "policyctl evaluate policy.json a.test --chain chain.pem -q --json --anchors-only root.pem "
    try Data(authority.revocationList(revoking: [identities[0].leaf])).write(to: file)
    for (options, reason) in [
      ("", nil), ("--crl crl.der", "revoked"), ("--crl crl.der --crl-scope chain", "revoked"),
    ] as [(String, String?)] {
      let outcome = try folder.json(command + options)
      #expect(outcome.lines[0].child("trust")?.string("reason") == reason, "\(options)")
    }
    try Data(authority.revocationList(revoking: [])).write(to: file)
    for (options, reason) in [
      ("--crl crl.der", nil),
      // The root's list of the authority is missing.
      ("--crl crl.der --crl-scope chain", "revocation-unknown"),
    ] as [(String, String?)] {
      let outcome = try folder.json(command + options)
      #expect(outcome.lines[0].child("trust")?.string("reason") == reason, "\(options)")
    }
  }

  @Test("a --connect for a host that is not asked is a slip of the hand")
  func strayTarget() throws {
    let server = try server(identities)
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    for verb in ["evaluate policy.json a.test --live", "check policy.json", "discover a.test"] {
      let outcome = try folder.json(
        "policyctl \(verb) --connect b.test=\(server.place) --json -q --timeout 1s")
      #expect(outcome.status == 2, "\(verb)")
      #expect(outcome.lines.first?.child("error")?.string("code") == "unused-target", "\(verb)")
    }
    #expect(server.connectionCount == 0)
  }

  @Test("what can't be an option's value is said before any server is asked")
  func badValues() throws {
    let server = try server(identities)
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    for options in [
      "--timeout 0s", "--alpn ''", "--alpn h2,,x", "--proxy a.test", "--starttls pop3",
      "--connect a.test=127.0.0.1", "--client-key root.pem", "--passphrase-env X",
    ] {
      let outcome = try folder.session.run(command(server, options))
      #expect(outcome.status == 2, "\(options): \(outcome.outputText)")
    }
    #expect(server.connectionCount == 0)
  }
}
