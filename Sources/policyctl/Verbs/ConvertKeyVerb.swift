import PinCrypto
import PinPolicy
import StrictJSON

enum ConvertKeyVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let path = arguments.operands[0]
    let target = arguments.text(.output) ?? "-"
    let form = arguments.text(.convertTo) ?? "pem"
    if output.isJSON, target == "-" {
      throw .usage(
        "conflicting-options", "--json and the key would both go to standard output",
        hint: "give --output FILE")
    }
    if form == "der", target == "-", StandardStreams.outputIsTerminal {
      throw .usage("binary-output", "DER is no text for a terminal", hint: "give --output FILE")
    }
    try OutputName.check(
      target,
      isNone: [
        (path, "the key"), (arguments.text(.passphraseFile), "the passphrase"),
        (arguments.text(.newPassphraseFile), "the new passphrase"),
      ])
    let source = PassphraseSource(
      arguments, file: .passphraseFile, variable: .passphraseVariable)
    let items = try KeyFile.items(path, asking: source)
    guard let item = items.first, items.count == 1 else {
      throw Failure(
        KeyError.file(.severalKeys(count: items.count)), status: .badInput, about: path)
    }
    let force = arguments.has(.force)
    let isPrivate: Bool
    if case .privateKey(let key) = item, !arguments.has(.publicHalf) {
      isPrivate = true
      let secret = try encode(key, form, path, source, arguments)
      try KeyOutput.write(secret, to: target, force: force, output)
    } else {
      isPrivate = false
      try KeyOutput.write(encode(item.publicKey, form, path), to: target, force: force, output)
    }
    if form == "jwk", isPrivate, target == "-" { output.bytes([UInt8(ascii: "\n")]) }
    output.json(
      .object([
        JSONMember("output", .string(target)), JSONMember("form", .string(form)),
        JSONMember("private", .bool(isPrivate)),
        JSONMember("keyID", item.publicKey.thumbprint.map { .string($0) } ?? .null),
      ]))
    guard target != "-", !output.isQuiet else { return .success }
    let encryption: Line =
      arguments.has(.noPassphrase) ? ", \("not encrypted", .warning)" : ", encrypted"
    output.fields([
      ("key id", Line(item.publicKey.thumbprint ?? "none")),
      (isPrivate ? "private half" : "public half", "\(target)\(isPrivate ? encryption : "")"),
    ])
    return .success
  }

  private static func encode(
    _ key: PublicKey, _ form: String, _ path: String
  ) throws(Failure) -> [UInt8] {
    switch form {
    case "der": return key.spkiBytes
    case "jwk":
      guard let jwk = key.jwk else {
        throw Failure(KeyError.unfitKind(key.kind), status: .badInput, about: path)
      }
      return JSONWriter.bytes(jwk, order: .asGiven) + [UInt8(ascii: "\n")]
    default:
      do { return Array(try key.spkiPEM().utf8) } catch {
        throw Failure(error, status: .internal, about: path)
      }
    }
  }

  private static func encode(
    _ key: PrivateKey, _ form: String, _ path: String, _ source: PassphraseSource,
    _ arguments: Arguments
  ) throws(Failure) -> SecretBytes {
    guard form != "jwk" || arguments.has(.noPassphrase) else {
      throw .usage(
        "passphrase-impossible", "a private key can't be encrypted as a JWK",
        hint: "give --no-passphrase to write it unencrypted, or --public for the public half")
    }
    var passphrase: SecretBytes?
    if !arguments.has(.noPassphrase) {
      let new = PassphraseSource(
        arguments, file: .newPassphraseFile, variable: .newPassphraseVariable)
      if new.isTerminal, let known = source.known {
        passphrase = known
      } else {
        passphrase = try (new.isTerminal ? source : new).newPassphrase(for: path)
      }
    }
    do throws(KeyError) {
      switch form {
      case "der": return try key.pkcs8DER(passphrase: passphrase)
      case "jwk": return try key.jwk()
      default: return try key.pkcs8PEM(passphrase: passphrase)
      }
    } catch { throw Failure(error, status: .badInput, about: path) }
  }
}
