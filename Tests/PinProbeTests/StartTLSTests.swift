import Foundation
import LoopbackTLS
import PinProbe
import Testing

@Suite("before TLS begins")
struct StartTLSTests {
  private static let smtp = [
    "S:220-mail.test\r\n220 ESMTP\r\n", "C:EHLO localhost",
    "S:250-mail.test\r\n250-PIPELINING\r\n250 starttls\r\n", "C:STARTTLS", "S:220 go ahead\r\n",
  ]
  private static let imap = [
    "S:* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n", "C:a STARTTLS",
    "S:* CAPABILITY IMAP4rev1\r\na OK begin\r\n",
  ]

  private static func server(_ prelude: @escaping @Sendable (Int32) -> Bool) throws
    -> LoopbackServer
  {
    var options = LoopbackServer.Options()
    options.prelude = prelude
    return try LoopbackServer(TestPKI.shared.get().ecdsa, options)
  }

  private static func met(
    _ kind: StartTLS, _ prelude: @escaping @Sendable (Int32) -> Bool
  ) throws -> ProbeFailure? {
    let server = try server(prelude)
    return try failure {
      try ask(server) {
        $0.startTLS = kind
        $0.milliseconds = 5000
      }
    }
  }

  @Test(
    "the server goes over to TLS", arguments: [(StartTLS.smtp, smtp), (.imap, imap)])
  func lines(kind: StartTLS, script: [String]) throws {
    let server = try Self.server { ClearText.play($0, script) }
    #expect(try ask(server) { $0.startTLS = kind }.handshakes.count == 1)
  }

  @Test("postgres answers one byte")
  func postgres() throws {
    let server = try Self.server { socket in
      var request = [UInt8](repeating: 0, count: 8)
      guard recv(socket, &request, 8, Int32(MSG_WAITALL)) == 8,
        request == [0, 0, 0, 8, 4, 210, 22, 47]
      else { return false }
      ClearText.say(socket, "S")
      return true
    }
    #expect(try ask(server) { $0.startTLS = .postgres }.handshakes.count == 1)
  }

  @Test(
    "a server that does not go over to TLS is refused with its reply",
    arguments: [
      (StartTLS.smtp, ["S:554 no\r\n"], "554 no"),
      (
        .smtp, ["S:220 hi\r\n", "C:EHLO localhost", "S:250-x\r\n250 8BITMIME\r\n"],
        "STARTTLS is not among its extensions"
      ),
      // The greeting's own name is no extension.
      (
        .smtp, ["S:220 hi\r\n", "C:EHLO localhost", "S:250 STARTTLS\r\n"],
        "STARTTLS is not among its extensions"
      ),
      (.smtp, Array(smtp.dropLast()) + ["S:454 later\r\n"], "454 later"),
      (.imap, ["S:* BYE\r\n"], "* BYE"), (.imap, ["S:* PREAUTH in\r\n"], "* PREAUTH in"),
      (.imap, ["S:* OK\r\n", "C:a STARTTLS", "S:a BAD what\r\n"], "a BAD what"),
      (.postgres, ["S:N"], "N"), (.postgres, ["S:E"], "E"),
    ] as [(StartTLS, [String], String)])
  func refusal(kind: StartTLS, script: [String], reply: String) throws {
    #expect(
      try Self.met(kind) { ClearText.play($0, script) && false }
        == .startTLSRefused(kind, reply: reply))
  }

  @Test(
    "text after the reply that TLS begins with is refused: it is nobody's",
    arguments: [
      (StartTLS.smtp, smtp.dropLast() + ["S:220 go ahead\r\n250 injected\r\n"]),
      (.imap, imap.dropLast() + ["S:a OK begin\r\n* OK injected\r\n"]),
      (.postgres, ["S:Sinjected"]),
    ] as [(StartTLS, [String])])
  func injection(kind: StartTLS, script: [String]) throws {
    #expect(
      try Self.met(kind) { ClearText.play($0, script) } == .injectedText(.startTLS))
  }

  @Test(
    "replies of another form or without an end are refused",
    arguments: [
      (StartTLS.smtp, ["S:hello\r\n"]), (.smtp, ["S:220-a\r\n221 b\r\n"]),
      (.imap, ["S:220 hi\r\n"]),
      (.smtp, ["S:" + String(repeating: "x", count: 40_000)]),
      (.smtp, ["S:" + String(repeating: "220-x\r\n", count: 8000)]),
      (.imap, ["S:* OK\r\n", "C:a STARTTLS", "S:b OK\r\n"]), (.postgres, ["S:X"]),
    ] as [(StartTLS, [String])])
  func badReply(kind: StartTLS, script: [String]) throws {
    #expect(try Self.met(kind) { ClearText.play($0, script) } == .badReply(.startTLS))
  }

  @Test("a proxy is asked to connect, and TLS goes through it")
  func proxy() throws {
    let server = try Self.server { socket in
      ClearText.play(
        socket,
        [
          "C:CONNECT a.test:443 HTTP/1.1", "C:Host: a.test:443", "C:",
          "S:HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n",
        ])
    }
    var options = TLSProbe.Options()
    options.proxy = try Endpoint(server.place, defaultPort: nil)
    let answer = try TLSProbe(options).ask(Endpoint("a.test", defaultPort: 443))
    #expect(answer.handshakes.count == 1)
  }

  @Test(
    "a proxy that does not connect is told from a server that does not answer",
    arguments: [
      ("HTTP/1.1 403 Forbidden\r\n\r\n", .proxyRefused(reply: "HTTP/1.1 403 Forbidden")),
      ("SSH-2.0-x\r\n", .badReply(.proxy)), ("HTTP/1.1 2x0 OK\r\n\r\n", .badReply(.proxy)),
      ("HTTP/1.1 200 OK\r\n\r\ntext", .injectedText(.proxy)),
      ("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 10_000), .badReply(.proxy)),
    ] as [(String, ProbeFailure)])
  func proxyRefusal(reply: String, reason: ProbeFailure) throws {
    let server = try Self.server { socket in
      _ = ClearText.line(socket)
      ClearText.say(socket, reply)
      while ClearText.line(socket) != nil {}
      return false
    }
    var options = TLSProbe.Options()
    options.proxy = try Endpoint(server.place, defaultPort: nil)
    #expect(throws: reason) { try TLSProbe(options).ask(Endpoint("a.test", defaultPort: 443)) }
  }

  @Test("a proxy that nothing listens at is not the server")
  func deadProxy() throws {
    var options = TLSProbe.Options()
    options.proxy = try Endpoint("127.0.0.1:1", defaultPort: nil)
    let reason = ProbeFailure.refused(address: "127.0.0.1:1")
    let met = try failure { try TLSProbe(options).ask(Endpoint("a.test", defaultPort: 443)) }
    #expect(met == .proxyUnreachable(reason))
    #expect(met?.message == "The proxy is not reached. \(reason.message)")
  }
}
