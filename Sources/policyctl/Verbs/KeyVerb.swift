import PinCrypto
import PinPolicy
import StrictJSON

extension Verb {
  /// Makes, shows and converts keys.
  static let key = Verb(
    name: "key", summary: "make, show and convert keys",
    verbs: [newKey("key new"), showKey, convertKey, identifyKey], run: nil)

  /// The same as `key new`.
  static let keygen = newKey("keygen")

  private static let passphrase: [Option] = [.passphraseFile, .passphraseVariable]
  private static let onePassphrase = OptionRule.atMostOne(["passphrase-file", "passphrase-env"])

  private static let showKey = Verb(
    name: "key show", summary: "show the public half of a key",
    explanation: [
      "Reads a key of any kind, public or private, or a certificate request: PEM, DER, JWK, JWK "
        + "Set or PKCS#12. Nothing secret is shown."
    ],
    operands: [.init(name: "FILE")], options: passphrase, rules: [onePassphrase],
    examples: [.init(command: "policyctl key show signing.pem", meaning: "what key is this?")],
    run: KeyVerb.show)

  private static let identifyKey = Verb(
    name: "key id", summary: "print the id of a key",
    explanation: [
      "The id is the RFC 7638 thumbprint that a signed policy's kid holds: SHA-256, base64url."
    ],
    operands: [.init(name: "FILE")], options: passphrase, rules: [onePassphrase],
    examples: [
      .init(command: "policyctl key id signing.pub.pem", meaning: "which kid does it have?")
    ],
    run: KeyVerb.identify)

  private static let convertKey = Verb(
    name: "key convert", summary: "write a key in another form",
    explanation: [
      "A private key stays one unless --public is given. It is written encrypted, under the "
        + "passphrase that it had unless another one is given; a private JWK can't be encrypted and "
        + "needs --no-passphrase. A file that is there is not replaced without --force."
    ],
    operands: [.init(name: "FILE")],
    options: [
      .convertTo, .publicHalf, .output, .passphraseFile, .passphraseVariable, .newPassphraseFile,
      .newPassphraseVariable, .noPassphrase, .force,
    ],
    rules: [
      .required("to"), onePassphrase,
      .atMostOne(["new-passphrase-file", "new-passphrase-env", "no-passphrase"]),
      .atMostOne(["public", "no-passphrase"]),
    ],
    examples: [
      .init(
        command: "policyctl key convert signing.pem --public --to jwk -o signing.pub.jwk",
        meaning: "the public half for software that reads JWKs")
    ],
    run: ConvertKeyVerb.run)
}

enum KeyVerb {
  static func show(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = arguments.operands[0]
    for item in try items(arguments) {
      let key = item.publicKey
      let pem: String
      do { pem = try key.spkiPEM() } catch { throw Failure(error, status: .badInput, about: path) }
      var fault: KeyError?
      do { try key.checkFitForPolicies() } catch { fault = error }
      let algorithms = fault == nil ? key.supportedAlgorithms.map(\.rawValue) : []
      output.json(
        .object([
          JSONMember("file", .string(path)), JSONMember("kind", .string(item.kind)),
          JSONMember("key", .string(key.kind.description)),
          JSONMember("keyID", key.thumbprint.map { .string($0) } ?? .null),
          JSONMember("algorithms", .array(algorithms.map { .string($0) })),
          JSONMember("spki", .string(key.spkiPin.description)),
          JSONMember("jwk", key.jwk ?? .null),
        ]))
      output.line("\(path): \(item.kind.replacingDashes, .strong), \(key.kind.description)")
      output.fields([
        ("key id", Line(key.thumbprint ?? "none: such keys have no JWK")),
        (
          "may sign policies",
          fault.map { "\("no", .warning): \($0.message)" }
            ?? Line(algorithms.joined(separator: " "))
        ),
        ("pin", Line(key.spkiPin.description)),
      ])
      for line in pem.split(separator: "\n") { output.line(Line(String(line))) }
    }
    return .success
  }

  static func identify(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = arguments.operands[0]
    for item in try items(arguments) {
      guard let identifier = item.publicKey.thumbprint else {
        throw Failure(
          KeyError.unfitKind(item.publicKey.kind), status: .badInput, about: path)
      }
      output.json(
        .object([JSONMember("file", .string(path)), JSONMember("keyID", .string(identifier))]))
      output.line(Line(identifier))
    }
    return .success
  }

  private static func items(_ arguments: Arguments) throws(Failure) -> [KeyItem] {
    let passphrase = PassphraseSource(
      arguments, file: .passphraseFile, variable: .passphraseVariable)
    return try KeyFile.items(arguments.operands[0], asking: passphrase)
  }
}

extension String {
  /// `private-key` as people write it.
  fileprivate var replacingDashes: String { String(map { $0 == "-" ? " " : $0 }) }
}
