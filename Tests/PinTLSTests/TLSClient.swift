import COpenSSLTLS
import Foundation
import LoopbackTLS

/// An SSL_CTX for clients, and connections made from it.
// @unchecked: libssl locks the SSL_CTX.
final class TLSClient: @unchecked Sendable {
  let context: OpaquePointer

  init(_ method: OpaquePointer? = TLS_client_method()) throws {
    guard let context = SSL_CTX_new(method) else { throw Fault.noContext }
    self.context = context
  }

  deinit { SSL_CTX_free(context) }

  enum Fault: Error { case noContext, noConnection }

  /// Sets the host in the ways that applications do.
  enum Host {
    /// SSL_set1_host and the server name.
    case verified(String)
    /// The server name alone.
    case named(String)
    /// SSL_set1_host alone: an address has no server name (RFC 6066 §3).
    case address(String)
    case none
  }

  /// What a client saw of one connection.
  struct Outcome {
    var isEstablished = false
    var isResumed = false
    var answer: [UInt8] = []
    /// The reasons in OpenSSL's queue, oldest first.
    var faults: [String] = []
    var verifyResult = 0
    /// Subjects of SSL_get0_verified_chain.
    var verifiedChain: [[UInt8]] = []
    var session: TLSSession?
  }

  /// Connects, shakes hands, sends a request, reads the answer, closes.
  ///
  /// - Parameters:
  ///   - blocking: else the handshake is taken up again whenever the server has sent more.
  ///   - isImplicit: the first SSL_write shakes hands on its way.
  func connect(
    to server: LoopbackServer, _ host: Host, session: TLSSession? = nil, blocking: Bool = true,
    isImplicit: Bool = false,
    prepare: (OpaquePointer) -> Void = { _ in }, established: () -> Void = {}
  ) throws -> Outcome {
    let socket = try Self.socket(to: server)
    defer { close(socket) }
    guard let tls = SSL_new(context) else { throw Fault.noConnection }
    defer { SSL_free(tls) }
    ERR_clear_error()
    SSL_set_fd(tls, socket)
    Self.set(host, on: tls)
    if let session { SSL_set_session(tls, session.pointer) }
    prepare(tls)
    var outcome = Outcome()
    let flags = fcntl(socket, F_GETFL)
    if !blocking { _ = fcntl(socket, F_SETFL, flags | O_NONBLOCK) }
    SSL_set_connect_state(tls)
    var status = isImplicit ? 1 : SSL_connect(tls)
    while status != 1, !blocking, SSL_get_error(tls, status) == SSL_ERROR_WANT_READ {
      var readable = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&readable, 1, 20_000) == 1 else { break }
      status = SSL_connect(tls)
    }
    _ = fcntl(socket, F_SETFL, flags)
    outcome.isEstablished = status == 1
    outcome.verifyResult = SSL_get_verify_result(tls)
    if outcome.isEstablished {
      established()
      Self.converse(tls, &outcome)
    }
    outcome.faults = Self.faults()
    return outcome
  }

  private static func converse(_ tls: OpaquePointer, _ outcome: inout Outcome) {
    let request = Array("request\n".utf8)
    let isWritten = SSL_write(tls, request, Int32(request.count)) > 0
    outcome.isResumed = SSL_session_reused(tls) == 1
    let chain = SSL_get0_verified_chain(tls)
    for index in 0..<max(OPENSSL_sk_num(chain), 0) {
      guard let entry = OPENSSL_sk_value(chain, index) else { continue }
      outcome.verifiedChain.append(der(OpaquePointer(entry)))
    }
    guard isWritten else { return }
    var block = [UInt8](repeating: 0, count: 4096)
    let count = SSL_read(tls, &block, Int32(block.count))
    outcome.answer = Array(block.prefix(Int(max(count, 0))))
    // In TLS 1.3 the tickets have come with the answer.
    if let session = SSL_get1_session(tls) { outcome.session = TLSSession(adopting: session) }
    SSL_shutdown(tls)
  }

  private static func set(_ host: Host, on tls: OpaquePointer) {
    switch host {
    case .verified(let name):
      SSL_set1_host(tls, name)
      ask(for: name, on: tls)
    case .named(let name): ask(for: name, on: tls)
    case .address(let address): SSL_set1_host(tls, address)
    case .none: break
    }
  }

  private static func ask(for name: String, on tls: OpaquePointer) {
    var name = name.utf8CString
    name.withUnsafeMutableBufferPointer {
      _ = SSL_ctrl(
        tls, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), $0.baseAddress)
    }
  }

  static func der(_ certificate: OpaquePointer) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(certificate, &start)
    defer { CRYPTO_free(start, #fileID, #line) }
    return Array(UnsafeBufferPointer(start: start, count: Int(max(count, 0))))
  }

  static func faults() -> [String] {
    var faults: [String] = []
    while true {
      let code = ERR_get_error()
      if code == 0 { return faults }
      faults.append(ERR_reason_error_string(code).map { String(cString: $0) } ?? "\(code)")
    }
  }

  static func socket(to server: LoopbackServer) throws -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(server.options.address, "\(server.port)", &hints, &found) == 0,
      let place = found?.pointee
    else { throw Fault.noConnection }
    defer { freeaddrinfo(found) }
    let socket = Foundation.socket(place.ai_family, place.ai_socktype, 0)
    guard Foundation.connect(socket, place.ai_addr, place.ai_addrlen) == 0 else {
      close(socket)
      throw Fault.noConnection
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    return socket
  }
}

/// A session that an application keeps.
// @unchecked: libssl counts references.
final class TLSSession: @unchecked Sendable {
  let pointer: OpaquePointer

  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { SSL_SESSION_free(pointer) }

  /// Written and read again, as an application does that keeps sessions on disk.
  var copied: TLSSession? {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_SSL_SESSION(pointer, &start)
    guard count > 0, let start else { return nil }
    defer { CRYPTO_free(start, #fileID, #line) }
    var next: UnsafePointer<UInt8>? = UnsafePointer(start)
    return d2i_SSL_SESSION(nil, &next, Int(count)).map { TLSSession(adopting: $0) }
  }
}
