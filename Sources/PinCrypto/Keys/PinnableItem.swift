public import PinPolicy

/// Something in a file that an SPKI pin can be made of.
public enum PinnableItem: Sendable {
  case key(KeyItem)
  case certificate(Certificate)

  /// Reads the keys, certificate requests and certificates of a file, in its order.
  ///
  /// Beside what ``KeyItem/all(in:passphrase:)`` reads: certificates in PEM, mixed with keys or not,
  /// one in DER, and all of a PKCS#12 file.
  /// - Parameter passphrase: as there.
  /// - Throws: ``KeyError``, ``CertificateError``, and what `passphrase` throws.
  public static func all(
    in file: SecretBytes, passphrase: @escaping () throws -> SecretBytes?
  ) throws -> [PinnableItem] {
    var decryption = KeyDecryption(asking: passphrase)
    var items: [PinnableItem] = []
    // `openssl ecparam -genkey` writes the curve before the key, which names it too.
    for entry in try KeyEntry.all(in: file) where entry.form != .ecParameters {
      switch entry.form {
      case .certificate: items.append(.certificate(try entry.certificate(index: items.count)))
      case .pkcs12: items += try entry.pkcs12Items(decryption)
      default: items += try entry.keyItems(&decryption, wanted: .pinnable).map(PinnableItem.key)
      }
    }
    guard !items.isEmpty else { throw KeyError.file(.found(.ecParameters, wanted: .pinnable)) }
    return items
  }

  public var spkiPin: SPKIPin {
    switch self {
    case .key(let item): item.publicKey.spkiPin
    case .certificate(let certificate): certificate.spki
    }
  }

  /// The key's type and size; of a key that libcrypto can't read, the algorithm's name.
  public var keyDescription: String {
    switch self {
    case .key(let item): item.publicKey.kind.description
    case .certificate(let certificate): certificate.keyDescription
    }
  }
}

extension Certificate {
  /// The key's type and size, `EC P-256`; of a key that libcrypto can't read, the algorithm's name.
  public var keyDescription: String { keyKind?.description ?? keyAlgorithm }
}
