internal import COpenSSL

extension PrivateKey {
  /// How a passphrase becomes an AES-256-CBC key: PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2).
  ///
  /// Not scrypt, which Java's own classes can't undo. The rounds are what OWASP advises for this
  /// function since 2023; they take a quarter of a second.
  package static let rounds: Int32 = 600_000
  private static let saltBytes: Int32 = 16

  /// PKCS#8 (RFC 5958) as PEM, `PRIVATE KEY`, or `ENCRYPTED PRIVATE KEY` under a passphrase.
  ///
  /// - Parameter passphrase: its bytes as they are; nil leaves the key readable to whoever has it.
  /// - Throws: ``KeyFileFault/passphraseTooLong(limit:)``, ``KeyError/openSSL(_:)``.
  public func pkcs8PEM(passphrase: SecretBytes?) throws(KeyError) -> SecretBytes {
    unsafe try write(
      passphrase, plain: { unsafe PEM_write_bio_PKCS8_PRIV_KEY_INFO($0, $1) },
      encrypted: { unsafe PEM_write_bio_PKCS8($0, $1) })
  }

  /// As ``pkcs8PEM(passphrase:)``, in DER.
  public func pkcs8DER(passphrase: SecretBytes?) throws(KeyError) -> SecretBytes {
    unsafe try write(
      passphrase, plain: { unsafe i2d_PKCS8_PRIV_KEY_INFO_bio($0, $1) },
      encrypted: { unsafe i2d_PKCS8_bio($0, $1) })
  }

  private typealias Writer = (_ output: OpaquePointer, _ contents: OpaquePointer) -> Int32

  private func write(
    _ passphrase: SecretBytes?, plain: Writer, encrypted: Writer
  ) throws(KeyError) -> SecretBytes {
    OpenSSLError.clear()
    guard let contents = unsafe withPointer({ unsafe EVP_PKEY2PKCS8($0) }) else {
      throw .openSSL(.drained())
    }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(contents) }
    guard let passphrase else {
      return try unsafe SecretBytes.collect { unsafe plain($0, contents) }
    }
    let sealed = unsafe try Self.encrypt(contents, passphrase)
    defer { unsafe X509_SIG_free(sealed) }
    return try unsafe SecretBytes.collect { unsafe encrypted($0, sealed) }
  }

  private static func encrypt(
    _ contents: OpaquePointer, _ passphrase: SecretBytes
  ) throws(KeyError) -> OpaquePointer {
    guard passphrase.count <= KeyLimits.passphraseBytes else {
      throw .file(.passphraseTooLong(limit: KeyLimits.passphraseBytes))
    }
    // Without a salt and a vector of ours libcrypto draws them at random.
    guard
      let scheme = unsafe PKCS5_pbe2_set_iv(
        EVP_aes_256_cbc(), rounds, nil, saltBytes, nil, NID_hmacWithSHA256)
    else { throw .openSSL(.drained()) }
    let sealed = unsafe passphrase.withText { unsafe PKCS8_set0_pbe($0, $1, contents, scheme) }
    guard let sealed = unsafe sealed else {
      unsafe X509_ALGOR_free(scheme)
      throw .openSSL(.drained())
    }
    return unsafe sealed
  }
}
