import LoopbackTLS
import PinCrypto
import PinTLS
import PinVerifier
import Testing

@Suite("client identities in an SSL_CTX")
struct ClientIdentityTests {
  @Test("a server that asks is shown the identity", arguments: [TLSVersion.tls12, .tls13])
  func shown(version: TLSVersion) throws {
    let root = try TestCertificate.root("Identity Root")
    let authority = try root.issue(.authority("Clients"))
    let leaf = try authority.issue(.server("me").with { $0.extendedKeyUsage = "clientAuth" })
    let identity = try ClientIdentity(
      key: PrivateKey(reading: SecretBytes(copying: leaf.key.pem.utf8)) { nil },
      certificates: [root, authority, leaf].map { try $0.read }, at: TestTime.now)
    var options = LoopbackServer.Options()
    options.versions = version...version
    // The server knows the root alone, so that the authority has to be sent.
    options.clientAuthority = root
    let server = try LoopbackServer(
      ServerIdentity(root.issue(.server("a.test"))), options)
    let policy = CurrentPolicy(
      try SignedPolicies().policy(hosts: "{\"*\":\(Rule.pins("any", root))}"))
    let hooked = try HookedClient(policy, anchors: [root])
    try installClientIdentity(identity, on: hooked.client.context)
    let seen = try hooked.shakeHands(with: server, .verified("a.test"))
    #expect(seen.judgements == ["accepted"])
    #expect(seen.server.clientCertificate == leaf.der)
    #expect(seen.client.answer == server.options.answer)
  }

  @Test("what libssl does not take is an error")
  func refused() throws {
    let root = try TestCertificate.root("Identity Root")
    let leaf = try root.issue(.server("me").with { $0.key = .rsa(1024) })
    let identity = try ClientIdentity(
      key: PrivateKey(reading: SecretBytes(copying: leaf.key.pem.utf8)) { nil },
      certificates: [leaf.read], at: TestTime.now)
    let client = try TLSClient()
    let error = #expect(throws: PinTLSError.self) {
      try installClientIdentity(identity, on: client.context)
    }
    guard case .openSSL(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.description.contains("ee key too small"))
  }
}
