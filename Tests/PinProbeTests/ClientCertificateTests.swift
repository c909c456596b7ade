import LoopbackTLS
import PinCrypto
import PinProbe
import Testing

@Suite("client certificates")
struct ClientCertificateTests {
  private static func server(_ version: TLSVersion, asking authority: TestCertificate) throws
    -> LoopbackServer
  {
    var options = LoopbackServer.Options()
    options.versions = version...version
    options.clientAuthority = authority
    return try LoopbackServer(TestPKI.shared.get().ecdsa, options)
  }

  private static func identity(
    _ authority: TestCertificate, _ kind: TestKey.Kind
  ) throws -> ClientIdentity {
    let leaf = try authority.issue(
      .server("client").with { $0.extendedKeyUsage = "clientAuth" }
        .with { $0.key = kind })
    return try ClientIdentity(
      reading: SecretBytes(copying: (leaf.pem + leaf.key.pem).utf8), at: TestTime.now
    ) { nil }
  }

  @Test(
    "a server that asks is shown the certificate, whatever its key",
    arguments: [TLSVersion.tls12, .tls13], [TestKey.Kind.p256, .rsa(2048), .ed25519])
  func shown(version: TLSVersion, kind: TestKey.Kind) throws {
    let authority = try TestCertificate.root("Clients")
    let server = try Self.server(version, asking: authority)
    let identity = try Self.identity(authority, kind)
    let answer = try ask(server) {
      $0.identity = identity
      // One connection, so that it is clear which one the server tells of.
      $0.keyTypes = [.ecdsa]
    }
    #expect(answer.handshakes.map(\.clientCertificateRequested) == [true])
    #expect(answer.handshakes.allSatisfy { $0.refusal == nil })
    #expect(try server.next().clientCertificate == identity.certificates.first?.der)
  }

  @Test("in TLS 1.2 a server that gets none ends the handshake")
  func noneInTLS12() throws {
    let server = try Self.server(.tls12, asking: TestCertificate.root("Clients"))
    guard case .tls(let fault)? = try failure({ try ask(server) }) else {
      Issue.record("no TLS failure")
      return
    }
    #expect(fault.wantsClientCertificate && !fault.hadClientCertificate)
    #expect(fault.alert?.code == 40)
  }

  @Test("in TLS 1.3 the refusal comes after the handshake, and the chain is there")
  func noneInTLS13() throws {
    let server = try Self.server(.tls13, asking: TestCertificate.root("Clients"))
    let answer = try ask(server)
    #expect(answer.handshakes.map(\.refusal?.code) == [116])
    #expect(answer.handshakes.map(\.refusal?.name) == ["certificate_required"])
    #expect(answer.handshakes.map(\.clientCertificateRequested) == [true])
  }

  @Test("a server that hangs up while the certificates are sent is heard out")
  func hungUp() throws {
    // More than libssl takes for a chain, and than a socket holds, so that sending it fails.
    let root = try TestCertificate.root("Clients")
    let ballast = CertificateShape.Extension(
      "1.2.3.4", "DER:04830" + "0ea60" + String(repeating: "00", count: 60_000))
    var above = [root]
    for index in 0..<200 {
      above.append(
        try above[index].issue(.authority("CA \(index)").with { $0.extensions = [ballast] }))
    }
    let leaf = try above[200].issue(.server("client").with { $0.extendedKeyUsage = "clientAuth" })
    let identity = try ClientIdentity(
      key: PrivateKey(reading: SecretBytes(copying: leaf.key.pem.utf8)) { nil },
      certificates: [leaf].map { try Certificate(der: $0.der) }
        + above.reversed().map { try Certificate(der: $0.der) },
      at: TestTime.now)
    let server = try Self.server(.tls12, asking: root)
    guard case .tls(let fault)? = try failure({ try ask(server) { $0.identity = identity } }) else {
      Issue.record("no TLS failure")
      return
    }
    #expect(fault.alert?.code == 47)
  }

  @Test("a certificate of another authority is refused", arguments: [TLSVersion.tls12, .tls13])
  func wrongAuthority(version: TLSVersion) throws {
    let server = try Self.server(version, asking: TestCertificate.root("Clients"))
    let identity = try Self.identity(TestCertificate.root("Others"), .p256)
    do {
      let answer = try ask(server) { $0.identity = identity }
      #expect(version == .tls13)
      #expect(answer.handshakes.map(\.refusal?.code) == [48])
    } catch ProbeFailure.tls(let fault) {
      #expect(version == .tls12)
      #expect(fault.wantsClientCertificate && fault.hadClientCertificate)
      #expect(fault.alert?.code == 48)
    }
  }
}
