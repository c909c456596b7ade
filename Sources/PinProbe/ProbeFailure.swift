public import PinCrypto
public import PinPolicy

/// What a probe was doing.
public enum ProbeStep: String, Sendable {
  case resolution, connection, proxy
  case startTLS = "starttls"
  case handshake
}

/// Why a server's certificates could not be fetched.
public enum ProbeFailure: Refusal, Equatable {
  case notResolved(name: String, reason: String)
  /// The step took longer than the whole probe may; the address is that of whom it waited for, which
  /// is nobody's while a name is looked up.
  case timedOut(ProbeStep, address: String? = nil)
  case refused(address: String)
  case unreachable(address: String, errno: Int32)
  /// The other side ended the connection; nil when it did so in order.
  case disconnected(ProbeStep, errno: Int32?)
  /// There is no connection to the proxy, for this reason.
  indirect case proxyUnreachable(ProbeFailure)
  /// The proxy answered the CONNECT with something else than 2xx.
  case proxyRefused(reply: String)
  /// The server does not do STARTTLS, or not now.
  case startTLSRefused(StartTLS, reply: String)
  /// A reply of a length or form that the protocol does not have.
  case badReply(ProbeStep)
  /// Bytes in clear text after the reply that TLS begins with: somebody put them there, to be taken
  /// for the server's once TLS has begun (CVE-2011-0411, CVE-2021-23222).
  case injectedText(ProbeStep)
  /// TLS itself failed.
  case tls(TLSFault)
  case libraryMissing(reason: String)
  /// libssl or libcrypto does not do what it was asked for on this side.
  case library(OpenSSLError)
  /// The process can't open another socket or thread.
  case resources(errno: Int32)
  case cancelled

  /// How a handshake failed.
  public struct TLSFault: Error, Equatable, Sendable {
    /// What the server answered; nil when it is this side that gave up.
    public let alert: TLSAlert?
    /// What libssl says.
    public let reason: OpenSSLError
    /// Whether the server had asked for a client certificate before.
    public let wantsClientCertificate: Bool
    public let hadClientCertificate: Bool
  }

  public var category: FailureCategory {
    switch self {
    case .libraryMissing, .library, .resources: .internal
    default: .network
    }
  }

  public var code: String {
    switch self {
    case .notResolved: "not-resolved"
    case .timedOut: "timeout"
    case .refused: "connection-refused"
    case .unreachable: "unreachable"
    case .disconnected: "disconnected"
    case .proxyUnreachable: "proxy-unreachable"
    case .proxyRefused: "proxy-refused"
    case .startTLSRefused: "starttls-refused"
    case .badReply: "bad-reply"
    case .injectedText: "injected-text"
    case .tls: "tls"
    case .libraryMissing: "libssl-missing"
    case .library: "libssl"
    case .resources: "resources"
    case .cancelled: "cancelled"
    }
  }
}
