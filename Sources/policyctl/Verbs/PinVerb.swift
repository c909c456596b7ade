import PinCrypto
import PinPolicy
import StrictJSON

extension Verb {
  /// Prints the pins of keys.
  static let pin = Verb(
    name: "pin", summary: "print the SPKI pins of certificates, keys and certificate requests",
    explanation: [
      "A pin is the SHA-256 of the SubjectPublicKeyInfo, as policies hold it: of certificates, keys "
        + "and requests in PEM (bundles too, mixed or not) or DER, of JWKs, and of all that a PKCS#12 "
        + "file holds. A backup key has a pin before it has a certificate."
    ],
    operands: [.init(name: "FILE", isRepeatable: true)],
    options: [.passphraseFile, .passphraseVariable],
    rules: [.atMostOne(["passphrase-file", "passphrase-env"])],
    examples: [
      .init(command: "policyctl pin chain.pem backup.csr", meaning: "what does a policy pin?")
    ],
    run: PinVerb.run)
}

enum PinVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let passphrase = PassphraseSource(
      arguments, file: .passphraseFile, variable: .passphraseVariable)
    var status = ExitStatus.success
    for path in arguments.operands {
      do throws(Failure) {
        let items = try KeyFile.pinnableItems(path, asking: passphrase)
        for (index, item) in items.enumerated() { print(item, index, path, output) }
      } catch {
        // The other files are read all the same.
        status = status.worse(error.status)
        output.json(
          .object([JSONMember("file", .string(path)), JSONMember("error", error.json)]))
        if !output.isJSON { output.explain(error) }
      }
    }
    return status
  }

  private static func print(
    _ item: PinnableItem, _ index: Int, _ path: String, _ output: Output
  ) {
    let pin = item.spkiPin.description
    let names = item.commonNames
    output.json(
      .object([
        JSONMember("file", .string(path)), JSONMember("index", .integer(Int64(index))),
        JSONMember("kind", .string(item.kind)),
        JSONMember("commonNames", .array(names.map { .string($0) })),
        JSONMember("key", .string(item.keyDescription)), JSONMember("spki", .string(pin)),
      ]))
    let name = names.isEmpty ? "" : ", " + names.map(PrintableText.quoted).joined(separator: " ")
    output.line("\(pin, .strong)  \(path): \(item.kind), \(item.keyDescription)\(name)")
  }
}
