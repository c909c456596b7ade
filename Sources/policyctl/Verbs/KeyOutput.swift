import PinCrypto
import PinPolicy

/// Where keys are written to.
enum KeyOutput {
  /// Writes a private key: for its owner's eyes alone, never over a file unless told to.
  ///
  /// - Throws: exit 3.
  static func write(
    _ secret: SecretBytes, to path: String, force: Bool, _ output: Output
  ) throws(Failure) {
    guard path != "-" else { return output.secret(secret) }
    do {
      try AtomicFile.write(secret, to: path, existing: force ? .replace : .refuse)
    } catch { throw failure(error) }
  }

  /// Writes a public key.
  static func write(
    _ bytes: [UInt8], to path: String, force: Bool, _ output: Output
  ) throws(Failure) {
    guard path != "-" else { return output.bytes(bytes) }
    do {
      try AtomicFile.write(bytes, to: path, existing: force ? .replace : .refuse)
    } catch { throw failure(error) }
  }

  static func exists(_ path: String) -> Failure { failure(FileError.exists(path: path)) }

  private static func failure(_ error: FileError) -> Failure {
    var hint: String?
    if case .exists = error { hint = "give --force to replace it, or another name" }
    return Failure(error, status: .badInput, hint: hint)
  }
}
