import COpenSSLTLS
import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinVerifier
import Testing

@Suite("which host a handshake is judged for")
struct HostTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let host: TLSClient.Host
    let outcome: String
    let alert: Int32?

    var testDescription: String { "\(host)" }
  }

  @Test(
    "the host that was set, else the server name, else none",
    arguments: [
      Row(host: .verified("named.test"), outcome: "accepted", alert: nil),
      Row(host: .named("named.test"), outcome: "accepted", alert: nil),
      Row(host: .verified("NAMED.test."), outcome: "accepted", alert: nil),
      Row(host: .address("127.0.0.1"), outcome: "accepted", alert: nil),
      Row(host: .address("0:0:0:0:0:0:0:1"), outcome: "accepted", alert: nil),
      Row(host: .address("127.0.0.2"), outcome: "untrusted hostname 0", alert: 42),
      Row(host: .verified("sub.named.test"), outcome: "untrusted hostname 0", alert: 42),
      // Trusted, and no rule governs it.
      Row(host: .verified("unpinned.test"), outcome: "refused notPinned unpinned", alert: 42),
      Row(host: .verified("named..test"), outcome: "invalid host", alert: 40),
      Row(host: .none, outcome: "no host", alert: 40),
    ])
  func host(row: Row) throws {
    let root = try TestCertificate.root("Host Root")
    let leaf = try root.issue(.server("named.test", "unpinned.test", "127.0.0.1", "::1"))
    let rule = try Rule.pins("any", root)
    let hosts = "{\"named.test\":\(rule),\"127.0.0.1\":\(rule),\"::1\":\(rule)}"
    let policy = CurrentPolicy(try SignedPolicies().policy(hosts: hosts))
    var options = LoopbackServer.Options()
    if row.testDescription.contains("0:1") { options.address = "::1" }
    let server = try LoopbackServer(ServerIdentity(leaf), options)
    let seen = try HookedClient(policy, anchors: [root]).shakeHands(with: server, row.host)
    #expect(seen.judgements == [row.outcome])
    #expect(seen.server.alert == row.alert)
    #expect(seen.server.received.isEmpty == (row.alert != nil))
  }

  @Test("the host that was set counts, not another server name")
  func hostBeatsServerName() throws {
    let root = try TestCertificate.root("Host Root")
    let server = try LoopbackServer(ServerIdentity(try root.issue(.server("a.test"))))
    let policy = CurrentPolicy(
      try SignedPolicies().policy(hosts: "{\"*\":\(Rule.pins("any", root))}"))
    let seen = try HookedClient(policy, anchors: [root])
      .shakeHands(with: server, .named("a.test")) { SSL_set1_host($0, "b.test") }
    #expect(seen.judgements == ["untrusted hostname 0"])
  }
}
