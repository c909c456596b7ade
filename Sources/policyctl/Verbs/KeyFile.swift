import PinCrypto
import PinPolicy

/// Reads key files, asking for a passphrase where one is needed.
enum KeyFile {
  /// The one private key of a file.
  ///
  /// - Throws: exit 3.
  static func privateKey(
    _ path: String, asking passphrase: PassphraseSource
  ) throws(Failure) -> PrivateKey {
    let bytes = try read(path)
    do {
      return try PrivateKey(reading: bytes) { try passphrase.passphrase(of: path) }
    } catch { throw failure(error, path) }
  }

  /// Everything in a file that has a public half.
  ///
  /// - Throws: exit 3.
  static func items(
    _ path: String, asking passphrase: PassphraseSource
  ) throws(Failure) -> [KeyItem] {
    let bytes = try read(path)
    do {
      return try KeyItem.all(in: bytes) { try passphrase.passphrase(of: path) }
    } catch { throw failure(error, path) }
  }

  /// Everything in a file that can be pinned.
  ///
  /// - Throws: exit 3.
  static func pinnableItems(
    _ path: String, asking passphrase: PassphraseSource
  ) throws(Failure) -> [PinnableItem] {
    let bytes = try read(path)
    do {
      return try PinnableItem.all(in: bytes) { try passphrase.passphrase(of: path) }
    } catch { throw failure(error, path) }
  }

  static func read(_ path: String) throws(Failure) -> SecretBytes {
    do { return try BoundedFile.readSecret(path, limit: KeyLimits.fileBytes) } catch {
      throw Failure(error, status: .badInput)
    }
  }

  /// Reading throws ``KeyError``, ``CertificateError`` or another refusal, and what asking for the
  /// passphrase throws.
  static func failure(_ error: any Error, _ path: String) -> Failure {
    switch error {
    case let failure as Failure: failure
    case let refusal as any Refusal: Failure(refusal, status: .badInput, about: path)
    default: .unexpected(error)
    }
  }
}

extension KeyItem {
  /// `pin --json`'s word for it.
  var kind: String {
    switch self {
    case .publicKey: "public-key"
    case .privateKey: "private-key"
    case .request: "csr"
    }
  }

  var commonNames: [String] {
    if case .request(let request) = self { request.commonNames } else { [] }
  }
}

extension PinnableItem {
  /// `pin --json`'s word for it.
  var kind: String {
    switch self {
    case .key(let item): item.kind
    case .certificate: "certificate"
    }
  }

  var commonNames: [String] {
    switch self {
    case .key(let item): item.commonNames
    case .certificate(let certificate): certificate.commonName.names
    }
  }
}
