import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinProbe
import Synchronization
import TestSupport
import Testing

@Suite("probing servers")
struct ProbeTests {
  private let pki: TestPKI

  init() throws { pki = try TestPKI.shared.get() }

  // MARK: Key types

  @Test(
    "each key type that a server has is shown once",
    arguments: [TLSVersion.tls12, .tls13], [[true, true], [true, false], [false, true]])
  func keyTypes(version: TLSVersion, has: [Bool]) throws {
    var options = LoopbackServer.Options()
    options.versions = version...version
    let identities = zip([pki.ecdsa, pki.rsa], has).filter(\.1).map(\.0)
    let server = try LoopbackServer(options) { _ in identities }
    let answer = try ask(server)
    #expect(answer.handshakes.map(\.leaf?.der) == identities.map { $0.leaf.der })
    #expect(answer.unknown.isEmpty)
    let name = version == .tls12 ? "TLSv1.2" : "TLSv1.3"
    #expect(answer.handshakes.allSatisfy { $0.protocolVersion == name })
    #expect(
      answer.handshakes.allSatisfy { $0.cipherSuite.hasPrefix("ECDHE-") == (version == .tls12) })
  }

  @Test(
    "other kinds of keys belong to one of the two",
    arguments: [
      (TestKey.Kind.p384, KeyType.ecdsa), (.p521, .ecdsa), (.ed25519, .ecdsa), (.ed448, .ecdsa),
      (.rsa(1024), .rsa), (.rsaPSS(2048), .rsa),
    ])
  func otherKeys(kind: TestKey.Kind, keyType: KeyType) throws {
    let leaf = try pki.root.issue(.server("a.test").with { $0.key = kind })
    let server = try LoopbackServer(ServerIdentity(leaf))
    #expect(try ask(server).handshakes.map(\.keyType) == [keyType])
  }

  @Test(
    "an ECDSA certificate under an RSA authority is found", arguments: [TLSVersion.tls12, .tls13])
  func mixedChain(version: TLSVersion) throws {
    let authority = try pki.root.issue(.authority("RSA CA").with { $0.key = .rsa(2048) })
    let ecdsa = ServerIdentity(try authority.issue(.server("a.test")), above: [authority])
    var options = LoopbackServer.Options()
    options.versions = version...version
    let rsa = pki.rsa
    let server = try LoopbackServer(options) { _ in [rsa, ecdsa] }
    #expect(
      try ask(server).handshakes.map(\.leaf?.der) == [ecdsa.leaf.der, pki.rsa.leaf.der])
  }

  /// What a server does with a ClientHello: nothing of its own, an alert, or hanging up.
  enum Whim: Equatable {
    case answer
    case alert(UInt8)
    case hangUp
  }

  @Test(
    "a key type is said to be missing only when the server says so",
    arguments: [
      ([.alert(40), .answer], [], ["rsa"], 2), ([.answer, .alert(40)], [], ["ecdsa"], 2),
      ([.answer, .alert(71)], [], ["ecdsa"], 2),
      ([.answer, .alert(80)], ["rsa tls"], ["ecdsa"], 2),
      ([.alert(80), .answer], ["ecdsa tls"], ["rsa"], 2),
      ([.hangUp, .answer, .hangUp], ["ecdsa disconnected"], ["rsa"], 3),
      ([.answer, .hangUp, .hangUp], ["rsa disconnected"], ["ecdsa"], 3),
      ([.answer, .hangUp, .answer], [], ["ecdsa", "rsa"], 3),
      ([.answer, .hangUp, .alert(40)], [], ["ecdsa"], 3),
    ] as [([Whim], [String], [String], Int)])
  func missing(whims: [Whim], unknown: [String], shown: [String], connections: Int) throws {
    let left = Mutex(whims[...])
    var options = LoopbackServer.Options()
    options.prelude = { socket in
      let whim = left.withLock { $0.popFirst() ?? .answer }
      guard whim != .answer else { return true }
      var block = [UInt8](repeating: 0, count: 4096)
      _ = read(socket, &block, block.count)
      if case .alert(let code) = whim { _ = write(socket, [21, 3, 3, 0, 2, 2, code], 7) }
      return false
    }
    let identities = [pki.ecdsa, pki.rsa]
    let server = try LoopbackServer(options) { _ in identities }
    let answer = try ask(server)
    #expect(answer.unknown.map { "\($0.keyType.rawValue) \($0.failure.code)" } == unknown)
    #expect(answer.handshakes.map(\.keyType.rawValue) == shown)
    #expect(server.connectionCount == connections)
  }

  @Test("openssl s_server shows both of its certificates")
  func sServer() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("rsa.pem", try pki.rsa.leaf.pem), ("rsa.key", try pki.rsa.leaf.key.pem)] {
      try text.write(to: folder.file(name), atomically: true, encoding: .utf8)
    }
    let server = try OpenSSLServer(
      pki.ecdsa, ["-dcert", folder.file("rsa.pem").path, "-dkey", folder.file("rsa.key").path])
    let answer = try TLSProbe().ask(
      Endpoint("a.test", defaultPort: 443),
      at: Endpoint("127.0.0.1:\(server.port)", defaultPort: nil))
    #expect(
      answer.handshakes.map(\.leaf?.der) == [pki.ecdsa.leaf.der, pki.rsa.leaf.der])
  }

  @Test("the chain is what was sent, leaf first")
  func chain() throws {
    let authority = try pki.root.issue(.authority("CA"))
    let leaf = try authority.issue(.server("a.test"))
    let server = try LoopbackServer(ServerIdentity(leaf, above: [authority, pki.root]))
    let chain = try #require(try ask(server).handshakes.first).chain.get()
    #expect(chain.certificates.map(\.der) == [leaf.der, authority.der, pki.root.der])
  }

  // MARK: What is offered

  @Test("a name is asked for by name, an address is not")
  func serverName() throws {
    let server = try LoopbackServer(pki.ecdsa)
    _ = try ask(server, as: "a.test") { $0.keyTypes = [.ecdsa] }
    #expect(try server.next().serverName == "a.test")
    _ = try ask(server, as: "127.0.0.1") { $0.keyTypes = [.ecdsa] }
    #expect(try server.next().serverName == nil)
  }

  @Test("ALPN offers what it is told to")
  func alpn() throws {
    var options = LoopbackServer.Options()
    options.applicationProtocols = ["http/1.1", "h2"]
    let server = try LoopbackServer(pki.ecdsa, options)
    #expect(try ask(server).handshakes.map(\.applicationProtocol) == ["http/1.1"])
    #expect(
      try ask(server) { $0.applicationProtocols = ["h2"] }.handshakes.map(\.applicationProtocol)
        == ["h2"])
    #expect(
      try ask(server) { $0.applicationProtocols = [] }.handshakes.map(\.applicationProtocol)
        == [nil])
    #expect(try failure { try ask(server) { $0.applicationProtocols = [""] } }?.code == "libssl")
  }

  @Test("no byte of an application is sent")
  func silence() throws {
    let server = try LoopbackServer(pki.ecdsa)
    _ = try ask(server) { $0.keyTypes = [.ecdsa] }
    let connection = try server.next()
    #expect(connection.isEstablished && connection.received.isEmpty && connection.alert == nil)
  }

  @Test("a server without TLS 1.2 is refused, with its alert")
  func oldVersion() throws {
    var options = LoopbackServer.Options()
    options.versions = .tls11 ... .tls11
    let identities = [pki.ecdsa, pki.rsa]
    let server = try LoopbackServer(options) { _ in identities }
    guard case .tls(let fault)? = try failure({ try ask(server) }) else {
      Issue.record("no TLS failure")
      return
    }
    #expect(fault.alert?.code == 70 && fault.alert?.name == "protocol_version")
    #expect(!fault.wantsClientCertificate)
  }

  @Test("a server without forward secrecy is refused, with its alert")
  func noForwardSecrecy() throws {
    var options = LoopbackServer.Options()
    options.versions = .tls12 ... .tls12
    options.cipherSuites = "AES128-GCM-SHA256:@SECLEVEL=0"
    let server = try LoopbackServer(pki.rsa, options)
    guard case .tls(let fault)? = try failure({ try ask(server) }) else {
      Issue.record("no TLS failure")
      return
    }
    #expect(fault.alert?.code == 40)
  }

  // MARK: Reaching a server

  @Test("IPv6 is spoken too")
  func ipv6() throws {
    var options = LoopbackServer.Options()
    options.address = "::1"
    let server = try LoopbackServer(pki.ecdsa, options)
    #expect(try ask(server).handshakes.map(\.address) == ["[::1]:\(server.port)"])
  }

  @Test("every address of a name is tried")
  func addresses() throws {
    // localhost is ::1 and 127.0.0.1 on most machines, in either order, and one of them on others.
    let known = Host(name: "localhost").addresses.filter { ["127.0.0.1", "::1"].contains($0) }
    #expect(!known.isEmpty)
    for address in known {
      var options = LoopbackServer.Options()
      options.address = address
      let server = try LoopbackServer(pki.ecdsa, options)
      let answer = try TLSProbe().ask(
        Endpoint("a.test", defaultPort: 443),
        at: Endpoint("localhost:\(server.port)", defaultPort: nil))
      #expect(answer.handshakes.map(\.address) == [server.place])
    }
  }

  @Test("a port that nothing listens on refuses")
  func refused() throws {
    let port: UInt16
    do {
      let server = try LoopbackServer(pki.ecdsa)
      port = server.port
    }
    // The listener closes a moment after its owner has gone.
    var met: ProbeFailure?
    for _ in 0..<50 {
      met = try failure {
        try TLSProbe().ask(Endpoint("127.0.0.1:\(port)", defaultPort: nil))
      }
      if met == .refused(address: "127.0.0.1:\(port)") { break }
      usleep(20_000)
    }
    #expect(met == .refused(address: "127.0.0.1:\(port)"))
  }

  @Test("a name without an address is said to have none")
  func unresolved() throws {
    // RFC 6761 §6.4: invalid. never resolves. Without a resolver the look-up may take long.
    var options = TLSProbe.Options()
    options.milliseconds = 5000
    let met = try failure {
      try TLSProbe(options).ask(Endpoint("nosuch.invalid:443", defaultPort: nil))
    }
    switch met {
    case .notResolved(let name, _)?: #expect(name == "nosuch.invalid")
    default: #expect(met == .timedOut(.resolution))
    }
  }

  @Test("a server that says nothing costs one timeout, whatever the number of key types")
  func silentServer() throws {
    var options = LoopbackServer.Options()
    options.prelude = { socket in
      var byte: UInt8 = 0
      while read(socket, &byte, 1) == 1 {}
      return false
    }
    let server = try LoopbackServer(pki.ecdsa, options)
    let start = ContinuousClock.now
    #expect(throws: ProbeFailure.timedOut(.handshake, address: server.place)) {
      try ask(server) { $0.milliseconds = 300 }
    }
    #expect((.milliseconds(300)...(.milliseconds(3000))).contains(ContinuousClock.now - start))
    #expect(server.connectionCount == 1)
  }

  @Test("a probe is stopped at once from another thread")
  func cancelled() throws {
    var options = LoopbackServer.Options()
    options.prelude = { socket in
      var byte: UInt8 = 0
      while read(socket, &byte, 1) == 1 {}
      return false
    }
    let server = try LoopbackServer(pki.ecdsa, options)
    let cancellation = Cancellation()
    Thread.detachNewThread {
      usleep(200_000)
      cancellation.cancel()
    }
    let start = ContinuousClock.now
    #expect(throws: ProbeFailure.cancelled) {
      try ask(server, until: cancellation) { $0.milliseconds = 60_000 }
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(
    "what is no TLS is told from a connection that ends",
    arguments: [("", "disconnected"), ("HTTP/1.1 400 Bad Request\r\n\r\n", "tls")])
  func noTLS(text: String, code: String) throws {
    var options = LoopbackServer.Options()
    options.prelude = { socket in
      var block = [UInt8](repeating: 0, count: 4096)
      _ = read(socket, &block, block.count)
      ClearText.say(socket, text)
      return false
    }
    let server = try LoopbackServer(pki.ecdsa, options)
    #expect(try failure { try ask(server) }?.code == code)
  }
}
