/// Something with a public half that a file holds.
public enum KeyItem: Sendable {
  case publicKey(PublicKey)
  case privateKey(PrivateKey)
  case request(CertificateRequest)

  /// The half that can be shown and pinned.
  public var publicKey: PublicKey {
    switch self {
    case .publicKey(let key): key
    case .privateKey(let key): key.publicKey
    case .request(let request): request.publicKey
    }
  }

  /// Reads all keys and certificate requests of a file, in its order.
  ///
  /// Public keys are SubjectPublicKeyInfo in PEM or DER, or JWKs, also several in a JWK Set; private
  /// ones whatever ``PrivateKey/init(reading:passphrase:)`` reads; requests PEM or DER.
  /// - Parameter passphrase: called once when something turns out to be encrypted; nil when there is
  ///   none.
  /// - Throws: ``KeyError``, and what `passphrase` throws.
  public static func all(
    in file: SecretBytes, passphrase: @escaping () throws -> SecretBytes?
  ) throws -> [KeyItem] {
    var decryption = KeyDecryption(asking: passphrase)
    // `openssl ecparam -genkey` writes the curve before the key, which names it too.
    let entries = try KeyEntry.all(in: file).filter { $0.form != .ecParameters }
    guard !entries.isEmpty else { throw KeyError.file(.found(.ecParameters, wanted: .key)) }
    return try entries.flatMap { try $0.keyItems(&decryption, wanted: .key) }
  }
}

extension KeyEntry {
  func keyItems(
    _ decryption: inout KeyDecryption, wanted: KeyFileFault.Wanted
  ) throws -> [KeyItem] {
    if form.isPrivate { return try privateKeys(&decryption).map(KeyItem.privateKey) }
    if form == .certificateRequest { return [.request(try request())] }
    return [.publicKey(try publicKey(wanted: wanted))]
  }
}
