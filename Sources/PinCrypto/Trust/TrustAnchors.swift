internal import COpenSSL
internal import Glibc

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
  /// - Throws: ``TrustAnchorsError`` when the platform has no bundle of roots, or an unreadable one.
  public static func system(
    adding certificates: [Certificate] = []
  ) throws(TrustAnchorsError) -> TrustAnchors {
    try TrustAnchors(systemRoots() + certificates)
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

  private static func systemRoots() throws(TrustAnchorsError) -> [Certificate] {
    var places = bundles
    if let place = unsafe X509_get_default_cert_file() {
      unsafe places.insert(String(cString: place), at: 0)
    }
    // The variable that OpenSSL's own programs obey (OPENSSL_CONF(5) lists it).
    if let name = unsafe X509_get_default_cert_file_env(), let place = unsafe getenv(name) {
      unsafe places = [String(cString: place)]
    }
    for place in places {
      guard let bytes = contents(of: place) else { continue }
      do {
        return try Certificate.all(in: bytes, atMost: rootLimit)
      } catch {
        throw .unreadable(place: place, error)
      }
    }
    throw .noSystemRoots(places)
  }

  /// More roots than any platform ships; a bundle beyond it is something else.
  private static let rootLimit = 4096

  private static func contents(of place: String) -> [UInt8]? {
    guard let file = unsafe BIO_new_file(place, "rb") else {
      OpenSSLError.clear()
      return nil
    }
    defer { unsafe BIO_free(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 26 {
      let count = unsafe BIO_read(file, &block, Int32(block.count))
      if count <= 0 { return bytes }
      bytes += block.prefix(Int(count))
    }
    return nil
  }
}
