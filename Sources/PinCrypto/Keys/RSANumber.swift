/// The numbers of an RSA private key, named as members of a JWK (RFC 7518 §6.3).
enum RSANumber: String, CaseIterable {
  case n, e, d, p, q, dp, dq, qi

  /// The name in provider-key(7); the header's macros for some are concatenations, which Swift
  /// does not import.
  var parameter: String {
    switch self {
    case .n: "n"
    case .e: "e"
    case .d: "d"
    case .p: "rsa-factor1"
    case .q: "rsa-factor2"
    case .dp: "rsa-exponent1"
    case .dq: "rsa-exponent2"
    case .qi: "rsa-coefficient1"
    }
  }

  /// What a key of more than two primes has.
  static let thirdPrimeParameter = "rsa-factor3"

  var isPublic: Bool { self == .n || self == .e }
}
