internal import COpenSSL

extension PrivateKey {
  /// Makes a new key pair for an algorithm, from libcrypto's random numbers.
  ///
  /// RSA keys have 2048 bits for SHA-256, 3072 for SHA-384 and 4096 for SHA-512, and the exponent
  /// 65537. The one for PSS is a plain rsaEncryption key: id-RSASSA-PSS keys are read by few.
  /// - Throws: ``KeyError/openSSL(_:)``.
  public static func generate(for algorithm: SignatureAlgorithm) throws(KeyError) -> PrivateKey {
    OpenSSLError.clear()
    let type = if case .ecdsa = algorithm.scheme { "EC" } else { "RSA" }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else {
      throw .openSSL(.drained())
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe choose(algorithm, in: context),
      unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
    else { throw .openSSL(.drained()) }
    return try unsafe PrivateKey(adopting: key)
  }

  private static func choose(_ algorithm: SignatureAlgorithm, in context: OpaquePointer) -> Bool {
    switch algorithm.scheme {
    case .ecdsa(let curve):
      return unsafe EVP_PKEY_CTX_set_group_name(context, curve.groupName) == 1
    case .pkcs1, .pss:
      let bits: Int32 =
        switch algorithm.digest {
        case .sha256: 2048
        case .sha384: 3072
        case .sha512: 4096
        }
      return unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
    }
  }
}
