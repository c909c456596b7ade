import PinCrypto
import PinPolicy

/// Keys made for one test run, and messages signed with them.
enum Tokens {
  static let p256 = generated(.es256)
  static let otherP256 = generated(.es256)
  static let p384 = generated(.es384)
  static let p521 = generated(.es512)
  static let rsa = generated(.ps256)
  static let payload = [UInt8](#"{"iat":1}"#.utf8)

  static func key(for algorithm: SignatureAlgorithm) throws -> PrivateKey {
    switch algorithm {
    case .es256: try p256.get()
    case .es384: try p384.get()
    case .es512: try p521.get()
    default: try rsa.get()
    }
  }

  private static func generated(_ algorithm: SignatureAlgorithm) -> Result<PrivateKey, KeyError> {
    Result { () throws(KeyError) in try PrivateKey.generate(for: algorithm) }
  }

  /// A message whose signature is right, whatever its header says.
  static func message(
    header: String, payload: [UInt8] = payload, key: PrivateKey? = nil,
    algorithm: SignatureAlgorithm = .es256
  ) throws -> [UInt8] {
    let input = Base64URL.encode(header.utf8) + [UInt8(ascii: ".")] + Base64URL.encode(payload)
    let signature = try (key ?? self.key(for: algorithm)).sign(input, algorithm: algorithm)
    return input + [UInt8(ascii: ".")] + Base64URL.encode(signature)
  }

  static func trusting(
    _ keys: PrivateKey..., algorithms: [SignatureAlgorithm] = SignatureAlgorithm.allCases
  ) throws -> TrustedKeys {
    try TrustedKeys(keys.map { try TrustedKey($0.publicKey, algorithms: algorithms) })
  }

  static func thumbprint(_ key: PrivateKey) -> String { key.publicKey.thumbprint ?? "" }
}
