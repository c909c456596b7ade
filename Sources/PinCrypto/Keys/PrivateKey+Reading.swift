internal import COpenSSL

extension PrivateKey {
  /// Reads the one private key of a file: PEM (PKCS#8, encrypted or not, PKCS#1, SEC1, and OpenSSL's
  /// older encrypted form), DER of the same, PKCS#12, or a JWK.
  ///
  /// Certificates beside it and a curve before it are passed over. The key may be of any kind; what
  /// may sign a policy is ``PublicKey/checkFitForPolicies()``'s to say.
  /// - Parameters:
  ///   - file: at most ``KeyLimits/fileBytes``.
  ///   - passphrase: called once when something turns out to be encrypted; nil when there is none.
  /// - Throws: ``KeyError``, and what `passphrase` throws.
  public convenience init(
    reading file: SecretBytes, passphrase: @escaping () throws -> SecretBytes?
  ) throws {
    let entries = try KeyEntry.all(in: file)
    let keys = entries.filter { $0.form.isPrivate }
    let others = entries.filter { !$0.form.isPrivate && $0.form != .certificate }
    guard let key = keys.first else {
      let found = (others.first ?? entries.first)?.form ?? .other
      throw KeyError.file(.found(found, wanted: .privateKey))
    }
    guard keys.count == 1, others.allSatisfy({ $0.form == .ecParameters }) else {
      throw KeyError.file(.severalKeys(count: keys.count + others.count))
    }
    var decryption = KeyDecryption(asking: passphrase)
    let read = try key.privateKeys(&decryption)
    guard let only = read.first, read.count == 1 else {
      throw KeyError.file(.severalKeys(count: read.count))
    }
    try self.init(sharing: only)
  }
}

extension PrivateKey {
  /// Another owner of the same key.
  private convenience init(sharing key: PrivateKey) throws(KeyError) {
    let pointer = unsafe key.withPointer { pointer in
      unsafe EVP_PKEY_up_ref(pointer)
      return unsafe pointer
    }
    try unsafe self.init(adopting: pointer)
  }

  /// Adopts what libcrypto decoded, and checks it.
  ///
  /// - Throws: ``KeyError/unreadable(_:)`` for nil, and what ``checkConsistency()`` throws.
  convenience init(decoded pointer: OpaquePointer?) throws(KeyError) {
    guard let pointer = unsafe pointer else { throw KeyError.unreadable(.drained()) }
    try unsafe self.init(adopting: pointer)
    try checkConsistency()
  }

  /// Makes a key of decoded PKCS#8, which stays the caller's.
  ///
  /// - Throws: ``KeyError/unfitKind(_:)`` for kinds that sign nothing here: of a DSA key libcrypto
  ///   computes the public half, over a modulus of whatever length stands there.
  convenience init(pkcs8: OpaquePointer) throws(KeyError) {
    OpenSSLError.clear()
    var identifier: OpaquePointer?
    guard unsafe PKCS8_pkey_get0(&identifier, nil, nil, nil, pkcs8) == 1 else {
      throw KeyError.unreadable(.drained())
    }
    let type = unsafe OBJ_obj2nid(identifier)
    let known = [
      EVP_PKEY_RSA, EVP_PKEY_RSA_PSS, EVP_PKEY_EC, EVP_PKEY_ED25519, EVP_PKEY_ED448,
    ]
    guard known.contains(type) else {
      let name = unsafe type == NID_undef ? nil : OBJ_nid2sn(type)
      throw KeyError.unfitKind(
        .other(unsafe name.map { unsafe String(cString: $0) } ?? "unknown"))
    }
    try unsafe self.init(decoded: EVP_PKCS82PKEY(pkcs8))
  }

  /// Decodes PKCS#8 that is not encrypted.
  convenience init(pkcs8 bytes: SecretBytes) throws(KeyError) {
    let decoded = unsafe try bytes.decode(
      with: { unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }, free: PKCS8_PRIV_KEY_INFO_free)
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(decoded) }
    try unsafe self.init(pkcs8: decoded)
  }

  /// Decodes PKCS#8 that is encrypted.
  convenience init(encryptedPKCS8 bytes: SecretBytes, _ decryption: inout KeyDecryption) throws {
    let encrypted = unsafe try bytes.decode(
      with: { unsafe d2i_X509_SIG(nil, $0, $1) }, free: X509_SIG_free)
    defer { unsafe X509_SIG_free(encrypted) }
    let decoded = unsafe try decryption.decrypt(encrypted)
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(decoded) }
    try unsafe self.init(pkcs8: decoded)
  }

  /// Decodes PKCS#1 (`EVP_PKEY_RSA`) or SEC1 (`EVP_PKEY_EC`).
  convenience init(traditional bytes: SecretBytes, type: Int32) throws(KeyError) {
    try unsafe self.init(
      decoded: bytes.decode(
        with: { unsafe d2i_PrivateKey(type, nil, $0, $1) }, free: EVP_PKEY_free))
  }
}
