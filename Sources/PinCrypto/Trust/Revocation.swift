internal import COpenSSL

/// Which certificates of a path are looked up in certificate revocation lists (RFC 5280 §5).
public struct Revocation: Sendable {
  public enum Scope: String, Sendable {
    /// Nothing is looked up.
    case none
    case leaf
    /// The leaf and every authority below the anchor.
    case chain
  }

  public let scope: Scope
  let lists: [RevocationList]

  public static let none = Revocation(scope: .none, lists: [])

  /// - Parameter lists: at least one list an issuer whose certificates are looked up: one without a
  ///   list that is in force is ``TrustFailure/Reason/revocationUnknown``.
  public static func lists(_ lists: [RevocationList], scope: Scope) -> Revocation {
    Revocation(scope: scope, lists: scope == .none ? [] : lists)
  }
}

/// A certificate revocation list.
// @unchecked: as for a Certificate.
@safe
public final class RevocationList: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// - Parameter bytes: one list, in PEM or DER, and nothing after it.
  /// - Throws: ``CertificateError``.
  public init(_ bytes: [UInt8]) throws(CertificateError) {
    OpenSSLError.clear()
    let isDER = bytes.first == DERElement.sequence
    if isDER, let whole = DERElement(at: 0, in: bytes.span), whole.whole.upperBound < bytes.count {
      throw .trailingBytes(index: 0)
    }
    let pointer: OpaquePointer? = unsafe bytes.withUnsafeBytes { buffer in
      // Borrows the bytes.
      guard let text = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
      else { return nil }
      defer { unsafe BIO_free(text) }
      return unsafe isDER
        ? d2i_X509_CRL_bio(text, nil) : PEM_read_bio_X509_CRL(text, nil, nil, nil)
    }
    guard let pointer = unsafe pointer else {
      throw .malformed(index: 0, OpenSSLError.drained())
    }
    unsafe self.pointer = pointer
  }

  deinit { unsafe X509_CRL_free(pointer) }

  func withPointer<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(pointer)
  }
}
