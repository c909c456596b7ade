internal import COpenSSL
internal import PinPolicy

/// The authorities that trust evaluation ends at.
// @unchecked: the X509_STORE is filled before anybody else sees it, and looked into under its lock.
@safe
public final class TrustAnchors: @unchecked Sendable {
  private let pointer: OpaquePointer
  public let certificates: [Certificate]
  /// Certificates by the hash of their subject, for the search for other paths.
  private let bySubject: [UInt: [Certificate]]
  private let byAddress: [UInt: Certificate]

  /// These certificates and no others: an explicit, separate choice.
  ///
  /// - Throws: ``TrustAnchorsError/empty``: nothing would be trusted.
  public static func only(
    _ certificates: [Certificate]
  ) throws(TrustAnchorsError) -> TrustAnchors {
    try TrustAnchors(certificates)
  }

  /// The platform's roots, and these in addition.
  ///
  /// The roots are read at each call, from the file that the variable SSL_CERT_FILE names, in place
  /// of the platform's, where it is set and the process has no more rights than its user.
  ///
  /// - Throws: ``TrustAnchorsError`` when the platform has no bundle of roots, or an unreadable one.
  public static func system(
    adding certificates: [Certificate] = []
  ) throws(TrustAnchorsError) -> TrustAnchors {
    try system(adding: certificates, in: places)
  }

  /// - Parameter places: files, of which the first that exists is the bundle of roots.
  package static func system(
    adding certificates: [Certificate], in places: [String]
  ) throws(TrustAnchorsError) -> TrustAnchors {
    try TrustAnchors(roots(in: places) + certificates)
  }

  private init(_ certificates: [Certificate]) throws(TrustAnchorsError) {
    guard !certificates.isEmpty else { throw .empty }
    guard let store = unsafe X509_STORE_new() else { throw .openSSL(OpenSSLError.drained()) }
    var bySubject: [UInt: [Certificate]] = [:]
    var byAddress: [UInt: Certificate] = [:]
    var isComplete = true
    for certificate in certificates {
      // Takes a reference of its own; one that is there already is taken once.
      let added = unsafe certificate.withPointer { unsafe X509_STORE_add_cert(store, $0) == 1 }
      isComplete = isComplete && added
      bySubject[certificate.subjectHash, default: []].append(certificate)
      byAddress[certificate.address] = certificate
    }
    guard isComplete else {
      unsafe X509_STORE_free(store)
      throw .openSSL(OpenSSLError.drained())
    }
    unsafe pointer = store
    self.certificates = certificates
    self.bySubject = bySubject
    self.byAddress = byAddress
  }

  deinit { unsafe X509_STORE_free(pointer) }

  func withPointer<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(pointer)
  }

  /// The anchors whose subject has a hash.
  func issuers(hash: UInt) -> [Certificate] { bySubject[hash] ?? [] }

  /// The anchor that is libcrypto's `X509` at an address.
  func certificate(at address: UInt) -> Certificate? { byAddress[address] }

  func contain(_ certificate: Certificate) -> Bool {
    bySubject[certificate.subjectHash]?.contains { $0.isSame(as: certificate) } ?? false
  }

  /// Where Linux distributions keep the bundle of roots, after libcrypto's own place for it.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  private static var places: [String] {
    // The variable that OpenSSL's own programs obey (openssl-env(7)).
    if let name = unsafe X509_get_default_cert_file_env(),
      let place = unsafe pin_policy_trusted_environment(name)
    {
      return [unsafe String(cString: place)]
    }
    guard let place = unsafe X509_get_default_cert_file() else { return bundles }
    return unsafe [String(cString: place)] + bundles
  }

  private static func roots(in places: [String]) throws(TrustAnchorsError) -> [Certificate] {
    let limit = Limits.standard.trustAnchors
    for place in places {
      guard let bytes = try contents(of: place) else { continue }
      do {
        return try Certificate.all(in: bytes, atMost: limit)
      } catch {
        throw .unreadable(place: place, error)
      }
    }
    throw .noSystemRoots(places)
  }

  /// Nil where there is no such file.
  private static func contents(of place: String) throws(TrustAnchorsError) -> [UInt8]? {
    OpenSSLError.clear()
    guard let file = unsafe BIO_new_file(place, "rb") else {
      OpenSSLError.clear()
      return nil
    }
    defer { unsafe BIO_free(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe BIO_read(file, &block, Int32(block.count))
      // The end is 0; half a bundle would be fewer anchors without a word.
      guard count >= 0 else { throw .openSSL(.drained()) }
      if count == 0 { return bytes }
      bytes += block.prefix(Int(count))
      guard bytes.count <= 1 << 26 else {
        throw .unreadable(place: place, .tooMany(limit: Limits.standard.trustAnchors))
      }
    }
  }
}
