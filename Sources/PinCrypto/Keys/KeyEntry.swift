internal import COpenSSL
internal import PinPolicy
internal import StrictJSON

/// One thing in a key file, told apart and not yet decoded.
struct KeyEntry {
  let form: KeyForm
  private let contents: Contents

  private enum Contents {
    case der(SecretBytes)
    /// An encrypted block of OpenSSL's older form.
    case encrypted(PEMBlock)
    case publicJWK(PublicKey)
    case privateJWK(PrivateKey)
  }

  /// Everything in a file: the blocks of a PEM text, the keys of a JWK Set, or one structure.
  ///
  /// - Throws: ``KeyFileFault``'s ``KeyFileFault/empty``, ``KeyFileFault/tooLarge(limit:)``,
  ///   ``KeyFileFault/tooManyEntries(limit:)``, ``KeyFileFault/malformedPEM(_:)``,
  ///   ``KeyFileFault/notAKey``, and what a JWK's fault is.
  static func all(in file: SecretBytes) throws(KeyError) -> [KeyEntry] {
    guard file.count > 0 else { throw .file(.empty) }
    guard file.count <= KeyLimits.fileBytes else {
      throw .file(.tooLarge(limit: KeyLimits.fileBytes))
    }
    switch file.withSpan(Guess.init(of:)) {
    case .der(let form): return [KeyEntry(form: form, contents: .der(file))]
    case .json: return try jwks(in: file)
    case .openSSH: return [KeyEntry(form: .openSSH, contents: .der(file))]
    case .text:
      let blocks = try PEMBlock.all(in: file)
      guard !blocks.isEmpty else { throw .file(.notAKey) }
      return blocks.map(KeyEntry.init(block:))
    }
  }

  private init(form: KeyForm, contents: Contents) {
    self.form = form
    self.contents = contents
  }

  private init(block: PEMBlock) {
    form = KeyForm(label: block.label)
    // `Proc-Type: 4,ENCRYPTED` (RFC 1421 §4.6.1.1). By words: to look for a string in a string
    // would bring the whole engine of regular expressions into the program.
    let isEncrypted = block.headers.split { !$0.isLetter }.contains("ENCRYPTED")
    contents = isEncrypted ? .encrypted(block) : .der(block.contents)
  }

  private static func jwks(in file: SecretBytes) throws(KeyError) -> [KeyEntry] {
    var text = file.copied()
    // The document holds the only other reference, and is gone by then.
    defer { SecretBytes.wipe(&text) }
    return try entries(parsing: text)
  }

  private static func entries(parsing text: [UInt8]) throws(KeyError) -> [KeyEntry] {
    let document = try JWK.document(text, .standard)
    // RFC 7517 §5: what has `keys` is a set.
    guard document.kind(of: document.root) == .object,
      let keys = document.member("keys", of: document.root)
    else { return [try KeyEntry(JWK(document, document.root))] }
    guard document.kind(of: keys) == .array, document.count(of: keys) > 0 else {
      throw .jwk(member: "keys", .wrongType)
    }
    guard document.count(of: keys) <= KeyLimits.entries else {
      throw .file(.tooManyEntries(limit: KeyLimits.entries))
    }
    var entries: [KeyEntry] = []
    var unusable: [UnusableKey] = []
    for (index, element) in document.elements(of: keys).enumerated() {
      do throws(KeyError) {
        entries.append(try KeyEntry(JWK(document, element)))
      } catch { unusable.append(UnusableKey(index: index, reason: error)) }
    }
    guard unusable.isEmpty else { throw .unusableKeys(unusable) }
    return entries
  }

  private init(_ jwk: JWK) throws(KeyError) {
    if jwk.isPrivate {
      form = .privateJWK
      contents = .privateJWK(try jwk.privateKey())
    } else {
      form = .publicJWK
      contents = .publicJWK(try jwk.publicKey())
    }
  }

  /// The private keys in it: one, or what a PKCS#12 file holds.
  func privateKeys(_ decryption: inout KeyDecryption) throws -> [PrivateKey] {
    switch contents {
    case .privateJWK(let key): return [key]
    case .publicJWK: throw KeyError.file(.found(form, wanted: .privateKey))
    case .der(let bytes): return try privateKeys(der: bytes, &decryption)
    case .encrypted(let block):
      let bytes = try decryption.decrypt(block)
      do {
        return try privateKeys(der: bytes, &decryption)
      } catch KeyError.unreadable, KeyError.trailingBytes {
        // Once in 256 times a wrong passphrase gives padding that looks right.
        throw KeyError.file(.wrongPassphrase)
      }
    }
  }

  private func privateKeys(
    der bytes: SecretBytes, _ decryption: inout KeyDecryption
  ) throws -> [PrivateKey] {
    switch form {
    case .privateKey: return [try PrivateKey(pkcs8: bytes)]
    case .encryptedPrivateKey: return [try PrivateKey(encryptedPKCS8: bytes, &decryption)]
    case .rsaPrivateKey: return [try PrivateKey(traditional: bytes, type: EVP_PKEY_RSA)]
    case .ecPrivateKey: return [try PrivateKey(traditional: bytes, type: EVP_PKEY_EC)]
    case .pkcs12:
      var file = try PKCS12File(bytes, decryption)
      return try file.privateKeys()
    default: throw KeyError.file(.found(form, wanted: .privateKey))
    }
  }

  /// The public key that it is.
  ///
  /// - Throws: ``KeyFileFault/found(_:wanted:)``, ``KeyError/unreadable(_:)``,
  ///   ``KeyError/trailingBytes``, ``KeyError/pointNotOnCurve``.
  func publicKey(wanted: KeyFileFault.Wanted) throws(KeyError) -> PublicKey {
    switch (form, contents) {
    case (_, .publicJWK(let key)): return key
    case (.publicKey, .der(let bytes)): return try PublicKey(spki: bytes.copied())
    default: throw .file(.found(form, wanted: wanted))
    }
  }

  /// The private keys and certificates of a PKCS#12 file.
  func pkcs12Items(_ decryption: KeyDecryption) throws -> [PinnableItem] {
    guard form == .pkcs12, case .der(let bytes) = contents else {
      throw KeyError.file(.found(form, wanted: .key))
    }
    var file = try PKCS12File(bytes, decryption)
    return try file.items()
  }

  /// - Parameter index: its place in the file, for the error.
  /// - Throws: ``KeyFileFault/found(_:wanted:)`` or ``CertificateError``.
  func certificate(index: Int) throws -> Certificate {
    guard form == .certificate, case .der(let bytes) = contents else {
      throw KeyError.file(.found(form, wanted: .key))
    }
    return try Certificate(der: bytes.copied(), index: index)
  }

  func request() throws(KeyError) -> CertificateRequest {
    guard form == .certificateRequest, case .der(let bytes) = contents else {
      throw .file(.found(form, wanted: .key))
    }
    return try CertificateRequest(der: bytes)
  }
}

/// What the first bytes of a file say it is.
private enum Guess {
  case der(KeyForm)
  case json, openSSH, text

  init(of bytes: Span<UInt8>) {
    if let form = KeyForm(der: bytes) {
      self = .der(form)
      return
    }
    var start = 0
    while start < bytes.count, [0x09, 0x0a, 0x0d, 0x20].contains(bytes[start]) { start += 1 }
    // Before any text that is no key: the longest of OpenSSH's prefixes has 11 characters.
    let rest = bytes.extracting(start..<min(start + 11, bytes.count))
    let head = String(decoding: rest.indices.map { rest[$0] }, as: UTF8.self)
    if head.hasPrefix("{") {
      self = .json
    } else if ["ssh-", "ecdsa-sha2-", "sk-"].contains(where: head.hasPrefix) {
      self = .openSSH
    } else {
      self = .text
    }
  }
}
