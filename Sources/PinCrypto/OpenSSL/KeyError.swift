public import PinPolicy
public import StrictJSON

/// Why a key was not taken.
public enum KeyError: Refusal, Equatable {
  // Reading.
  /// The bytes are no key in any form that is read here.
  case unreadable(OpenSSLError)
  /// Bytes follow the key.
  case trailingBytes
  /// The key reads, but is not the DER of what it says (X.690 §10): another text for the same key.
  case notDER
  /// Not exactly one PEM block.
  case notOnePEMBlock(found: Int)
  /// A PEM block with another label than `PUBLIC KEY`.
  case notPublicKeyPEM(label: String)
  /// The file is not the key that was asked for.
  case file(KeyFileFault)

  // Fitness for policies.
  /// A kind of key that signs no policy.
  case unfitKind(KeyKind)
  /// An RSA modulus outside 2048 to 8192 bits.
  case rsaSize(bits: Int)
  /// An RSA exponent that is even, below 65537 or above 2^64: with 1 anyone can forge.
  case rsaExponent
  /// An RSA modulus that is even: not the product of two large primes.
  case rsaModulus
  /// An RSA modulus with the fingerprint of CVE-2017-15361 (ROCA): it can be factored.
  case rocaModulus
  /// RSASSA-PSS parameters that fit none of PS256, PS384, PS512.
  case pssParameters
  /// A curve that is spelled out instead of named (CVE-2020-0601 is what that leads to).
  case explicitCurve
  /// The point at infinity, or one that is not on the curve.
  case pointNotOnCurve

  // JWK (RFC 7517).
  case json(JSONError)
  case jwk(member: String, JWKFault)
  /// What can't be used of a JWK Set, by index in `keys`.
  case unusableKeys([UnusableKey])

  // Trust.
  /// An RSA key does six algorithms: which it is trusted for must be said (RFC 8725 §3.1).
  case algorithmsNotStated(KeyKind)
  /// None of the algorithms that the key is given for can be done with it.
  case algorithmsNotPossible([SignatureAlgorithm], possible: [SignatureAlgorithm])
  case duplicateIdentifier(String)
  case demoKey(String)
  case noKeys

  /// libcrypto failed at something that should have worked.
  case openSSL(OpenSSLError)
}

/// What is wrong with a member of a JWK.
public enum JWKFault: Equatable, Sendable {
  case missing
  case wrongType
  case notBase64URL
  /// Not the exact length of the curve's coordinates (RFC 7518 §6.2.1.2).
  case wrongLength(expectedBytes: Int)
  /// RFC 7518 §6.3.1.1: no zero bytes in front.
  case leadingZeros
  /// A `kty` or `crv` without algorithm here, an `alg` outside the nine, a `use` other than `sig`,
  /// `key_ops` without `verify`.
  case unsupported
  /// A member that only private keys have.
  case secret
}

/// A key of a JWK Set that can't be used, and why.
public struct UnusableKey: Equatable, Sendable {
  /// In `keys`, from 0.
  public let index: Int
  public let reason: KeyError

  package init(index: Int, reason: KeyError) {
    self.index = index
    self.reason = reason
  }
}
