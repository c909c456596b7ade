internal import COpenSSL
public import PinPolicy

/// The certificates that a server sent, leaf first: claims, which trust evaluation has yet to judge.
///
/// Nothing evaluates pins on it; ``TrustEvaluator`` turns it into a ``ValidatedPath`` or a reason.
public struct PresentedChain: Sendable {
  /// At least one, the server's own first (RFC 8446 §4.4.2), in the order in which they were sent.
  public let certificates: [Certificate]

  public var leaf: Certificate { certificates[0] }

  /// - Throws: ``CertificateError/empty``, ``CertificateError/tooMany(limit:)``.
  public init(
    _ certificates: [Certificate], limits: Limits = .standard
  ) throws(CertificateError) {
    guard !certificates.isEmpty else { throw .empty }
    guard certificates.count <= limits.presentedCertificates else {
      throw .tooMany(limit: limits.presentedCertificates)
    }
    self.certificates = certificates
  }

  /// - Parameter der: each certificate in DER, leaf first, as every TLS stack can hand it over.
  /// - Throws: ``CertificateError``; one bad certificate refuses the whole chain.
  public init(der: [[UInt8]], limits: Limits = .standard) throws(CertificateError) {
    // Counted before any is parsed.
    guard der.count <= limits.presentedCertificates else {
      throw .tooMany(limit: limits.presentedCertificates)
    }
    var certificates: [Certificate] = []
    certificates.reserveCapacity(der.count)
    for (index, bytes) in der.enumerated() {
      certificates.append(try Certificate(der: bytes, index: index, limits: limits))
    }
    try self.init(certificates, limits: limits)
  }

  /// - Parameter file: certificates in PEM, leaf first, or one in DER.
  /// - Throws: ``CertificateError``.
  public init(file: [UInt8], limits: Limits = .standard) throws(CertificateError) {
    try self.init(
      Certificate.all(in: file, atMost: limits.presentedCertificates, limits: limits),
      limits: limits)
  }
}

extension PresentedChain {
  /// Takes references to what libssl read in a handshake.
  ///
  /// - Parameters:
  ///   - leaf: an `X509 *`, the server's own.
  ///   - untrusted: a `STACK_OF(X509) *` of what was sent, which may begin with the leaf again.
  ///   - read: makes a certificate of an `X509 *`; the second argument is its place.
  /// - Throws: ``CertificateError``.
  @unsafe
  package init(
    leaf: OpaquePointer?, untrusted: OpaquePointer?, limits: Limits = .standard,
    reading read: (OpaquePointer, Int) throws(CertificateError) -> Certificate
  ) throws(CertificateError) {
    guard let leaf = unsafe leaf else { throw .empty }
    let count = max(unsafe OPENSSL_sk_num(untrusted), 0)
    guard Int(count) <= limits.presentedCertificates else {
      throw .tooMany(limit: limits.presentedCertificates)
    }
    var certificates: [Certificate] = []
    certificates.reserveCapacity(Int(count) + 1)
    certificates.append(unsafe try read(leaf, 0))
    for index in 0..<count {
      guard let entry = unsafe OPENSSL_sk_value(untrusted, index) else { continue }
      let pointer = OpaquePointer(entry)
      if index == 0, pointer == leaf { continue }
      certificates.append(unsafe try read(pointer, certificates.count))
    }
    try self.init(certificates, limits: limits)
  }
}
