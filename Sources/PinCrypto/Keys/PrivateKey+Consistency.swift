internal import COpenSSL

extension PrivateKey {
  /// Checks that the numbers of an RSA or EC key belong together: a damaged or forged key would sign
  /// what its public half refuses, or give itself away.
  ///
  /// libcrypto's own check of RSA keys also tests for primes, which takes seconds; a key whose
  /// factors are not prime harms its owner alone.
  /// - Throws: ``KeyFileFault/inconsistent(_:)``, ``KeyFileFault/unsupportedRSA``.
  func checkConsistency() throws(KeyError) {
    OpenSSLError.clear()
    defer { OpenSSLError.clear() }
    try unsafe withPointer { key throws(KeyError) in
      switch unsafe EVP_PKEY_get_base_id(key) {
      case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: unsafe try Self.checkRSA(key)
      case EVP_PKEY_EC:
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { throw .openSSL(.drained()) }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_check(context) == 1 else {
          throw .file(.inconsistent("d is out of range, or the point is not d times the generator"))
        }
      default: break
      }
    }
  }

  /// RFC 8017 §3.2.
  private static func checkRSA(_ key: OpaquePointer) throws(KeyError) {
    guard unsafe EVP_PKEY_get_bits(key) <= KeyLimits.rsaBits,
      unsafe SecretNumber(RSANumber.thirdPrimeParameter, of: key) == nil
    else { throw .file(.unsupportedRSA) }
    guard let n = unsafe SecretNumber(RSANumber.n.parameter, of: key),
      let e = unsafe SecretNumber(RSANumber.e.parameter, of: key),
      let d = unsafe SecretNumber(RSANumber.d.parameter, of: key),
      let p = unsafe SecretNumber(RSANumber.p.parameter, of: key),
      let q = unsafe SecretNumber(RSANumber.q.parameter, of: key),
      let dp = unsafe SecretNumber(RSANumber.dp.parameter, of: key),
      let dq = unsafe SecretNumber(RSANumber.dq.parameter, of: key),
      let qi = unsafe SecretNumber(RSANumber.qi.parameter, of: key)
    else { throw .file(.inconsistent("a number is missing")) }
    let arithmetic = try SecretArithmetic()
    guard let product = arithmetic.product(p, q), product.equals(n) else {
      throw .file(.inconsistent("n is not p·q"))
    }
    guard let p1 = p.predecessor, let q1 = q.predecessor,
      let one = arithmetic.product(e, d, modulo: p1), one.isOne,
      let another = arithmetic.product(e, d, modulo: q1), another.isOne
    else { throw .file(.inconsistent("e·d is not 1 modulo p − 1 and q − 1")) }
    guard let remainder = arithmetic.remainder(d, modulo: p1), remainder.equals(dp) else {
      throw .file(.inconsistent("dp is not d modulo p − 1"))
    }
    guard let remainder = arithmetic.remainder(d, modulo: q1), remainder.equals(dq) else {
      throw .file(.inconsistent("dq is not d modulo q − 1"))
    }
    guard let inverse = arithmetic.product(qi, q, modulo: p), inverse.isOne else {
      throw .file(.inconsistent("qi is not the inverse of q modulo p"))
    }
  }
}
