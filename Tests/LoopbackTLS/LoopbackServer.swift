import COpenSSLTLS
import Foundation

/// What a server shows: its own certificate, with its key, and what it sends above it.
public struct ServerIdentity: Sendable {
  public var leaf: TestCertificate
  public var above: [TestCertificate]

  public init(_ leaf: TestCertificate, above: [TestCertificate] = []) {
    self.leaf = leaf
    self.above = above
  }
}

public enum TLSVersion: Int32, Comparable, Sendable {
  case tls11 = 0x0302
  case tls12 = 0x0303
  case tls13 = 0x0304

  public static func < (one: TLSVersion, other: TLSVersion) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// A TLS server on loopback, in this process, on a port that the system chose. It stops with its
/// owner.
///
/// It proves what a client did: each ``Connection`` says which alert came, whether a session was
/// resumed, and every byte of the application that arrived.
public final class LoopbackServer: Sendable {
  public struct Options: Sendable {
    /// `127.0.0.1` or `::1`.
    public var address = "127.0.0.1"
    public var versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    /// Whether sessions can be resumed, by tickets and, in TLS 1.2, by identifiers.
    public var resumesSessions = true
    /// What is chosen from what a client offers, the most wanted first.
    public var applicationProtocols: [String] = []
    /// Cipher suites of TLS 1.2 and below, in OpenSSL's words.
    public var cipherSuites = "DEFAULT:@SECLEVEL=0"
    /// Asks clients for a certificate that this authority issued.
    public var clientAuthority: TestCertificate?
    /// In TLS 1.2, shakes hands again on the first bytes that arrive, before it answers.
    public var renegotiates = false
    /// What is sent for the first bytes of the application that arrive.
    public var answer: [UInt8] = Array("answer\n".utf8)
    /// Runs on the connected socket before TLS begins; false closes it. For STARTTLS and silence.
    public var prelude: (@Sendable (Int32) -> Bool)?

    public init() {}
  }

  /// How a connection went, from its beginning to its end.
  public struct Connection: Sendable {
    public internal(set) var serverName: String?
    /// Whether the handshake came to its end.
    public internal(set) var isEstablished = false
    public internal(set) var isResumed = false
    /// `TLSv1.2`, ….
    public internal(set) var version = ""
    public internal(set) var applicationProtocol: String?
    /// The alert that the client sent (RFC 8446 §6.2), but for close_notify.
    public internal(set) var alert: Int32?
    /// The application's bytes.
    public internal(set) var received: [UInt8] = []
    /// The client's own certificate, in DER.
    public internal(set) var clientCertificate: [UInt8]?
    public internal(set) var handshakes = 0
  }

  public struct TimedOut: Error {}

  public let port: UInt16
  public let options: Options
  private let listener: LoopbackListener

  /// - Parameter identities: what to show for a server name, one of each key type at most; nil is a
  ///   client that sent none. An empty list refuses the handshake.
  public init(
    _ options: Options = Options(),
    identities: @escaping @Sendable (String?) -> [ServerIdentity]
  ) throws {
    self.options = options
    listener = try LoopbackListener(options, identities: identities)
    port = listener.port
    listener.start()
  }

  public convenience init(_ identity: ServerIdentity, _ options: Options = Options()) throws {
    try self.init(options) { _ in [identity] }
  }

  deinit { listener.stop() }

  /// `127.0.0.1:PORT` or `[::1]:PORT`.
  public var place: String {
    options.address.contains(":") ? "[\(options.address)]:\(port)" : "\(options.address):\(port)"
  }

  /// The connection that ended next and was not asked for before.
  public func next(seconds: Double = 20) throws -> Connection {
    try listener.next(seconds: seconds)
  }

  /// How many connections were taken so far.
  public var connectionCount: Int { listener.connectionCount }
}

/// What the server's threads share; its owner can go while they end.
// @unchecked: libssl locks the SSL_CTX, and `condition` what changes here.
final class LoopbackListener: @unchecked Sendable {
  let options: LoopbackServer.Options
  let identities: @Sendable (String?) -> [ServerIdentity]
  let port: UInt16
  private let socket: Int32
  private let context: OpaquePointer
  private let condition = NSCondition()
  private var finished: [LoopbackServer.Connection] = []
  private var open: Set<Int32> = []
  private var count = 0
  private var isStopped = false

  init(
    _ options: LoopbackServer.Options, identities: @escaping @Sendable (String?) -> [ServerIdentity]
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    self.options = options
    self.identities = identities
    context = try require(SSL_CTX_new(TLS_server_method()), "SSL_CTX")
    do {
      (socket, port) = try Self.listen(on: options.address)
    } catch {
      SSL_CTX_free(context)
      throw error
    }
    try configure()
  }

  deinit {
    SSL_CTX_free(context)
    close(socket)
  }

  private func configure() throws {
    SSL_CTX_set_security_level(context, 0)
    SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(options.versions.lowerBound.rawValue), nil)
    SSL_CTX_ctrl(
      context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.versions.upperBound.rawValue), nil)
    try require(SSL_CTX_set_cipher_list(context, options.cipherSuites), "cipher suites")
    try require(SSL_CTX_set_session_id_context(context, [1], 1), "session context")
    if !options.resumesSessions {
      SSL_CTX_set_options(context, 1 << 14)  // SSL_OP_NO_TICKET, a macro of macros
      SSL_CTX_set_num_tickets(context, 0)
      SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    }
    let this = Unmanaged.passUnretained(self).toOpaque()
    SSL_CTX_set_cert_cb(context, chooseCertificate, this)
    SSL_CTX_set_alpn_select_cb(context, chooseProtocol, this)
    if let authority = options.clientAuthority {
      try require(
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.pointer), "authority")
      SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    }
  }

  func start() {
    Thread.detachNewThread { self.acceptAll() }
  }

  func stop() {
    condition.withLock {
      isStopped = true
      shutdown(socket, Int32(SHUT_RDWR))
      for connection in open { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  var connectionCount: Int { condition.withLock { count } }

  func next(seconds: Double) throws -> LoopbackServer.Connection {
    let deadline = Date(timeIntervalSinceNow: seconds)
    return try condition.withLock {
      while finished.isEmpty {
        guard condition.wait(until: deadline) else { throw LoopbackServer.TimedOut() }
      }
      return finished.removeFirst()
    }
  }

  private func acceptAll() {
    while true {
      let connection = accept(socket, nil, nil)
      let isTaken = condition.withLock {
        guard !isStopped, connection >= 0 else { return false }
        open.insert(connection)
        count += 1
        return true
      }
      guard isTaken else {
        if connection >= 0 { close(connection) }
        if connection < 0, errno == ECONNABORTED || errno == EINTR { continue }
        return
      }
      Thread.detachNewThread { self.serve(connection) }
    }
  }

  private func serve(_ connection: Int32) {
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var record = LoopbackServer.Connection()
    if options.prelude?(connection) ?? true, let tls = SSL_new(context) {
      SSL_set_fd(tls, connection)
      converse(tls, &record)
      SSL_free(tls)
    }
    condition.withLock {
      open.remove(connection)
      close(connection)
      finished.append(record)
      condition.broadcast()
    }
  }

  private static func listen(on address: String) throws -> (socket: Int32, port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "0", &hints, &found) == 0, let place = found?.pointee else {
      throw LibcryptoFault("no address: \(address)")
    }
    defer { freeaddrinfo(found) }
    let socket = Foundation.socket(place.ai_family, place.ai_socktype, 0)
    var bound = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isBound = withUnsafeMutablePointer(to: &bound) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, place.ai_addr, place.ai_addrlen) == 0
          && Foundation.listen(socket, 1024) == 0 && getsockname(socket, pointer, &length) == 0
      }
    }
    guard isBound else {
      close(socket)
      throw LibcryptoFault("cannot listen on \(address)")
    }
    // The port stands at the same place in sockaddr_in and sockaddr_in6.
    let port = withUnsafeBytes(of: &bound) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return (socket, UInt16(bigEndian: port))
  }
}
