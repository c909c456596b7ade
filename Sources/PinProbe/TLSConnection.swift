internal import CLibSSL
internal import PinCrypto
internal import PinPolicy

/// One handshake over a socket.
///
/// libssl reads from memory and writes to memory; the bytes are carried by the socket, so that each
/// wait is bounded and no signal is raised.
@safe
struct TLSConnection: ~Copyable {
  private let library: LibSSL
  private let connection: OpaquePointer
  private let received: OpaquePointer
  private let toSend: OpaquePointer
  private let socket: Socket
  private let log: HandshakeLog
  private let hasIdentity: Bool

  /// More bytes than these are no handshake.
  private static let most = 1 << 20
  private var budget = Self.most

  init(_ context: TLSContext, over socket: Socket) throws(ProbeFailure) {
    OpenSSLError.clear()
    library = context.library
    hasIdentity = context.hasIdentity
    guard let connection = unsafe library.new(context.pointer) else {
      throw .library(.drained())
    }
    guard let received = unsafe BIO_new(BIO_s_mem()), let toSend = unsafe BIO_new(BIO_s_mem())
    else {
      unsafe library.free(connection)
      throw .library(.drained())
    }
    // The connection owns both from here on.
    unsafe library.setBIO(connection, received, toSend)
    unsafe self.connection = connection
    unsafe self.received = received
    unsafe self.toSend = toSend
    self.socket = socket
    log = HandshakeLog()
    unsafe log.attach(to: connection, library)
  }

  deinit { unsafe library.free(connection) }

  /// Asks for the host by name; for an address by nothing (RFC 6066 §3).
  private func name(_ host: HostName) throws(ProbeFailure) {
    guard !host.isAddress else { return }
    var name = host.description.utf8CString
    let isSet = unsafe name.withUnsafeMutableBufferPointer { name in
      unsafe library.control(
        connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), name.baseAddress)
        == 1
    }
    guard isSet else { throw .library(.drained()) }
  }

  /// Shakes hands and returns what the server showed.
  mutating func handshake(
    with host: HostName, asking keyType: KeyType
  ) throws(ProbeFailure) -> Handshake {
    try name(host)
    while true {
      OpenSSLError.clear()
      let status = unsafe library.connect(connection)
      let error = unsafe library.error(connection, status)
      // Also an alert of ours.
      do throws(ProbeFailure) { try flush() } catch {
        if status == 1 { break }
        // Why the server has gone may have come before it went.
        if log.alert == nil, case .disconnected = error, (try? fill()) != nil {
          _ = unsafe library.connect(connection)
        }
        throw log.alert == nil ? error : fault()
      }
      if status == 1 { break }
      guard error == SSL_ERROR_WANT_READ else { throw fault() }
      try fill()
    }
    let refusal = try refusalOfClient()
    let handshake = Handshake(
      keyType: keyType, chain: chain, protocolVersion: protocolVersion, cipherSuite: cipherSuite,
      applicationProtocol: applicationProtocol, address: socket.address,
      clientCertificateRequested: log.wantsClientCertificate, refusal: refusal)
    // In politeness: the server need not wait for us.
    _ = unsafe library.shutdown(connection)
    try? flush()
    return handshake
  }

  private func fault() -> ProbeFailure {
    .tls(
      ProbeFailure.TLSFault(
        alert: log.alert, reason: OpenSSLError.drained(),
        wantsClientCertificate: log.wantsClientCertificate, hadClientCertificate: hasIdentity))
  }

  private func flush() throws(ProbeFailure) {
    var block = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe BIO_read(toSend, &block, Int32(block.count))
      guard count > 0 else { return }
      try socket.send(block.prefix(Int(count)), during: .handshake)
    }
  }

  private mutating func fill(within milliseconds: Int64? = nil) throws(ProbeFailure) {
    guard budget > 0 else { throw .badReply(.handshake) }
    let bytes = try socket.receive(
      atMost: min(budget, 16_384), within: milliseconds, during: .handshake)
    budget -= bytes.count
    guard unsafe BIO_write(received, bytes, Int32(bytes.count)) == Int32(bytes.count) else {
      throw .library(.drained())
    }
  }

  private var chain: Result<PresentedChain, CertificateError> {
    do throws(CertificateError) {
      return .success(
        unsafe try PresentedChain(
          leaf: library.peerCertificate(connection), untrusted: library.peerChain(connection)
        ) { (pointer, index) throws(CertificateError) in
          unsafe try Certificate(sharing: pointer, index: index, limits: .standard)
        })
    } catch { return .failure(error) }
  }

  private var protocolVersion: String {
    unsafe library.version(connection).map { unsafe String(cString: $0) } ?? ""
  }

  private var cipherSuite: String {
    let name = unsafe library.cipherName(library.cipher(connection))
    return unsafe name.map { unsafe String(cString: $0) } ?? ""
  }

  private var applicationProtocol: String? {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe library.selectedALPN(connection, &start, &count)
    guard let start = unsafe start, count > 0 else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(count))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// How long a server is waited for that may yet refuse the client's certificate.
  private static let secondThoughts: Int64 = 1000

  /// In TLS 1.3 this side is done before the server has judged the client's certificate; it answers
  /// with tickets, data or an alert, or says nothing until it is asked something.
  private mutating func refusalOfClient() throws(ProbeFailure) -> TLSAlert? {
    guard log.wantsClientCertificate, protocolVersion == "TLSv1.3" else { return nil }
    while log.alert == nil, !log.hasAnswered {
      var byte: UInt8 = 0
      OpenSSLError.clear()
      let count = unsafe library.read(connection, &byte, 1)
      guard count <= 0, unsafe library.error(connection, count) == SSL_ERROR_WANT_READ else {
        break
      }
      do throws(ProbeFailure) { try fill(within: Self.secondThoughts) } catch {
        if error == .cancelled { throw error }
        break
      }
    }
    OpenSSLError.clear()
    return log.alert
  }
}
