public import PinCrypto

/// Why pin verification or a client identity could not be installed.
public enum PinTLSError: Error, Equatable, Sendable {
  /// It is installed on this SSL_CTX already.
  case alreadyInstalled
  case openSSL(OpenSSLError)
}
