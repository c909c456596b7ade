internal import COpenSSLTLS
public import PinCrypto

/// Lets an SSL_CTX show a client identity to servers that ask for one (RFC 8446 §4.4.2), in place of
/// what it had for that type of key.
///
/// - Parameters:
///   - identity: its key and certificates are shared with the context, not copied.
///   - context: an `SSL_CTX *` for clients, of which no SSL was made yet.
/// - Throws: ``PinTLSError/openSSL(_:)``, for instance for a key below the context's security level.
@unsafe
public func installClientIdentity(
  _ identity: ClientIdentity, on context: OpaquePointer
) throws(PinTLSError) {
  OpenSSLError.clear()
  guard let above = unsafe OPENSSL_sk_new_null() else { throw .openSSL(.drained()) }
  defer { unsafe OPENSSL_sk_free(above) }
  for certificate in identity.certificates.dropFirst() {
    // Borrowed: libssl takes references of its own.
    unsafe certificate.withPointer { _ = unsafe OPENSSL_sk_push(above, UnsafeRawPointer($0)) }
  }
  let isTaken = unsafe identity.certificates.first?.withPointer { own in
    unsafe identity.key.withPointer { key in
      unsafe SSL_CTX_use_cert_and_key(context, own, key, above, 1) == 1
    }
  }
  guard isTaken == true else { throw .openSSL(.drained()) }
}
