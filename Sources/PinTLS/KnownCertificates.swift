internal import PinCrypto
internal import PinPolicy
internal import Synchronization

/// The certificates of earlier handshakes, so that servers that are met again cost less: reading one,
/// and libcrypto's first look at its extensions and key, is most of what a judgement costs beside the
/// signatures.
///
/// One is known by all its bytes, and nothing that was decided about it is kept: trust and pins are
/// judged each time.
final class KnownCertificates: Sendable {
  /// More are forgotten all at once; those of strangers who send new ones each time cost no more.
  private static let most = 64
  /// Bytes of the longest that is kept: most have one or two thousand.
  private static let longest = 4096

  private let certificates = Mutex<[[UInt8]: Certificate]>([:])

  /// Reads an `X509` that libssl has read, or finds the certificate of the same bytes.
  ///
  /// - Throws: ``CertificateError``.
  @unsafe
  func certificate(
    sharing pointer: OpaquePointer, index: Int
  ) throws(CertificateError) -> Certificate {
    let limits = Limits.standard
    let der = unsafe try Certificate.der(of: pointer, index: index, limits: limits)
    if let known = certificates.withLock({ $0[der] }) { return known }
    let certificate = unsafe try Certificate(
      sharing: pointer, der: der, index: index, limits: limits)
    guard der.count <= Self.longest else { return certificate }
    certificates.withLock { certificates in
      if certificates.count >= Self.most { certificates = [:] }
      certificates[der] = certificate
    }
    return certificate
  }
}
