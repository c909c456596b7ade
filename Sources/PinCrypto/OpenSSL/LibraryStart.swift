internal import COpenSSL

/// How libcrypto gets ready in this process.
package enum LibraryStart {
  /// Leaves out the table of all cipher names, half of what the first use of libcrypto costs.
  ///
  /// Checking signatures needs no cipher. Reading an encrypted private key does, so that this is
  /// for programs that end after they have checked one: it holds for the process and can't be
  /// undone. Without effect after any other use of libcrypto.
  package static func withoutCiphers() {
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ADD_ALL_CIPHERS), nil)
  }
}
