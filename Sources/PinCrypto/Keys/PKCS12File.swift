internal import COpenSSL
internal import PinPolicy

/// Takes private keys and certificates out of a PKCS#12 file (RFC 7292).
///
/// libcrypto's own `PKCS12_parse` runs whatever number of rounds the file asks for; here each is
/// judged first.
@safe
struct PKCS12File: ~Copyable {
  private let file: OpaquePointer
  private var decryption: KeyDecryption
  /// The passphrase that fits: none in one of two ways, or the one that was asked for. The outer
  /// nil says that this is not known yet.
  private var passphrase: SecretBytes??
  private var bagCount = 0
  /// Why a part could not be decrypted: without consequence when the key is in another, as when old
  /// files encrypt their certificates with RC2.
  private var skipped: KeyError?

  init(_ bytes: SecretBytes, _ decryption: KeyDecryption) throws(KeyError) {
    self.decryption = decryption
    unsafe file = try bytes.decode(with: { unsafe d2i_PKCS12(nil, $0, $1) }, free: PKCS12_free)
  }

  deinit { unsafe PKCS12_free(file) }

  /// The file's private keys in its order.
  ///
  /// - Throws: ``KeyFileFault/noPrivateKey`` and what ``KeyDecryption`` throws.
  mutating func privateKeys() throws -> [PrivateKey] {
    let keys = try read(.privateKeys).compactMap { item in
      if case .key(.privateKey(let key)) = item { key } else { nil }
    }
    if keys.isEmpty { throw skipped ?? .file(.noPrivateKey) }
    return keys
  }

  /// The file's private keys and certificates in its order.
  ///
  /// - Throws: what ``KeyDecryption`` throws, also where a part can't be decrypted; and
  ///   ``CertificateError``.
  mutating func items() throws -> [PinnableItem] {
    let items = try read(.everything)
    if let skipped { throw skipped }
    return items
  }

  private enum Wanted { case privateKeys, everything }

  private mutating func read(_ wanted: Wanted) throws -> [PinnableItem] {
    try checkIntegrity()
    guard let parts = unsafe PKCS12_unpack_authsafes(file) else {
      throw KeyError.unreadable(.drained())
    }
    defer {
      unsafe OPENSSL_sk_pop_free(parts) {
        unsafe PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self))
      }
    }
    var items: [PinnableItem] = []
    let count = unsafe OPENSSL_sk_num(parts)
    for index in 0..<max(count, 0) {
      guard let part = unsafe OPENSSL_sk_value(parts, index) else { continue }
      items += unsafe try read(wanted, in: part.assumingMemoryBound(to: PKCS7.self))
    }
    return items
  }

  /// RFC 7292 §5.1: the MAC vouches for the file, and says which passphrase fits.
  private mutating func checkIntegrity() throws {
    guard unsafe PKCS12_mac_present(file) == 1 else { return }
    var rounds: UnsafePointer<ASN1_INTEGER>?
    unsafe PKCS12_get0_mac(nil, nil, nil, &rounds, file)
    let count = unsafe rounds == nil ? 1 : EncryptionCost.number(rounds)
    // Without a passphrase, in the two forms that writers give to none.
    for passphrase in [nil, SecretBytes(copying: [])] {
      try decryption.spend(rounds: count)
      if verify(with: passphrase) {
        self.passphrase = .some(passphrase)
        return
      }
      // A MAC that does not fit leaves no error; one that can't be computed does.
      let error = OpenSSLError.drained()
      guard error.entries.isEmpty else { throw KeyError.file(.unsupportedEncryption(error)) }
    }
    try decryption.spend(rounds: count)
    let passphrase = try decryption.passphrase()
    guard verify(with: passphrase) else { throw KeyError.file(.wrongPassphrase) }
    self.passphrase = .some(passphrase)
  }

  private func verify(with passphrase: SecretBytes?) -> Bool {
    OpenSSLError.clear()
    guard let passphrase else { return unsafe PKCS12_verify_mac(file, nil, 0) == 1 }
    return unsafe passphrase.withText { unsafe PKCS12_verify_mac(file, $0, $1) } == 1
  }

  private mutating func fittingPassphrase() throws -> SecretBytes? {
    if let passphrase { return passphrase }
    let asked = try decryption.passphrase()
    passphrase = .some(asked)
    return asked
  }

  private mutating func read(
    _ wanted: Wanted, in part: UnsafeMutablePointer<PKCS7>
  ) throws -> [PinnableItem] {
    let bags: OpaquePointer
    switch unsafe OBJ_obj2nid(part.pointee.type) {
    case NID_pkcs7_data:
      guard let plain = unsafe PKCS12_unpack_p7data(part) else {
        throw KeyError.unreadable(.drained())
      }
      unsafe bags = plain
    case NID_pkcs7_encrypted:
      guard let contents = unsafe part.pointee.d.encrypted?.pointee.enc_data else {
        throw KeyError.unreadable(.drained())
      }
      unsafe try decryption.spend(on: contents.pointee.algorithm)
      do {
        unsafe bags = try KeyDecryption.decrypt(with: fittingPassphrase()) {
          unsafe PKCS12_unpack_p7encdata(part, $0, $1)
        }
      } catch let error as KeyError {
        guard case .file(.unsupportedEncryption) = error else { throw error }
        skipped = error
        return []
      }
    // Encrypted to a certificate (RFC 7292 §3.1), or unknown.
    default: return []
    }
    defer { unsafe OPENSSL_sk_pop_free(bags) { unsafe PKCS12_SAFEBAG_free(OpaquePointer($0)) } }
    var items: [PinnableItem] = []
    let count = unsafe OPENSSL_sk_num(bags)
    for index in 0..<max(count, 0) {
      bagCount += 1
      guard bagCount <= KeyLimits.entries else {
        throw KeyError.file(.tooManyEntries(limit: KeyLimits.entries))
      }
      let bag = unsafe OpaquePointer(OPENSSL_sk_value(bags, index))
      guard let bag = unsafe bag else { continue }
      if let key = unsafe try privateKey(in: bag) {
        items.append(.key(.privateKey(key)))
      } else if wanted == .everything,
        let certificate = unsafe try certificate(in: bag, index: items.count)
      {
        items.append(.certificate(certificate))
      }
    }
    return items
  }

  private func certificate(in bag: OpaquePointer, index: Int) throws -> Certificate? {
    guard unsafe PKCS12_SAFEBAG_get_nid(bag) == NID_certBag,
      unsafe PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate
    else { return nil }
    OpenSSLError.clear()
    guard let certificate = unsafe PKCS12_SAFEBAG_get1_cert(bag) else {
      throw CertificateError.malformed(index: index, OpenSSLError.drained())
    }
    defer { unsafe X509_free(certificate) }
    return unsafe try Certificate(sharing: certificate, index: index, limits: .standard)
  }

  private mutating func privateKey(in bag: OpaquePointer) throws -> PrivateKey? {
    switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
    case NID_keyBag:
      guard let plain = unsafe PKCS12_SAFEBAG_get0_p8inf(bag) else { return nil }
      return unsafe try PrivateKey(pkcs8: plain)
    case NID_pkcs8ShroudedKeyBag:
      guard let encrypted = unsafe PKCS12_SAFEBAG_get0_pkcs8(bag) else { return nil }
      unsafe try decryption.spend(onKey: encrypted)
      let plain = unsafe try KeyDecryption.decrypt(with: fittingPassphrase()) {
        unsafe PKCS8_decrypt(encrypted, $0, $1)
      }
      defer { unsafe PKCS8_PRIV_KEY_INFO_free(plain) }
      return unsafe try PrivateKey(pkcs8: plain)
    default: return nil
    }
  }
}
