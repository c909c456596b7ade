internal import CLibSSL

/// What passes by in a handshake that libssl does not keep.
@safe
final class HandshakeLog {
  /// The fatal alert that the server sent.
  private(set) var alert: TLSAlert?
  private(set) var wantsClientCertificate = false
  /// Whether the server, done with the client's part, has sent a ticket (RFC 8446 §4.6.1).
  private(set) var hasAnswered = false

  /// Listens to a connection, which it must outlive.
  func attach(to connection: OpaquePointer, _ library: LibSSL) {
    _ = unsafe library.control(
      connection, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, Unmanaged.passUnretained(self).toOpaque())
    unsafe library.setMessageCallback(connection) { isSent, _, kind, bytes, count, _, context in
      guard isSent == 0, let context = unsafe context, let bytes = unsafe bytes else { return }
      unsafe Unmanaged<HandshakeLog>.fromOpaque(context).takeUnretainedValue().note(
        kind, UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }

  private func note(_ kind: Int32, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case SSL3_RT_HANDSHAKE:
      let type = unsafe bytes.first.map(Int32.init)
      if type == SSL3_MT_CERTIFICATE_REQUEST { wantsClientCertificate = true }
      if type == SSL3_MT_NEWSESSION_TICKET { hasAnswered = true }
    case SSL3_RT_ALERT:
      guard bytes.count == 2, unsafe bytes[0] == 2 else { return }
      alert = unsafe TLSAlert(code: bytes[1])
    default: break
    }
  }
}
