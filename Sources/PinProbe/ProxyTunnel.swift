/// A tunnel through an HTTP proxy (RFC 9110 §9.3.6).
enum ProxyTunnel {
  /// Asks the proxy at the other end of a socket for a connection.
  static func open(to endpoint: Endpoint, over socket: Socket) throws(ProbeFailure) {
    var exchange = TextExchange(socket, .proxy)
    try exchange.send("CONNECT \(endpoint) HTTP/1.1\r\nHost: \(endpoint)\r\n\r\n")
    let status = try exchange.line()
    let parts = status.split(separator: " ", maxSplits: 2)
    // RFC 9110 §15: a status code is three digits.
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3,
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .badReply(.proxy) }
    guard parts[1].hasPrefix("2") else { throw .proxyRefused(reply: status) }
    // The rest of the header says nothing that matters here.
    while try !exchange.line().isEmpty {}
    // A TLS server does not speak first.
    try exchange.finish()
  }
}
