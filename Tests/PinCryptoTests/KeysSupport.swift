import Foundation
import PinCrypto
import TestSupport
import Testing

/// The `openssl` command in a folder of its own: keys in every form, made by a program that is not
/// on test.
final class Workbench: Sendable {
  struct Failed: Error {
    let command: String
    let errors: String
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let passphrase = "correct horse"

  func path(_ name: String) -> String { folder.file(name).path }
  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.file(name))) }
  func put(_ bytes: some Collection<UInt8>, at name: String) throws {
    try Data(bytes).write(to: folder.file(name))
  }

  /// Runs a command whose words are separated by one space each; files are in the folder.
  @discardableResult
  func run(_ command: String, input: [UInt8] = []) throws -> [UInt8] {
    let words = command.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let name = words.first, let program = ChildProcess.find(name) else {
      throw Failed(command: command, errors: "no such program")
    }
    let outcome = try ChildProcess.run(
      program, Array(words.dropFirst()), input: input, in: folder.url)
    guard outcome.status == 0 else {
      throw Failed(command: command, errors: outcome.errorText)
    }
    return outcome.output
  }

  /// Makes a private key in PKCS#8 PEM.
  func makeKey(_ kind: String, at name: String) throws {
    let options =
      switch kind {
      case "P-256", "P-384", "P-521": "EC -pkeyopt ec_paramgen_curve:\(kind)"
      case "secp256k1": "EC -pkeyopt ec_paramgen_curve:secp256k1"
      case "RSA": "RSA -pkeyopt rsa_keygen_bits:2048"
      case "RSA-PSS": "RSA-PSS -pkeyopt rsa_keygen_bits:2048"
      default: kind
      }
    try run("openssl genpkey -algorithm \(options) -out \(name)")
  }

  /// The SubjectPublicKeyInfo as `openssl` writes it.
  func spki(of name: String) throws -> [UInt8] {
    try run("openssl pkey -in \(name) -pubout -outform DER")
  }
}

extension SecretBytes {
  convenience init(_ text: String) { self.init(copying: text.utf8) }
  var text: String { String(decoding: copied(), as: UTF8.self) }
}

/// Reads a private key; without a passphrase, asking for one is a failure of the test.
func readPrivate(
  _ bytes: [UInt8], _ passphrase: String? = nil, location: SourceLocation = #_sourceLocation
) throws -> PrivateKey {
  try PrivateKey(reading: SecretBytes(copying: bytes)) {
    #expect(passphrase != nil, "asked for a passphrase", sourceLocation: location)
    return passphrase.map { SecretBytes($0) }
  }
}
