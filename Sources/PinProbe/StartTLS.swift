/// A protocol that begins in clear text and goes over to TLS.
public enum StartTLS: String, Sendable, CaseIterable {
  /// RFC 3207.
  case smtp
  /// RFC 9051 §6.2.1.
  case imap
  /// The SSLRequest of PostgreSQL's frontend protocol.
  case postgres

  public var defaultPort: UInt16 {
    switch self {
    case .smtp: 25
    case .imap: 143
    case .postgres: 5432
    }
  }

  /// Brings the server to where TLS begins.
  func negotiate(over socket: Socket) throws(ProbeFailure) {
    var exchange = TextExchange(socket, .startTLS)
    switch self {
    case .smtp: try smtp(&exchange)
    case .imap: try imap(&exchange)
    case .postgres: try postgres(&exchange)
    }
    try exchange.finish()
  }

  private func smtp(_ exchange: inout TextExchange) throws(ProbeFailure) {
    let greeting = try smtpReply(&exchange)
    guard greeting.code == "220" else { throw refused(greeting.text) }
    try exchange.send("EHLO localhost\r\n")
    let welcome = try smtpReply(&exchange)
    guard welcome.code == "250" else { throw refused(welcome.text) }
    guard welcome.lines.dropFirst().contains(where: { $0.uppercased() == "STARTTLS" }) else {
      throw refused("STARTTLS is not among its extensions")
    }
    try exchange.send("STARTTLS\r\n")
    let reply = try smtpReply(&exchange)
    guard reply.code == "220" else { throw refused(reply.text) }
  }

  private struct SMTPReply {
    var code: String
    var lines: [String]
    var text: String { code + " " + (lines.last ?? "") }
  }

  /// RFC 5321 §4.2.1: `250-…` until `250 …`.
  private func smtpReply(_ exchange: inout TextExchange) throws(ProbeFailure) -> SMTPReply {
    var reply: SMTPReply?
    while true {
      let line = try exchange.line()
      let code = String(line.prefix(3))
      guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        reply == nil || reply?.code == code
      else { throw .badReply(.startTLS) }
      let rest = line.dropFirst(3)
      reply = SMTPReply(code: code, lines: (reply?.lines ?? []) + [String(rest.dropFirst())])
      switch rest.first {
      case "-": continue
      case " ", nil: if let reply { return reply }
      default: throw .badReply(.startTLS)
      }
    }
  }

  private func imap(_ exchange: inout TextExchange) throws(ProbeFailure) {
    let greeting = try exchange.line()
    // `* PREAUTH` is a session that TLS can no longer protect.
    guard greeting.uppercased().hasPrefix("* OK") else {
      guard greeting.hasPrefix("* ") else { throw .badReply(.startTLS) }
      throw refused(greeting)
    }
    try exchange.send("a STARTTLS\r\n")
    while true {
      let line = try exchange.line()
      if line.hasPrefix("* ") { continue }
      guard line.hasPrefix("a ") else { throw .badReply(.startTLS) }
      guard line.uppercased().hasPrefix("A OK") else { throw refused(line) }
      return
    }
  }

  private func postgres(_ exchange: inout TextExchange) throws(ProbeFailure) {
    // A length of 8 and the code 1234 5679.
    try exchange.send([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
    switch try exchange.byte() {
    case UInt8(ascii: "S"): return
    case UInt8(ascii: "N"): throw refused("N")
    case UInt8(ascii: "E"): throw refused("E")
    default: throw .badReply(.startTLS)
    }
  }

  private func refused(_ reply: String) -> ProbeFailure { .startTLSRefused(self, reply: reply) }
}
