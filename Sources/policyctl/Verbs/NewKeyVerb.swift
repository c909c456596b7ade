import Glibc
import PinCrypto
import PinPolicy
import StrictJSON

extension Verb {
  /// Makes a key pair.
  ///
  /// - Parameter name: it has two.
  static func newKey(_ name: String) -> Verb {
    Verb(
      name: name, summary: "make a key pair",
      explanation: [
        "Writes the private key as PKCS#8 PEM with mode 0600, encrypted under a passphrase unless "
          + "--no-passphrase is given, and prints the key's id. RS256 and PS256 keys have 2048 bits, "
          + "those of *384 3072 and of *512 4096. A file that is there is not replaced without "
          + "--force."
      ],
      options: [
        .newKeyAlgorithm, .keyOutput, .publicOutput, .passphraseFile, .passphraseVariable,
        .noPassphrase, .force,
      ],
      rules: [
        .required("output"), .atMostOne(["passphrase-file", "passphrase-env", "no-passphrase"]),
      ],
      examples: [
        .init(
          command: "policyctl \(name) --alg ES256 -o signing.pem --public-out signing.pub.pem",
          meaning: "a key to sign with, and the public half for every service")
      ],
      run: NewKeyVerb.run)
  }
}

enum NewKeyVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    guard let path = arguments.text(.keyOutput) else { return .usage }
    let publicPath = arguments.text(.publicOutput)
    let algorithm =
      arguments.text(.newKeyAlgorithm).flatMap(SignatureAlgorithm.init(rawValue:)) ?? .es256
    try checkNames(path, publicPath, arguments, output)
    var passphrase: SecretBytes?
    if !arguments.has(.noPassphrase) {
      passphrase = try PassphraseSource(
        arguments, file: .passphraseFile, variable: .passphraseVariable
      ).newPassphrase(for: path)
    }
    let key: PrivateKey
    let secret: SecretBytes
    let pem: String
    do throws(KeyError) {
      key = try PrivateKey.generate(for: algorithm)
      secret = try key.pkcs8PEM(passphrase: passphrase)
      pem = try key.publicKey.spkiPEM()
    } catch { throw Failure(error, status: .internal) }
    try KeyOutput.write(
      secret, to: path, public: Array(pem.utf8), to: publicPath, force: arguments.has(.force),
      output)
    report(key.publicKey, algorithm, arguments, path, publicPath, output)
    return .success
  }

  /// Looks for what stands in the way before anybody is asked for a passphrase. Writing refuses it
  /// all the same.
  private static func checkNames(
    _ path: String, _ publicPath: String?, _ arguments: Arguments, _ output: Output
  ) throws(Failure) {
    if let publicPath { try OutputName.check(path, differsFrom: publicPath) }
    for path in [path, publicPath].compactMap({ $0 }) {
      try OutputName.check(path, isNone: [(arguments.text(.passphraseFile), "the passphrase")])
    }
    if output.isJSON, path == "-" || publicPath == "-" {
      throw .usage(
        "conflicting-options", "--json and the key would both go to standard output",
        hint: "name a file")
    }
    guard !arguments.has(.force) else { return }
    for path in [path, publicPath].compactMap({ $0 }) where path != "-" {
      if unsafe access(path, F_OK) == 0 { throw KeyOutput.exists(path) }
    }
  }

  private static func report(
    _ key: PublicKey, _ algorithm: SignatureAlgorithm, _ arguments: Arguments, _ path: String,
    _ publicPath: String?, _ output: Output
  ) {
    let identifier = key.thumbprint ?? ""
    output.json(
      .object([
        JSONMember("output", .string(path)),
        JSONMember("publicOutput", publicPath.map { .string($0) } ?? .null),
        JSONMember("alg", .string(algorithm.rawValue)),
        JSONMember("key", .string(key.kind.description)),
        JSONMember("keyID", .string(identifier)),
      ]))
    guard path != "-", publicPath != "-" else { return output.note("key id: \(identifier)") }
    guard !output.isQuiet else { return output.line(Line(identifier)) }
    output.fields([
      ("key id", Line(identifier)), ("key", "\(key.kind.description), for \(algorithm.rawValue)"),
      (
        "private half",
        arguments.has(.noPassphrase)
          ? "\(path), \("not encrypted", .warning)" : "\(path), encrypted"
      ),
      ("public half", Line(publicPath ?? "not written: see policyctl key convert --public")),
    ])
  }
}
