import COpenSSLTLS
import Foundation

extension LoopbackListener {
  /// Shakes hands and reads what comes until the client closes.
  func converse(_ tls: OpaquePointer, _ record: inout LoopbackServer.Connection) {
    record.isEstablished = SSL_accept(tls) == 1
    if record.isEstablished { record.handshakes = 1 }
    note(tls, &record)
    while record.isEstablished {
      var block = [UInt8](repeating: 0, count: 4096)
      let count = SSL_read(tls, &block, Int32(block.count))
      guard count > 0 else {
        record.alert = record.alert ?? Self.alert()
        break
      }
      let isFirst = record.received.isEmpty
      record.received += block.prefix(Int(count))
      guard isFirst else { continue }
      if options.renegotiates {
        guard SSL_renegotiate(tls) == 1, SSL_do_handshake(tls) == 1, finishesHandshake(tls) else {
          record.alert = record.alert ?? Self.alert()
          break
        }
        record.handshakes += 1
        note(tls, &record)
      }
      _ = SSL_write(tls, options.answer, Int32(options.answer.count))
    }
    SSL_shutdown(tls)
  }

  /// The server's SSL_do_handshake only sends the HelloRequest; the handshake itself runs while it
  /// reads.
  private func finishesHandshake(_ tls: OpaquePointer) -> Bool {
    var byte: UInt8 = 0
    // Reading ends with the handshake and does not wait for what the application sends next.
    SSL_ctrl(tls, SSL_CTRL_CLEAR_MODE, Int(SSL_MODE_AUTO_RETRY), nil)
    while SSL_renegotiate_pending(tls) == 1 {
      let status = SSL_peek(tls, &byte, 1)
      if status <= 0, SSL_get_error(tls, status) != SSL_ERROR_WANT_READ { return false }
    }
    return true
  }

  private func note(_ tls: OpaquePointer, _ record: inout LoopbackServer.Connection) {
    record.serverName = SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name)
      .map { String(cString: $0) }
    guard record.isEstablished else {
      record.alert = Self.alert()
      return
    }
    record.isResumed = SSL_session_reused(tls) == 1
    record.version = String(cString: SSL_get_version(tls))
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(tls, &name, &length)
    if let name {
      let bytes = UnsafeBufferPointer(start: name, count: Int(length))
      record.applicationProtocol = String(decoding: bytes, as: UTF8.self)
    }
    if let certificate = SSL_get0_peer_certificate(tls) {
      record.clientCertificate = try? bytesWritten { i2d_X509_bio($0, certificate) }
    }
  }

  /// The alert among the errors, which libssl reports as a reason of 1000 and its number.
  private static func alert() -> Int32? {
    var alert: Int32?
    while true {
      let code = ERR_get_error()
      if code == 0 { return alert }
      let reason = ERR_GET_REASON(code)
      if ERR_GET_LIB(code) == ERR_LIB_SSL, (1000...1255).contains(reason) {
        alert = reason - 1000
      }
    }
  }
}

/// Shows a certificate of each key type for the server name, as virtual hosts do.
let chooseCertificate: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
  tls, state in
  guard let tls, let state else { return 0 }
  let listener = Unmanaged<LoopbackListener>.fromOpaque(state).takeUnretainedValue()
  let name = SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
  let identities = listener.identities(name)
  SSL_certs_clear(tls)
  for identity in identities {
    let above = OPENSSL_sk_new_null()
    defer { OPENSSL_sk_free(above) }
    for certificate in identity.above {
      OPENSSL_sk_push(above, UnsafeRawPointer(certificate.pointer))
    }
    // Takes references of its own.
    let (leaf, key) = (identity.leaf.pointer, identity.leaf.key.pointer)
    guard SSL_use_cert_and_key(tls, leaf, key, above, 1) == 1 else { return 0 }
  }
  return identities.isEmpty ? 0 : 1
}

/// The first protocol of the server's list that the client offers (RFC 7301 §3.2).
let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, length, offered, count, state in
  guard let chosen, let length, let offered, let state else { return SSL_TLSEXT_ERR_NOACK }
  let listener = Unmanaged<LoopbackListener>.fromOpaque(state).takeUnretainedValue()
  for wanted in listener.options.applicationProtocols {
    var index = 0
    while index < Int(count) {
      let size = Int(offered[index])
      guard index + 1 + size <= Int(count) else { break }
      let name = UnsafeBufferPointer(start: offered + index + 1, count: size)
      if name.elementsEqual(wanted.utf8) {
        chosen.pointee = name.baseAddress
        length.pointee = UInt8(size)
        return SSL_TLSEXT_ERR_OK
      }
      index += 1 + size
    }
  }
  return SSL_TLSEXT_ERR_NOACK
}
