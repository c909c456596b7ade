import COpenSSLTLS
import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinTLS
import PinVerifier
import Testing

@Suite("handshakes and the policy in force")
struct PolicyStateTests {
  private let root: TestCertificate
  private let server: LoopbackServer
  private let accepting: VerifiedPolicy

  init() throws {
    root = try TestCertificate.root("State Root")
    server = try LoopbackServer(ServerIdentity(try root.issue(.server("a.test"))))
    accepting = try SignedPolicies().policy(hosts: "{\"a.test\":\(Rule.pins("any", root))}")
  }

  @Test("without a policy nothing is accepted")
  func noPolicy() throws {
    let hooked = try HookedClient(CurrentPolicy(), anchors: [root], onUnpinned: .allow)
    let seen = try hooked.shakeHands(with: server, .verified("a.test"))
    #expect(seen.judgements == ["no policy"])
    #expect(seen.server.alert == 40 && seen.server.received.isEmpty)
  }

  @Test(
    "a policy judges from iat until the second before exp",
    arguments: [
      (-3601, "not in force not-yet-valid"), (-3600, "accepted"), (3599, "accepted"),
      (3600, "not in force expired"),
    ])
  func window(offset: Int64, outcome: String) throws {
    let hooked = try HookedClient(
      CurrentPolicy(accepting), anchors: [root], onUnpinned: .allow,
      clock: { TestTime.now + offset })
    let seen = try hooked.shakeHands(with: server, .verified("a.test"))
    #expect(seen.judgements == [outcome])
    #expect(seen.server.alert == (outcome == "accepted" ? nil : 40))
    #expect(seen.server.received.isEmpty == (outcome != "accepted"))
  }

  @Test("SSL_VERIFY_NONE on a connection does not switch the judgement off")
  func verifyNone() throws {
    let other = try TestCertificate.root("Another Root")
    let hooked = try HookedClient(CurrentPolicy(accepting), anchors: [other])
    let seen = try hooked.shakeHands(with: server, .verified("a.test")) {
      SSL_set_verify($0, SSL_VERIFY_NONE, nil)
    }
    #expect(seen.judgements == ["untrusted untrusted 0"])
    #expect(seen.server.alert == 48 && seen.server.received.isEmpty)
  }

  @Test("anonymous cipher suites, which show no certificate, stop the handshake")
  func anonymous() throws {
    var options = LoopbackServer.Options()
    options.versions = .tls12 ... .tls12
    options.cipherSuites = "aNULL:@SECLEVEL=0"
    let anonymous = try LoopbackServer(
      ServerIdentity(try root.issue(.server("a.test"))), options)
    func offer(_ tls: OpaquePointer) { SSL_set_cipher_list(tls, "ALL:aNULL:@SECLEVEL=0") }
    // Without the hook they would do.
    let plain = try TLSClient().connect(to: anonymous, .verified("a.test"), prepare: offer)
    #expect(plain.isEstablished)
    _ = try anonymous.next()
    let hooked = try HookedClient(CurrentPolicy(accepting), anchors: [root])
    let offered = try hooked.shakeHands(with: anonymous, .verified("a.test"), prepare: offer)
    #expect(!offered.client.isEstablished && offered.server.received.isEmpty)
    #expect(offered.judgements == [])
    // Listed, and kept back by the security level: nothing to stop.
    let kept = try hooked.shakeHands(with: server, .verified("a.test")) {
      SSL_set_cipher_list($0, "ALL:aNULL:@SECLEVEL=2")
    }
    #expect(kept.judgements == ["accepted"])
  }

  @Test("what comes before and after is the application's: a queue that is empty stays empty")
  func errorQueue() throws {
    let hooked = try HookedClient(CurrentPolicy(accepting), anchors: [root])
    let good = try hooked.shakeHands(with: server, .verified("a.test"))
    #expect(good.client.faults == [])
    #expect(good.client.verifyResult == Int(X509_V_OK))
    let bad = try hooked.shakeHands(with: server, .verified("b.test"))
    #expect(bad.client.faults == ["certificate verify failed"])
    #expect(bad.client.verifyResult == Int(X509_V_ERR_HOSTNAME_MISMATCH))
  }

  @Test("it is installed once, and goes with the SSL_CTX")
  func ownership() throws {
    final class Source: PolicySnapshotSource {
      let current: CurrentPolicy
      init(_ policy: VerifiedPolicy) { current = CurrentPolicy(policy) }
      func snapshot(at time: Int64) -> PolicySnapshot { current.snapshot(at: time) }
    }
    weak var left: Source?
    do {
      let source = Source(accepting)
      left = source
      let hooked = try HookedClient(source, anchors: [root])
      #expect(throws: PinTLSError.alreadyInstalled) {
        try installPinVerification(
          on: hooked.client.context, policy: source,
          trust: TrustEvaluator(anchors: TrustAnchors.only([root.read])), onUnpinned: .reject)
      }
      #expect(
        try hooked.shakeHands(with: server, .verified("a.test")).judgements == ["accepted"])
      #expect(left != nil)
    }
    #expect(left == nil)
  }
}
