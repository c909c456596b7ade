internal import COpenSSL

/// Checks the signatures of one key under one algorithm.
///
/// Setting a context up costs as much as a fifth of an RSA verification, so that it is done once
/// and copied for each check, from as many threads as like.
// @unchecked: the template is not changed after it was made; EVP_MD_CTX_copy_ex takes it as const.
@safe
package final class SignatureContext: @unchecked Sendable {
  private let template: OpaquePointer

  /// - Parameter key: one whose ``PublicKey/supportedAlgorithms`` have the algorithm.
  package init(key: PublicKey, algorithm: SignatureAlgorithm) throws(OpenSSLError) {
    OpenSSLError.clear()
    guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError.drained() }
    guard unsafe Self.prepare(context, key, algorithm) else {
      let error = OpenSSLError.drained()
      unsafe EVP_MD_CTX_free(context)
      throw error
    }
    unsafe template = context
  }

  deinit { unsafe EVP_MD_CTX_free(template) }

  private static func prepare(
    _ context: OpaquePointer, _ key: PublicKey, _ algorithm: SignatureAlgorithm
  ) -> Bool {
    var parameters: OpaquePointer?
    let digest = algorithm.digest.openSSLName
    let started = unsafe key.withPointer { key in
      unsafe EVP_DigestVerifyInit_ex(context, &parameters, digest, nil, nil, key, nil)
    }
    guard started == 1, let parameters = unsafe parameters else { return false }
    // Each context makes one check: without this, libcrypto copies it once more to finish.
    unsafe EVP_MD_CTX_set_flags(context, EVP_MD_CTX_FLAG_FINALISE)
    return unsafe algorithm.setPadding(of: parameters)
  }

  /// Whether the signature is the key's over these bytes.
  ///
  /// - Throws: what libcrypto said when it could not begin; a signature that it can't make sense of
  ///   is a wrong one.
  package func accepts(
    _ signature: PreparedSignature, over input: ArraySlice<UInt8>
  ) throws(OpenSSLError) -> Bool {
    guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError.drained() }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_MD_CTX_copy_ex(context, template) == 1 else { throw OpenSSLError.drained() }
    let status = unsafe input.withUnsafeBufferPointer { input in
      unsafe EVP_DigestVerify(
        context, signature.bytes, signature.bytes.count, input.baseAddress, input.count)
    }
    if status == 1 { return true }
    // 0 and the negative values alike: some malformed signatures give -1.
    OpenSSLError.clear()
    return false
  }
}
