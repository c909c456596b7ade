internal import COpenSSL
public import PinPolicy

/// A public key, held by libcrypto.
///
/// Any key that has a SubjectPublicKeyInfo can be held; ``checkFitForPolicies()`` says whether it
/// may check a policy's signature.
// @unchecked: an EVP_PKEY is not changed after it was made, and libcrypto counts its references
// and fills its caches under locks of its own.
@safe
public final class PublicKey: @unchecked Sendable {
  private let pointer: OpaquePointer
  public let kind: KeyKind
  /// The SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) in DER, byte for byte as it was read.
  public let spkiBytes: [UInt8]
  /// The SHA-256 digest of ``spkiBytes`` (RFC 7469 §2.4).
  public let spkiPin: SPKIPin
  /// The RFC 7638 thumbprint, SHA-256, base64url; nil for a key that has no JWK form.
  public let thumbprint: String?
  package let numbers: PublicKeyNumbers
  /// The restrictions of an id-RSASSA-PSS key; nil for other keys and an unrestricted one.
  package let pssParameters: PSSParameters?
  /// Whether an EC key spelled its curve out instead of naming it.
  package let hasExplicitCurve: Bool

  /// Takes over the reference to an `EVP_PKEY`, also when it throws.
  ///
  /// - Parameter spki: the DER that the key was read from; nil encodes the key.
  /// - Throws: ``KeyError/openSSL(_:)``.
  package init(adopting pointer: OpaquePointer, spki: [UInt8]? = nil) throws(KeyError) {
    do throws(KeyError) {
      let description = unsafe try KeyDescription(of: KeyParameters(of: pointer))
      kind = description.kind
      numbers = description.numbers
      pssParameters = description.pssParameters
      hasExplicitCurve = description.hasExplicitCurve
      spkiBytes = if let spki { spki } else { unsafe try Self.encode(pointer) }
      spkiPin = try Self.pin(of: spkiBytes)
      thumbprint = try KeyIdentifier.thumbprint(of: description.numbers)
    } catch {
      unsafe EVP_PKEY_free(pointer)
      throw error
    }
    unsafe self.pointer = pointer
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// Reads a SubjectPublicKeyInfo and nothing after it.
  ///
  /// - Throws: ``KeyError/unreadable(_:)``, ``KeyError/trailingBytes``.
  package convenience init(spki bytes: [UInt8]) throws(KeyError) {
    OpenSSLError.clear()
    var consumed = 0
    let pointer: OpaquePointer? = unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return nil }
      var next: UnsafePointer<UInt8>? = unsafe start
      guard let key = unsafe d2i_PUBKEY(nil, &next, buffer.count) else { return nil }
      if let next = unsafe next { consumed = unsafe next - start }
      return unsafe key
    }
    guard let pointer = unsafe pointer else { throw KeyError.unreadable(OpenSSLError.drained()) }
    guard consumed == bytes.count else {
      unsafe EVP_PKEY_free(pointer)
      throw KeyError.trailingBytes
    }
    unsafe try self.init(adopting: pointer, spki: bytes)
  }

  private static func pin(of spki: [UInt8]) throws(KeyError) -> SPKIPin {
    do throws(OpenSSLError) {
      guard let pin = SPKIPin(digest: try Digest.sha256.hash(spki)) else {
        throw OpenSSLError(entries: [])
      }
      return pin
    } catch {
      throw .openSSL(error)
    }
  }

  /// Lends the `EVP_PKEY` to a call that does not keep it.
  package func withPointer<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(pointer)
  }

  /// The algorithms that the key's type, curve and parameters allow; what a header says can't add
  /// to them (RFC 8725 §3.1).
  public var supportedAlgorithms: [SignatureAlgorithm] {
    SignatureAlgorithm.allCases.filter { algorithm in
      switch (kind, algorithm.scheme) {
      case (.rsa, .pkcs1), (.rsa, .pss): true
      case (.rsaPSS, .pss): pssParameters?.allow(algorithm) ?? true
      case (.ec(let curve), .ecdsa(let needed)): curve == needed
      default: false
      }
    }
  }

  /// The DER of a key's public half.
  package static func encode(_ pointer: OpaquePointer) throws(KeyError) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_PUBKEY(pointer, &start)
    guard count > 0, let start = unsafe start else { throw .openSSL(OpenSSLError.drained()) }
    defer { unsafe CRYPTO_free(start, #fileID, #line) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
