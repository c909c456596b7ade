internal import COpenSSL

extension PrivateKey {
  /// Signs bytes.
  ///
  /// - Returns: ECDSA in DER, RSA as it is.
  /// - Throws: what libcrypto, or the token that holds the key, said.
  package func sign(
    _ input: [UInt8], algorithm: SignatureAlgorithm
  ) throws(OpenSSLError) -> [UInt8] {
    OpenSSLError.clear()
    guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError.drained() }
    defer { unsafe EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    let started = unsafe withPointer { key in
      unsafe EVP_DigestSignInit_ex(
        context, &parameters, algorithm.digest.openSSLName, nil, nil, key, nil)
    }
    guard started == 1, let parameters = unsafe parameters,
      unsafe algorithm.setPadding(of: parameters)
    else { throw OpenSSLError.drained() }
    var capacity = 0
    guard unsafe EVP_DigestSign(context, nil, &capacity, input, input.count) == 1 else {
      throw OpenSSLError.drained()
    }
    var status: Int32 = 0
    let signature = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = buffer.count
      status = unsafe EVP_DigestSign(
        context, buffer.baseAddress, &count, input, input.count)
      if status != 1 { count = 0 }
    }
    guard status == 1 else { throw OpenSSLError.drained() }
    return signature
  }
}

extension SignatureAlgorithm {
  /// Sets on a context of RSA what RFC 7518 fixes, explicitly for signer and verifier alike.
  ///
  /// - Returns: whether libcrypto took it.
  func setPadding(of parameters: OpaquePointer) -> Bool {
    switch scheme {
    case .pkcs1:
      return unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1
    case .pss:
      // RFC 7518 §3.5: MGF1 with the same digest, a salt of its length. Left alone, libcrypto
      // verifies any salt length and signs with the longest.
      let saltBytes = Int32(truncatingIfNeeded: digest.byteCount)
      return unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md_name(parameters, digest.openSSLName, nil) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, saltBytes) == 1
    case .ecdsa:
      return true
    }
  }
}
