extension PublicKey {
  /// Whether a policy may be signed with the key.
  ///
  /// libcrypto verifies with short, ROCA and e = 1 keys and explicit curves without a word.
  /// - Throws: ``KeyError/unfitKind(_:)``, ``KeyError/rsaSize(bits:)``, ``KeyError/rsaExponent``,
  ///   ``KeyError/rsaModulus``, ``KeyError/rocaModulus``, ``KeyError/pssParameters``,
  ///   ``KeyError/explicitCurve``, ``KeyError/pointNotOnCurve``.
  public func checkFitForPolicies() throws(KeyError) {
    // Whatever curve it spells out, also one that nobody knows by name.
    if hasExplicitCurve { throw .explicitCurve }
    switch (kind, numbers) {
    case (.rsa(let bits), .rsa(let modulus, let exponent)),
      (.rsaPSS(let bits), .rsa(let modulus, let exponent)):
      // Below, it can be factored (NIST SP 800-131A); above, each check costs too much.
      guard (2048...8192).contains(bits) else { throw .rsaSize(bits: bits) }
      try Self.checkExponent(exponent)
      guard let last = modulus.last, last & 1 == 1 else { throw .rsaModulus }
      if ROCA.hasFingerprint(modulus) { throw .rocaModulus }
      if supportedAlgorithms.isEmpty { throw .pssParameters }
    case (.ec, .ec):
      // d2i_PUBKEY reads no point that is not on the curve, and all three curves have cofactor 1.
      return
    case (.ec, _):
      throw .pointNotOnCurve
    default:
      throw .unfitKind(kind)
    }
  }

  /// Odd, and 65537 to 2^64: with e = 1 a message is its own signature, a small e makes sloppy
  /// padding forgeable, a wide one makes each check dear.
  private static func checkExponent(_ exponent: [UInt8]) throws(KeyError) {
    guard exponent.count <= 8 else { throw .rsaExponent }
    let value = exponent.reduce(into: UInt64(0)) { $0 = $0 &<< 8 | UInt64($1) }
    guard value >= 65537, value & 1 == 1 else { throw .rsaExponent }
  }
}

/// The test for moduli of CVE-2017-15361.
///
/// The broken generator made primes k·M + (65537^a mod M), M a product of small primes, so that
/// the modulus is a power of 65537 modulo each of them (Nemec et al., "The Return of
/// Coppersmith's Attack", 2017, §4.1). A sound modulus passes for one once in about 2^27 times.
enum ROCA {
  private static let primes: [UInt32] = [
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
  ]

  /// - Parameter modulus: big-endian.
  static func hasFingerprint(_ modulus: [UInt8]) -> Bool {
    primes.allSatisfy { prime in
      let remainder = modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % prime }
      let generator = 65537 % prime
      var power: UInt32 = 1
      repeat {
        if power == remainder { return true }
        power = power * generator % prime
      } while power != 1
      return false
    }
  }
}
