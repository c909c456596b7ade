internal import COpenSSL

/// A key pair, held by libcrypto or by a token that it talks to.
// @unchecked: an EVP_PKEY is not changed after it was made, and libcrypto counts its references
// and fills its caches under locks of its own.
@safe
public final class PrivateKey: @unchecked Sendable {
  private let pointer: OpaquePointer
  /// The public half alone: it holds no reference to the private one.
  public let publicKey: PublicKey

  /// Takes over the reference to an `EVP_PKEY`, also when it throws.
  ///
  /// - Throws: ``KeyError/openSSL(_:)`` for a key without a public half.
  package init(adopting pointer: OpaquePointer) throws(KeyError) {
    do throws(KeyError) {
      publicKey = unsafe try PublicKey(spki: PublicKey.encode(pointer))
    } catch {
      unsafe EVP_PKEY_free(pointer)
      throw error
    }
    unsafe self.pointer = pointer
  }

  // EVP_PKEY_free wipes what it frees of a private key.
  deinit { unsafe EVP_PKEY_free(pointer) }

  /// Lends the `EVP_PKEY` to a call that does not keep it.
  package func withPointer<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(pointer)
  }
}
