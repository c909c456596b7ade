import PinCrypto
import PinPolicy

/// A file of certificates: PEM, one in DER, or PKCS#12.
enum CertificateFile {
  /// A bundle of every root that a platform ships has a quarter of this.
  private static let mostBytes = 1024 * 1024

  /// - Parameter readers: the options whose files may be encrypted.
  static func rules(_ readers: [String]) -> [OptionRule] {
    [
      .needs("passphrase-file", readers), .needs("passphrase-env", readers),
      .atMostOne(["passphrase-file", "passphrase-env"]),
    ]
  }

  /// - Throws: exit 3.
  static func bytes(_ path: String, limit: Int = mostBytes) throws(Failure) -> [UInt8] {
    do { return try BoundedFile.read(path, limit: limit) } catch {
      throw Failure(error, status: .badInput)
    }
  }

  /// The certificates in their order; those of a PKCS#12 file, which has none, after the one that is
  /// for the private key beside them.
  ///
  /// - Throws: exit 3.
  static func read(
    _ path: String, _ arguments: Arguments, atMost most: Int
  ) throws(Failure) -> [Certificate] {
    let bytes = try bytes(path)
    do {
      guard isPKCS12(bytes) else { return try Certificate.all(in: bytes, atMost: most) }
      let passphrase = PassphraseSource(
        arguments, file: .passphraseFile, variable: .passphraseVariable)
      let items = try PinnableItem.all(in: SecretBytes(copying: bytes)) {
        try passphrase.passphrase(of: path)
      }
      return try certificates(items, atMost: most)
    } catch { throw KeyFile.failure(error, path) }
  }

  private static func certificates(
    _ items: [PinnableItem], atMost most: Int
  ) throws(CertificateError) -> [Certificate] {
    var certificates: [Certificate] = []
    var keys: Set<SPKIPin> = []
    for item in items {
      switch item {
      case .certificate(let certificate): certificates.append(certificate)
      case .key(let key): keys.insert(key.publicKey.spkiPin)
      }
    }
    guard !certificates.isEmpty else { throw .empty }
    guard certificates.count <= most else { throw .tooMany(limit: most) }
    return certificates.filter { keys.contains($0.spki) }
      + certificates.filter { !keys.contains($0.spki) }
  }

  /// RFC 7292 §4: a PFX begins with the version 3, a certificate with another SEQUENCE.
  private static func isPKCS12(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    let lengthBytes = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7f)
    return bytes.dropFirst(2 + lengthBytes).starts(with: [0x02, 0x01, 0x03])
  }
}
