internal import Glibc
internal import PinCrypto
internal import PinPolicy
public import StrictJSON

extension ProbeFailure {
  public var message: String {
    switch self {
    case .notResolved(let name, let reason):
      "The name \(PrintableText.quoted(name)) has no address (\(reason)): check it, or say where "
        + "to connect."
    case .timedOut(let step, let address):
      "No answer\(address.map { " from " + $0 } ?? "") in time while \(step.activity): check the "
        + "address and what filters it, or wait longer."
    case .refused(let address):
      "\(address) refuses connections: nothing listens there."
    case .unreachable(let address, let errno):
      "\(address) cannot be reached (\(Self.text(errno)))."
    case .disconnected(let step, let errno):
      "The connection ended while \(step.activity)"
        + (errno.map { " (\(Self.text($0)))" } ?? "")
        + (step == .handshake ? ": is there a TLS server at this port?" : ".")
    case .proxyUnreachable(let reason): "The proxy is not reached. \(reason.message)"
    case .proxyRefused(let reply):
      "The proxy does not connect: \(PrintableText.quoted(reply))."
    case .startTLSRefused(let kind, let reply):
      "The server does not begin TLS in \(kind.rawValue): \(PrintableText.quoted(reply))."
    case .badReply(let step):
      "The reply while \(step.activity) is not one of the protocol: check the port and what is "
        + "spoken there."
    case .injectedText:
      "Clear text follows the reply after which TLS begins: somebody between here and the server "
        + "may have put it there."
    case .tls(let fault): fault.message
    case .libraryMissing(let reason):
      "libssl cannot be loaded: install libssl3 (\(reason))."
    case .library(let reason): "libssl does not do what it was asked for (\(reason))."
    case .resources(let errno):
      "The system gives no more sockets or threads (\(Self.text(errno))): ask fewer servers at once."
    case .cancelled: "Stopped before the server had answered."
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .notResolved(let name, let reason):
      [JSONMember("name", .string(name)), JSONMember("reason", .string(reason))]
    case .timedOut(let step, let address):
      [
        JSONMember("step", .string(step.rawValue)),
        JSONMember("address", address.map(JSONValue.string) ?? .null),
      ]
    case .proxyUnreachable(let reason): [JSONMember("reason", .string(reason.code))] + reason.detail
    case .badReply(let step), .injectedText(let step):
      [JSONMember("step", .string(step.rawValue))]
    case .refused(let address): [JSONMember("address", .string(address))]
    case .unreachable(let address, let errno):
      [JSONMember("address", .string(address)), JSONMember("reason", .string(Self.text(errno)))]
    case .disconnected(let step, let errno):
      [
        JSONMember("step", .string(step.rawValue)),
        JSONMember("reason", errno.map { .string(Self.text($0)) } ?? .null),
      ]
    case .proxyRefused(let reply), .startTLSRefused(_, let reply):
      [JSONMember("reply", .string(reply))]
    case .tls(let fault):
      [
        JSONMember("alert", fault.alert.map { .integer(Int64($0.code)) } ?? .null),
        JSONMember("alertName", fault.alert.map { .string($0.name) } ?? .null),
        JSONMember("reason", .string(fault.reason.description)),
        JSONMember("clientCertificateRequested", .bool(fault.wantsClientCertificate)),
      ]
    case .libraryMissing(let reason): [JSONMember("reason", .string(reason))]
    case .library(let reason): [JSONMember("reason", .string(reason.description))]
    case .resources(let errno): [JSONMember("reason", .string(Self.text(errno)))]
    case .cancelled: []
    }
  }

  private static func text(_ errno: Int32) -> String {
    unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
  }
}

extension ProbeStep {
  fileprivate var activity: String {
    switch self {
    case .resolution: "looking the name up"
    case .connection: "connecting"
    case .proxy: "asking the proxy"
    case .startTLS: "asking for TLS"
    case .handshake: "shaking hands"
    }
  }
}

extension ProbeFailure.TLSFault {
  fileprivate var message: String {
    guard let alert else {
      return "What the server sent is no acceptable TLS handshake (OpenSSL: \(reason))."
    }
    let said = "The server ended the handshake with the alert \(alert.code), \(alert.name)"
    if wantsClientCertificate {
      return hadClientCertificate
        ? said + ": it does not take the client certificate."
        : said + ": it asked for a client certificate, and was given none."
    }
    switch Int(alert.code) {
    case 40, 71:  // handshake_failure, insufficient_security
      return said + ": perhaps it has no suite with forward secrecy, which is asked for here."
    case 70: return said + ": it does not do TLS 1.2 or later."
    case 112: return said + ": it does not know this name."
    case 120: return said + ": it speaks none of the protocols that ALPN offered."
    default: return said + "."
    }
  }
}
