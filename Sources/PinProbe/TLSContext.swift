internal import CLibSSL
internal import PinCrypto

/// An SSL_CTX that asks for certificates of one key type.
///
/// It verifies nothing: whoever probes judges the chain afterwards, also one that no client should
/// take, and sends no application data. The handshake still proves that the server has the key.
// @unchecked: an SSL_CTX is not changed after it was made, and libssl counts its references.
@safe
final class TLSContext: @unchecked Sendable {
  let library: LibSSL
  let pointer: OpaquePointer
  let hasIdentity: Bool

  /// - Parameter protocols: what ALPN offers, each of 1 to 255 bytes; none offers nothing.
  /// - Throws: ``ProbeFailure``.
  init(
    _ library: LibSSL, asking keyType: KeyType, protocols: [String], identity: ClientIdentity?
  ) throws(ProbeFailure) {
    OpenSSLError.clear()
    guard let context = unsafe library.newContext(library.clientMethod()) else {
      throw .library(.drained())
    }
    self.library = library
    unsafe pointer = context
    hasIdentity = identity != nil
    // From here on `deinit` frees it.
    guard configure(keyType), offer(protocols), show(identity) else {
      throw .library(.drained())
    }
  }

  deinit { unsafe library.freeContext(pointer) }

  private func configure(_ keyType: KeyType) -> Bool {
    // Weak keys are for trust evaluation to judge; what may be negotiated is said below.
    unsafe library.setSecurityLevel(pointer, 0)
    unsafe library.setVerify(pointer, SSL_VERIFY_NONE, nil)
    return unsafe control(SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION))
      && library.setCipherList(pointer, keyType.cipherList) == 1
      && control(SSL_CTRL_SET_SIGALGS_LIST, text: keyType.signatureAlgorithms)
      && control(SSL_CTRL_SET_CLIENT_SIGALGS_LIST, text: KeyType.clientSignatureAlgorithms)
  }

  private func offer(_ protocols: [String]) -> Bool {
    var list: [UInt8] = []
    for name in protocols {
      guard let count = UInt8(exactly: name.utf8.count), count > 0 else { return false }
      list.append(count)
      list += name.utf8
    }
    // 0 is success here, and here alone.
    return unsafe list.isEmpty || library.setALPN(pointer, list, UInt32(list.count)) == 0
  }

  private func show(_ identity: ClientIdentity?) -> Bool {
    guard let identity else { return true }
    for (index, certificate) in identity.certificates.enumerated() {
      let isTaken = unsafe certificate.withPointer { certificate in
        index == 0
          ? unsafe library.useCertificate(pointer, certificate) == 1
            // 1: libssl takes a reference of its own.
          : unsafe library.controlContext(
            pointer, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate)) == 1
      }
      guard isTaken else { return false }
    }
    return unsafe identity.key.withPointer { unsafe library.usePrivateKey(pointer, $0) == 1 }
  }

  private func control(_ command: Int32, _ number: Int = 0) -> Bool {
    unsafe library.controlContext(pointer, command, number, nil) == 1
  }

  private func control(_ command: Int32, text: String) -> Bool {
    var text = text.utf8CString
    return unsafe text.withUnsafeMutableBufferPointer {
      unsafe library.controlContext(pointer, command, 0, $0.baseAddress) == 1
    }
  }
}
