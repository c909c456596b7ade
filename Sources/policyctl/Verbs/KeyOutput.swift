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
    try write([order(secret, path, .owner, force)].compactMap(\.self))
    if path == "-" { output.secret(secret) }
  }

  /// Writes a public key.
  static func write(
    _ bytes: [UInt8], to path: String, force: Bool, _ output: Output
  ) throws(Failure) {
    try write([order(SecretBytes(copying: bytes), path, .usual, force)].compactMap(\.self))
    if path == "-" { output.bytes(bytes) }
  }

  /// Writes both halves of a pair, or neither.
  ///
  /// The public one is named first: it can be made again of a private one that stays.
  static func write(
    _ secret: SecretBytes, to path: String, public bytes: [UInt8], to publicPath: String?,
    force: Bool, _ output: Output
  ) throws(Failure) {
    let publicOrder = publicPath.flatMap {
      order(SecretBytes(copying: bytes), $0, .usual, force)
    }
    try write([publicOrder, order(secret, path, .owner, force)].compactMap(\.self))
    if path == "-" { output.secret(secret) }
    if publicPath == "-" { output.bytes(bytes) }
  }

  private static func order(
    _ contents: SecretBytes, _ path: String, _ access: AtomicFile.Access, _ force: Bool
  ) -> AtomicFile.Order? {
    guard path != "-" else { return nil }
    return AtomicFile.Order(
      contents: contents, path: path, access: access, existing: force ? .replace : .refuse)
  }

  private static func write(_ orders: [AtomicFile.Order]) throws(Failure) {
    do { try AtomicFile.write(orders) } catch { throw failure(error) }
  }

  static func exists(_ path: String) -> Failure { failure(FileError.exists(path: path)) }

  private static func failure(_ error: FileError) -> Failure {
    var hint: String?
    if case .exists = error { hint = "give --force to replace it, or another name" }
    return Failure(error, status: .badInput, hint: hint)
  }
}
