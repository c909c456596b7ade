import COpenSSLTLS
import Synchronization

/// A certificate with its key, which can issue others.
// @unchecked: not changed once it was made.
public final class TestCertificate: @unchecked Sendable {
  public let shape: CertificateShape
  public let key: TestKey
  public let der: [UInt8]
  let pointer: OpaquePointer

  private init(_ shape: CertificateShape, key: TestKey, issuer: TestCertificate?) throws {
    let certificate = try require(X509_new(), "X509")
    do {
      try Self.fill(certificate, shape, key: key, issuer: issuer)
      der = try bytesWritten { i2d_X509_bio($0, certificate) }
    } catch {
      X509_free(certificate)
      throw error
    }
    self.shape = shape
    self.key = key
    pointer = certificate
  }

  deinit { X509_free(pointer) }

  /// A certificate that signs itself: a root, or a server's own.
  public static func selfSigned(
    _ shape: CertificateShape, key: TestKey? = nil
  ) throws -> TestCertificate {
    try TestCertificate(shape, key: key ?? TestKey.make(shape), issuer: nil)
  }

  public static func root(_ name: String) throws -> TestCertificate { try selfSigned(.root(name)) }

  public func issue(_ shape: CertificateShape, key: TestKey? = nil) throws -> TestCertificate {
    try TestCertificate(shape, key: key ?? TestKey.make(shape), issuer: self)
  }

  /// The same names and key, vouched for by another authority.
  public func crossSigned(by other: TestCertificate) throws -> TestCertificate {
    try other.issue(shape, key: key)
  }

  /// A root with the same names and another key: what anybody can make who can install roots.
  public func cloned() throws -> TestCertificate {
    try Self.selfSigned(shape, key: TestKey.make(shape.key, label: "clone of \(shape.commonNames)"))
  }

  public var pem: String {
    get throws {
      String(decoding: try bytesWritten { PEM_write_bio_X509($0, pointer) }, as: UTF8.self)
    }
  }

  /// A revocation list of this authority, in DER.
  public func revocationList(
    revoking revoked: [TestCertificate], lastUpdate: Int64 = TestTime.now - 3600,
    nextUpdate: Int64? = TestTime.now + 86_400, deltaOf base: Int? = nil
  ) throws -> [UInt8] {
    let list = try require(X509_CRL_new(), "CRL")
    defer { X509_CRL_free(list) }
    try require(X509_CRL_set_version(list, Int(X509_CRL_VERSION_2)), "version")
    try require(X509_CRL_set_issuer_name(list, X509_get_subject_name(pointer)), "issuer")
    let (last, next) = (
      ASN1_TIME_set(nil, Int(lastUpdate)), ASN1_TIME_set(nil, Int(nextUpdate ?? 0))
    )
    defer {
      ASN1_TIME_free(last)
      ASN1_TIME_free(next)
    }
    try require(X509_CRL_set1_lastUpdate(list, last), "lastUpdate")
    if nextUpdate != nil { try require(X509_CRL_set1_nextUpdate(list, next), "nextUpdate") }
    if let base {
      let number = ASN1_INTEGER_new()
      defer { ASN1_INTEGER_free(number) }
      try require(ASN1_INTEGER_set(number, base), "base")
      try require(X509_CRL_add1_ext_i2d(list, NID_delta_crl, number, 1, 0), "delta")
    }
    for certificate in revoked {
      let entry = try require(X509_REVOKED_new(), "entry")
      let serial = X509_get_serialNumber(certificate.pointer)
      try require(X509_REVOKED_set_serialNumber(entry, serial), "serial")
      try require(X509_REVOKED_set_revocationDate(entry, last), "revocationDate")
      try require(X509_CRL_add0_revoked(list, entry), "entry")
    }
    try require(X509_CRL_sort(list), "sort")
    try require(X509_CRL_sign(list, key.pointer, key.digest("SHA256")), "sign")
    return try bytesWritten { i2d_X509_CRL_bio($0, list) }
  }

  private static func fill(
    _ certificate: OpaquePointer, _ shape: CertificateShape, key: TestKey, issuer: TestCertificate?
  ) throws {
    let signer = issuer?.key ?? key
    try require(X509_set_version(certificate, Int(X509_VERSION_3)), "version")
    try require(
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), nextSerial()), "serial")
    try require(ASN1_TIME_set(X509_getm_notBefore(certificate), Int(shape.notBefore)), "notBefore")
    try require(ASN1_TIME_set(X509_getm_notAfter(certificate), Int(shape.notAfter)), "notAfter")
    try require(X509_set_pubkey(certificate, key.pointer), "key")
    let subject = try require(X509_get_subject_name(certificate), "subject")
    if let organization = shape.organization { try add("O", organization, to: subject) }
    for name in shape.commonNames { try add("CN", name, to: subject) }
    let issuerName = issuer.map { X509_get_subject_name($0.pointer) } ?? subject
    try require(X509_set_issuer_name(certificate, issuerName), "issuer")
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer?.pointer ?? certificate, certificate, nil, nil, 0)
    for wanted in shape.allExtensions {
      let made = try require(
        X509V3_EXT_nconf(nil, &context, wanted.name, wanted.value),
        "\(wanted.name) = \(wanted.value)")
      defer { X509_EXTENSION_free(made) }
      try require(X509_add_ext(certificate, made, -1), wanted.name)
    }
    try require(X509_sign(certificate, signer.pointer, signer.digest(shape.digest)), "sign")
  }

  private static func add(_ field: String, _ text: String, to name: OpaquePointer) throws {
    let bytes = Array(text.utf8)
    try require(
      X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0),
      "\(field) = \(text)")
  }

  private static let counter = Atomic<UInt64>(1)

  private static func nextSerial() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

extension TestKey {
  fileprivate static func make(_ shape: CertificateShape) throws -> TestKey {
    try make(shape.key, label: shape.commonNames.joined(separator: ", "))
  }
}
