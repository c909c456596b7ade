/// What a key is, as far as signatures and people care.
public enum KeyKind: Hashable, Sendable, CustomStringConvertible {
  /// rsaEncryption (RFC 8017), which does PKCS#1 v1.5 and PSS.
  case rsa(bits: Int)
  /// id-RSASSA-PSS (RFC 4055 §3.1), which does PSS alone.
  case rsaPSS(bits: Int)
  /// One of the curves that a policy may be signed on.
  case ec(SignatureAlgorithm.Curve)
  /// A key that has a SubjectPublicKeyInfo to pin, but signs no policy: `Ed25519`, `EC secp256k1`.
  case other(String)

  public var description: String {
    switch self {
    case .rsa(let bits): "RSA \(bits)"
    case .rsaPSS(let bits): "RSASSA-PSS \(bits)"
    case .ec(let curve): "EC \(curve.rawValue)"
    case .other(let name): name
    }
  }
}

/// What an id-RSASSA-PSS key restricts its signatures to (RFC 4055 §3.1).
package struct PSSParameters: Hashable, Sendable {
  /// nil for a digest that no algorithm of RFC 7518 uses.
  package let digest: Digest?
  package let maskDigest: Digest?
  /// The shortest salt, in bytes.
  package let minimumSaltBytes: Int

  package func allow(_ algorithm: SignatureAlgorithm) -> Bool {
    digest == algorithm.digest && maskDigest == algorithm.digest
      && minimumSaltBytes <= algorithm.digest.byteCount
  }
}

/// The numbers of a public key, big-endian.
package enum PublicKeyNumbers: Hashable, Sendable {
  /// Without leading zeros.
  case rsa(modulus: [UInt8], exponent: [UInt8])
  /// Of the curve's coordinate length.
  case ec(SignatureAlgorithm.Curve, x: [UInt8], y: [UInt8])
  /// An encoded point (RFC 8032).
  case edwards(EdwardsCurve, point: [UInt8])
  case other
}

/// A curve whose keys can be pinned but sign no policy (RFC 8037 §2, RFC 8410 §3).
package enum EdwardsCurve: String, CaseIterable, Sendable {
  case ed25519 = "Ed25519"
  case ed448 = "Ed448"

  /// Bytes of a public key.
  package var keyBytes: Int {
    switch self {
    case .ed25519: 32
    case .ed448: 57
    }
  }
}
