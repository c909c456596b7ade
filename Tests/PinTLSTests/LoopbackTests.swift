import Foundation
import LoopbackTLS
import TestSupport
import Testing

/// The servers and certificates that other tests lean on, seen with OpenSSL alone.
@Suite("loopback servers")
struct LoopbackTests {
  @Test(
    "a server answers, tells what came, and resumes",
    arguments: [(TLSVersion.tls12, "TLSv1.2"), (.tls13, "TLSv1.3")])
  func converses(version: TLSVersion, name: String) throws {
    let root = try TestCertificate.root("Loopback Root")
    let identity = ServerIdentity(try root.issue(.server("a.test")))
    var options = LoopbackServer.Options()
    options.versions = version...version
    let server = try LoopbackServer(identity, options)
    let client = try TLSClient()

    let first = try client.connect(to: server, .named("a.test"))
    #expect(first.isEstablished && !first.isResumed)
    #expect(first.answer == server.options.answer)
    let seen = try server.next()
    #expect(seen.serverName == "a.test" && seen.version == name && !seen.isResumed)
    #expect(seen.received == Array("request\n".utf8) && seen.alert == nil)

    let second = try client.connect(to: server, .named("a.test"), session: first.session)
    #expect(second.isResumed)
    #expect(try server.next().isResumed)
  }

  @Test("openssl verifies what the factory issues")
  func factory() throws {
    let openssl = try #require(ChildProcess.find("openssl"))
    let folder = try TemporaryFolder()
    let root = try TestCertificate.root("Factory Root")
    let authority = try root.issue(.authority("Factory CA").with { $0.key = .rsa(2048) })
    let leaf = try authority.issue(.server("factory.test", "127.0.0.1", "::1"))
    for (name, text) in [
      ("root.pem", try root.pem), ("ca.pem", try authority.pem), ("leaf.pem", try leaf.pem),
    ] {
      try text.write(to: folder.file(name), atomically: true, encoding: .utf8)
    }
    let outcome = try ChildProcess.run(
      openssl,
      [
        "verify", "-x509_strict", "-auth_level", "2", "-purpose", "sslserver", "-verify_hostname",
        "factory.test", "-CAfile", "root.pem", "-untrusted", "ca.pem", "leaf.pem",
      ], in: folder.url)
    #expect(outcome.outputText == "leaf.pem: OK\n", "\(outcome.errorText)")
  }

  @Test("openssl s_server answers on the port that it chose")
  func sServer() throws {
    let openssl = try #require(ChildProcess.find("openssl"))
    let root = try TestCertificate.root("s_server Root")
    let server = try OpenSSLServer(ServerIdentity(try root.issue(.server("a.test"))))
    let outcome = try ChildProcess.run(
      openssl, ["s_client", "-connect", "127.0.0.1:\(server.port)", "-servername", "a.test"])
    #expect(outcome.outputText.contains("subject=CN = a.test"))
  }
}
