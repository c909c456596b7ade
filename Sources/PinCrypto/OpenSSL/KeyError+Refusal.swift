public import PinPolicy
public import StrictJSON

extension KeyError {
  public var category: FailureCategory { .key }

  public var code: String {
    switch self {
    case .unreadable: "unreadable-key"
    case .trailingBytes: "trailing-bytes"
    case .notDER: "not-der"
    case .notOnePEMBlock: "not-one-pem-block"
    case .notPublicKeyPEM: "not-public-key-pem"
    case .file(let fault): fault.code
    case .unfitKind: "unfit-key-kind"
    case .rsaSize: "rsa-size"
    case .rsaExponent: "rsa-exponent"
    case .rsaModulus: "rsa-modulus"
    case .rocaModulus: "roca-modulus"
    case .pssParameters: "pss-parameters"
    case .explicitCurve: "explicit-curve"
    case .pointNotOnCurve: "point-not-on-curve"
    case .json: "json"
    case .jwk: "jwk"
    case .unusableKeys: "unusable-keys"
    case .algorithmsNotStated: "algorithms-not-stated"
    case .algorithmsNotPossible: "algorithms-not-possible"
    case .duplicateIdentifier: "duplicate-identifier"
    case .demoKey: "demo-key"
    case .noKeys: "no-keys"
    case .openSSL: "openssl"
    }
  }

  public var message: String {
    switch self {
    case .unreadable(let error): "This is not a key that can be read (OpenSSL: \(error))."
    case .trailingBytes: "Bytes follow the key: give the key alone."
    case .notDER:
      "The key is not in DER. Write it anew: openssl pkey -pubin -in FILE -pubout."
    case .notOnePEMBlock(0): "No PEM block is here: -----BEGIN PUBLIC KEY----- is expected."
    case .notOnePEMBlock(let found):
      "\(found) PEM blocks are here: a trusted key is one PUBLIC KEY block, alone."
    case .notPublicKeyPEM(let label):
      "This is a PEM block \(PrintableText.quoted(label)) where PUBLIC KEY belongs. "
        + Self.hint(label)
    case .file(let fault): fault.message
    case .unfitKind(let kind):
      "A policy is not signed with a key of kind \(kind): RSA of 2048 to 8192 bits, or EC on "
        + "P-256, P-384 or P-521."
    case .rsaSize(let bits): "The RSA key has \(bits) bits; 2048 to 8192 are taken."
    case .rsaExponent:
      "The RSA key's public exponent is not an odd number from 65537 to 2^64."
    case .rsaModulus: "The RSA key's modulus is even."
    case .rocaModulus:
      "The RSA key has the ROCA weakness (CVE-2017-15361): its private half can be computed. "
        + "Replace it."
    case .pssParameters:
      "The RSASSA-PSS key's parameters fit none of PS256, PS384 and PS512: digest and MGF1 digest "
        + "must be the same of SHA-256, SHA-384, SHA-512, the salt no longer than it."
    case .explicitCurve: "The EC key spells its curve out; it must name it."
    case .pointNotOnCurve: "The EC key's point is not on its curve."
    case .json(let error):
      "The JWK is not JSON that can be read, line \(error.line), column \(error.column): "
        + PrintableText.cut(PrintableText.escape("\(error.reason)."))
    case .jwk(let member, let fault): "The JWK's member \(member) \(fault.clause)."
    case .unusableKeys(let keys):
      "Of the JWK Set can't be used: "
        + keys.map { "key \($0.index): \($0.reason.message)" }.joined(separator: " ")
    case .algorithmsNotStated(let kind):
      "A key of kind \(kind) does several algorithms: say which it is trusted for."
    case .algorithmsNotPossible(let stated, let possible):
      "The key may be used for \(Self.list(possible)), not for \(Self.list(stated))."
    case .duplicateIdentifier(let identifier):
      "Two trusted keys have the id \(PrintableText.quoted(identifier)). Give a key once, with all "
        + "its algorithms."
    case .demoKey(let identifier):
      "\(identifier) is a demo key: everyone has its private half."
    case .noKeys: "No trusted key is given."
    case .openSSL(let error): "OpenSSL could not work with the key: \(error)."
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .notOnePEMBlock(let found): [JSONMember("found", .integer(Int64(found)))]
    case .notPublicKeyPEM(let label): [JSONMember("label", .string(label))]
    case .file(let fault): fault.detail
    case .unfitKind(let kind), .algorithmsNotStated(let kind):
      [JSONMember("kind", .string(kind.description))]
    case .rsaSize(let bits): [JSONMember("bits", .integer(Int64(bits)))]
    case .json(let error):
      [
        JSONMember("line", .integer(Int64(error.line))),
        JSONMember("column", .integer(Int64(error.column))),
      ]
    case .jwk(let member, _): [JSONMember("member", .string(member))]
    case .unusableKeys(let keys):
      [
        JSONMember(
          "keys",
          .array(
            keys.map {
              .object([
                JSONMember("index", .integer(Int64($0.index))),
                JSONMember("code", .string($0.reason.code)),
                JSONMember("message", .string($0.reason.message)),
              ])
            }))
      ]
    case .algorithmsNotPossible(let stated, let possible):
      [
        JSONMember("stated", .array(stated.map { .string($0.rawValue) })),
        JSONMember("possible", .array(possible.map { .string($0.rawValue) })),
      ]
    case .duplicateIdentifier(let identifier), .demoKey(let identifier):
      [JSONMember("keyID", .string(identifier))]
    case .unreadable, .trailingBytes, .notDER, .rsaExponent, .rsaModulus, .rocaModulus,
      .pssParameters, .explicitCurve, .pointNotOnCurve, .noKeys, .openSSL:
      []
    }
  }

  private static func list(_ algorithms: [SignatureAlgorithm]) -> String {
    algorithms.map(\.rawValue).joined(separator: ", ")
  }

  /// What to do with a file that is something else (RFC 7468 §4 lists the labels).
  private static func hint(_ label: String) -> String {
    switch label {
    case "RSA PUBLIC KEY":
      "It is PKCS#1; convert it: openssl rsa -RSAPublicKey_in -in FILE -pubout."
    case "CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE":
      "It is a certificate; take its key: openssl x509 -in FILE -noout -pubkey."
    case _ where label.hasSuffix("PRIVATE KEY"):
      "It is a private key, which stays with the signer; give its public half: "
        + "openssl pkey -in FILE -pubout."
    default: "Give the public key alone."
    }
  }
}

extension JWKFault {
  fileprivate var clause: String {
    switch self {
    case .missing: "is missing"
    case .wrongType: "has the wrong type"
    case .notBase64URL: "is not base64url"
    case .wrongLength(let expected): "does not have exactly \(expected) bytes"
    case .leadingZeros: "has leading zeros"
    case .unsupported: "has a value that no policy's key has"
    case .secret: "belongs to a private key, which stays with the signer"
    }
  }
}
