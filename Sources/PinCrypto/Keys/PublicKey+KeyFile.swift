internal import COpenSSL

extension PublicKey {
  /// Reads the one public key of a file: SubjectPublicKeyInfo in PEM or DER, or a public JWK.
  ///
  /// The key may be of any kind. What a service trusts is read by ``TrustedKey``, which is stricter.
  /// - Parameter file: at most ``KeyLimits/fileBytes``.
  /// - Throws: ``KeyError``; a private key, a certificate or a key in another form is refused with
  ///   a hint.
  public convenience init(reading file: SecretBytes) throws(KeyError) {
    let entries = try KeyEntry.all(in: file)
    guard let only = entries.first, entries.count == 1 else {
      throw KeyError.file(.severalKeys(count: entries.count))
    }
    let key = try only.publicKey(wanted: .publicKey)
    // An initialiser can't return what it found: this is another owner of the same key.
    let pointer = unsafe key.withPointer { pointer in
      unsafe EVP_PKEY_up_ref(pointer)
      return unsafe pointer
    }
    try unsafe self.init(adopting: pointer, spki: key.spkiBytes)
  }
}
