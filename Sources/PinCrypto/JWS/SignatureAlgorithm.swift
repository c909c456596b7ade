public import PinPolicy

/// A signature algorithm of RFC 7518 §3.1. There is no `none`, and no HMAC: a policy's readers
/// must not be able to write one.
public enum SignatureAlgorithm: String, CaseIterable, Sendable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"

  public enum Scheme: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 7518 §3.3).
    case pkcs1
    /// RSASSA-PSS, MGF1 with the same digest, salt as long as the digest (RFC 7518 §3.5).
    case pss
    /// ECDSA over the one curve that the algorithm names (RFC 7518 §3.4).
    case ecdsa(Curve)
  }

  public enum Curve: String, CaseIterable, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// Bytes of a coordinate, and of each half of a raw signature.
    public var coordinateBytes: Int {
      switch self {
      case .p256: 32
      case .p384: 48
      case .p521: 66
      }
    }

    public var algorithm: SignatureAlgorithm {
      switch self {
      case .p256: .es256
      case .p384: .es384
      case .p521: .es512
      }
    }
  }

  /// Reads the header's `alg`: the registered token, and in profile `cnpinning` its a–z form too.
  ///
  /// Compared byte for byte: mixed case is another text.
  public init?(token: String, profile: Profile) {
    if let registered = SignatureAlgorithm(rawValue: token) {
      self = registered
      return
    }
    guard profile == .cnpinning, token == token.lowercased(),
      token.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    self.init(rawValue: token.uppercased())
  }

  /// The token in a–z, as CNPinning's clients read it.
  public var lowercaseToken: String { rawValue.lowercased() }

  public var scheme: Scheme {
    switch self {
    case .rs256, .rs384, .rs512: .pkcs1
    case .ps256, .ps384, .ps512: .pss
    case .es256: .ecdsa(.p256)
    case .es384: .ecdsa(.p384)
    case .es512: .ecdsa(.p521)
    }
  }

  public var digest: Digest {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512: .sha512
    }
  }
}
