internal import COpenSSL

/// Undoes what encrypts the keys of one file: asks for the passphrase when it is first needed, and
/// accounts for what the derivations cost.
struct KeyDecryption {
  private let ask: () throws -> SecretBytes?
  private var answer: SecretBytes?
  private var cost = EncryptionCost()

  init(asking ask: @escaping () throws -> SecretBytes?) { self.ask = ask }

  /// - Throws: ``KeyFileFault/passphraseMissing``, ``KeyFileFault/passphraseTooLong(limit:)``, and
  ///   what asking throws.
  mutating func passphrase() throws -> SecretBytes {
    if let answer { return answer }
    guard let given = try ask() else { throw KeyError.file(.passphraseMissing) }
    guard given.count <= KeyLimits.passphraseBytes else {
      throw KeyError.file(.passphraseTooLong(limit: KeyLimits.passphraseBytes))
    }
    answer = given
    return given
  }

  /// Decrypts a PKCS#8 key, for the caller to free.
  ///
  /// - Throws: ``KeyFileFault/costlyEncryption`` before it asks for a passphrase,
  ///   ``KeyFileFault/wrongPassphrase``, ``KeyFileFault/unsupportedEncryption(_:)``, and what
  ///   ``passphrase()`` throws.
  mutating func decrypt(_ key: OpaquePointer) throws -> OpaquePointer {
    unsafe try spend(onKey: key)
    return unsafe try Self.decrypt(with: passphrase()) { unsafe PKCS8_decrypt(key, $0, $1) }
  }

  /// Accounts for decrypting a PKCS#8 key.
  mutating func spend(onKey key: OpaquePointer) throws(KeyError) {
    var algorithm: UnsafePointer<X509_ALGOR>?
    unsafe X509_SIG_get0(key, &algorithm, nil)
    unsafe try spend(on: algorithm)
  }

  mutating func spend(on algorithm: UnsafePointer<X509_ALGOR>?) throws(KeyError) {
    if let algorithm = unsafe algorithm { unsafe try cost.spend(on: algorithm) }
  }

  mutating func spend(rounds: UInt64?) throws(KeyError) { try cost.spend(rounds: rounds) }

  /// Calls a decrypting function of libcrypto's with the passphrase; nil is PKCS#12's other way of
  /// having none.
  static func decrypt(
    with passphrase: SecretBytes?, _ body: (UnsafePointer<CChar>?, Int32) -> OpaquePointer?
  ) throws(KeyError) -> OpaquePointer {
    OpenSSLError.clear()
    let plain =
      if let passphrase {
        unsafe passphrase.withText(body)
      } else {
        unsafe body(nil, 0)
      }
    guard let plain = unsafe plain else { throw failure(.drained()) }
    return unsafe plain
  }

  /// The block of an encrypted PEM file in OpenSSL's older form, decrypted.
  ///
  /// Its key is derived in one round of MD5: whoever has the file tries passphrases cheaply.
  mutating func decrypt(_ block: PEMBlock) throws -> SecretBytes {
    OpenSSLError.clear()
    var cipher = unsafe EVP_CIPHER_INFO()
    var header = block.headers.utf8CString
    let isKnown = unsafe header.withUnsafeMutableBufferPointer { text in
      unsafe PEM_get_EVP_CIPHER_INFO(text.baseAddress, &cipher) == 1
    }
    // A cipher may have a name and yet be offered by no provider, as DES.
    let name = unsafe cipher.cipher.flatMap { unsafe EVP_CIPHER_get0_name($0) }
    guard isKnown, let offered = unsafe EVP_CIPHER_fetch(nil, name, nil) else {
      throw KeyError.file(.unsupportedEncryption(.drained()))
    }
    unsafe EVP_CIPHER_free(offered)
    let passphrase = try passphrase()
    return try unsafe SecretBytes(capacity: block.contents.count) { room in
      unsafe block.contents.withBytes { unsafe room.copyMemory(from: $0) }
      var count = block.contents.count
      // Called once with the passphrase as context; the buffer has 1024 bytes.
      let status = unsafe PEM_do_header(
        &cipher, room.baseAddress, &count,
        { buffer, size, _, context in
          guard let buffer = unsafe buffer, let context = unsafe context else { return -1 }
          let passphrase = unsafe Unmanaged<SecretBytes>.fromOpaque(context).takeUnretainedValue()
          guard passphrase.count <= Int(size) else { return -1 }
          unsafe passphrase.withBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(size))
              .copyMemory(from: bytes)
          }
          return Int32(passphrase.count)
        }, Unmanaged.passUnretained(passphrase).toOpaque())
      guard status == 1 else { throw KeyError.file(.wrongPassphrase) }
      return count
    }
  }

  /// A wrong key shows as bad padding, or (once in 256 times) as contents that are no DER; all else
  /// is an algorithm that libcrypto does not do.
  private static func failure(_ error: OpenSSLError) -> KeyError {
    let isWrong =
      error.contains(library: ERR_LIB_PKCS12, reason: PKCS12_R_PKCS12_CIPHERFINAL_ERROR)
      || error.contains(library: ERR_LIB_PKCS12, reason: PKCS12_R_DECODE_ERROR)
    return .file(isWrong ? .wrongPassphrase : .unsupportedEncryption(error))
  }
}

extension OpenSSLError {
  func contains(library: Int32, reason: Int32) -> Bool {
    entries.contains { ERR_GET_LIB($0.code) == library && ERR_GET_REASON($0.code) == reason }
  }
}
