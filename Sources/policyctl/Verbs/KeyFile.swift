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
    } catch { throw failure(error, path, foreignForm: bytes.withSpan(foreignForm)) }
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
    } catch { throw failure(error, path, foreignForm: bytes.withSpan(foreignForm)) }
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
    } catch KeyError.file(.notAKey) {
      let reason = KeyError.file(.notAKey)
      let form =
        bytes.withSpan(foreignForm)
        ?? "This is no certificate, key or certificate request: give PEM (it begins with -----BEGIN), "
        + "DER, PKCS#12 or a JWK."
      throw failure(reason, path, foreignForm: form)
    } catch { throw failure(error, path, foreignForm: bytes.withSpan(foreignForm)) }
  }

  static func read(_ path: String) throws(Failure) -> SecretBytes {
    do { return try BoundedFile.readSecret(path, limit: KeyLimits.fileBytes) } catch {
      throw Failure(error, status: .badInput)
    }
  }

  /// Reading throws ``KeyError``, ``CertificateError`` or another refusal, and what asking for the
  /// passphrase throws.
  /// - Parameter foreignForm: what the file is, where it is known to be nothing that is read.
  static func failure(_ error: any Error, _ path: String, foreignForm: String? = nil) -> Failure {
    switch error {
    case let failure as Failure: return failure
    case let refusal as any Refusal:
      if let foreignForm {
        return Failure(
          .key, code: refusal.code, foreignForm, detail: refusal.detail, status: .badInput,
          about: path)
      }
      return Failure(refusal, status: .badInput, about: path)
    default: return .unexpected(error)
    }
  }

  /// A form that keys don't have and that is often met, and what to do; nil for any other.
  static func foreignForm(_ bytes: Span<UInt8>) -> String? {
    func begins(with mark: [UInt8]) -> Bool {
      bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
    }
    if begins(with: [0xef, 0xbb, 0xbf]) {
      return "The file begins with a byte-order mark: save it as UTF-8 without one."
    }
    if begins(with: [0xff, 0xfe]) || begins(with: [0xfe, 0xff]) {
      return "The file is UTF-16: save it as UTF-8 without a byte-order mark."
    }
    for index in bytes.indices where ![0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) {
      return bytes[index] == UInt8(ascii: "[")
        ? "The file is a JSON array: a JWK is an object, and a JWK Set {\"keys\": [ … ]}." : nil
    }
    return nil
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
