internal import COpenSSL

/// What libcrypto says about an `EVP_PKEY`'s public half.
struct KeyDescription {
  let kind: KeyKind
  let numbers: PublicKeyNumbers
  let pssParameters: PSSParameters?
  let hasExplicitCurve: Bool

  init(of key: KeyParameters) throws(KeyError) {
    OpenSSLError.clear()
    // Parameters that a key does not have are no failures: leave no trace of the asking.
    defer { OpenSSLError.clear() }
    let bits = key.bits
    switch key.type {
    case EVP_PKEY_RSA:
      kind = .rsa(bits: bits)
      numbers = try Self.rsaNumbers(of: key)
      pssParameters = nil
      hasExplicitCurve = false
    case EVP_PKEY_RSA_PSS:
      kind = .rsaPSS(bits: bits)
      numbers = try Self.rsaNumbers(of: key)
      pssParameters = Self.pssParameters(of: key)
      hasExplicitCurve = false
    case EVP_PKEY_EC:
      let group = key.text(OSSL_PKEY_PARAM_GROUP_NAME)
      hasExplicitCurve = key.integer(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS) != 0
      pssParameters = nil
      guard let curve = group.flatMap(SignatureAlgorithm.Curve.init(groupName:)) else {
        kind = .other(group.map { "EC " + $0 } ?? "EC")
        numbers = .other
        return
      }
      kind = .ec(curve)
      // The point at infinity has no coordinates; the fitness check refuses such a key.
      if let x = key.number(OSSL_PKEY_PARAM_EC_PUB_X, byteCount: curve.coordinateBytes),
        let y = key.number(OSSL_PKEY_PARAM_EC_PUB_Y, byteCount: curve.coordinateBytes)
      {
        numbers = .ec(curve, x: x, y: y)
      } else {
        numbers = .other
      }
    default:
      let name = key.typeName ?? "unknown key type"
      let curve = EdwardsCurve.allCases.first { $0.rawValue.uppercased() == name }
      kind = .other(curve?.rawValue ?? name)
      if let curve, let point = key.rawPublicKey(byteCount: curve.keyBytes) {
        numbers = .edwards(curve, point: point)
      } else {
        numbers = .other
      }
      pssParameters = nil
      hasExplicitCurve = false
    }
  }

  private static func rsaNumbers(of key: KeyParameters) throws(KeyError) -> PublicKeyNumbers {
    guard let modulus = key.number(OSSL_PKEY_PARAM_RSA_N),
      let exponent = key.number(OSSL_PKEY_PARAM_RSA_E)
    else { throw .openSSL(OpenSSLError.drained()) }
    return .rsa(modulus: modulus, exponent: exponent)
  }

  /// RFC 4055 §3.1: without parameters the key is unrestricted; a parameter left out has its
  /// default, SHA-1, which libcrypto then does not report.
  private static func pssParameters(of key: KeyParameters) -> PSSParameters? {
    guard let salt = key.integer(OSSL_PKEY_PARAM_RSA_PSS_SALTLEN) else { return nil }
    return PSSParameters(
      digest: key.text(OSSL_PKEY_PARAM_RSA_DIGEST).flatMap(Digest.init(openSSLName:)),
      maskDigest: key.text(OSSL_PKEY_PARAM_RSA_MGF1_DIGEST)
        .flatMap(Digest.init(openSSLName:)),
      minimumSaltBytes: salt)
  }
}

extension SignatureAlgorithm.Curve {
  /// libcrypto's name of the curve.
  package var groupName: String {
    switch self {
    case .p256: "prime256v1"
    case .p384: "secp384r1"
    case .p521: "secp521r1"
    }
  }

  init?(groupName: String) {
    guard let curve = Self.allCases.first(where: { $0.groupName == groupName }) else { return nil }
    self = curve
  }
}

extension Digest {
  init?(openSSLName name: String) {
    // RSA keys report `SHA2-256` for what is fetched as `SHA256`.
    switch name {
    case "SHA256", "SHA2-256": self = .sha256
    case "SHA384", "SHA2-384": self = .sha384
    case "SHA512", "SHA2-512": self = .sha512
    default: return nil
    }
  }
}
