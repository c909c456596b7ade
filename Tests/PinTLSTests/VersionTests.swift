import COpenSSLTLS
import Foundation
import LoopbackTLS
import PinTLS
import PinVerifier
import Testing

@Suite("versions of TLS")
struct VersionTests {
  private static func policy(_ root: TestCertificate) throws -> CurrentPolicy {
    CurrentPolicy(try SignedPolicies().policy(hosts: "{\"*\":\(Rule.pins("any", root))}"))
  }

  private static func oldServer(_ root: TestCertificate) throws -> LoopbackServer {
    var options = LoopbackServer.Options()
    options.versions = .tls11 ... .tls11
    return try LoopbackServer(ServerIdentity(root.issue(.server("old.test"))), options)
  }

  private static func allowOld(_ tls: OpaquePointer) {
    SSL_set_security_level(tls, 0)
    SSL_set_cipher_list(tls, "DEFAULT:@SECLEVEL=0")
    SSL_ctrl(tls, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
  }

  @Test("a connection that was told to take TLS 1.1 is refused")
  func lowered() throws {
    let root = try TestCertificate.root("Version Root")
    let hooked = try HookedClient(try Self.policy(root), anchors: [root])
    let server = try Self.oldServer(root)
    let seen = try hooked.shakeHands(
      with: server, .verified("old.test"), prepare: Self.allowOld)
    #expect(seen.judgements == ["old version TLSv1.1"])
    #expect(seen.server.alert == 40 && seen.server.received.isEmpty)
    let untold = try hooked.shakeHands(with: server, .verified("old.test"))
    #expect(untold.judgements.isEmpty && !untold.client.isEstablished)
  }

  @Test("a context that has nothing newer than TLS 1.1 connects to nobody")
  func old() throws {
    let root = try TestCertificate.root("Version Root")
    let server = try Self.oldServer(root)
    let bounded = try HookedClient(
      try Self.policy(root), anchors: [root],
      prepare: { SSL_CTX_ctrl($0.context, SSL_CTRL_SET_MAX_PROTO_VERSION, 0x0302, nil) })
    let unoffered = try bounded.client.connect(to: server, .verified("old.test"))
    #expect(unoffered.faults == ["no protocols available"])
    // Deprecated, and still there: what old applications call.
    typealias Method = @convention(c) () -> OpaquePointer?
    let symbol = try #require(dlsym(nil, "TLSv1_1_client_method"))
    let method = unsafeBitCast(symbol, to: Method.self)
    let single = try HookedClient(
      try Self.policy(root), anchors: [root], client: TLSClient(method()))
    let seen = try single.shakeHands(
      with: Self.oldServer(root), .verified("old.test"), prepare: Self.allowOld)
    #expect(seen.judgements == ["old version TLSv1.1"])
    #expect(seen.server.alert == 40 && seen.server.received.isEmpty)
  }
}
