internal import COpenSSL
internal import Glibc
public import PinPolicy

/// An X.509 certificate (RFC 5280), read strictly and then left as it is. Two are equal when their
/// bytes are.
// @unchecked: an X509 is not changed after it was made; libcrypto fills its caches of extensions
// and keys under locks of its own.
@safe
public final class Certificate: Equatable, @unchecked Sendable {
  private let pointer: OpaquePointer
  /// The certificate as it was given, in DER.
  public let der: [UInt8]
  /// Where the SubjectPublicKeyInfo stands in ``der``: what pins are made of, never a key that was
  /// encoded again.
  private let spkiRange: Range<Int>
  /// What pins see of the certificate: a path is judged again and again, so it is read once.
  public let pathCertificate: PathCertificate

  /// - Parameters:
  ///   - der: one certificate and nothing after it.
  ///   - index: its place in the list that it comes from, for the error.
  /// - Throws: ``CertificateError``.
  public convenience init(
    der: [UInt8], index: Int = 0, limits: Limits = .standard
  ) throws(CertificateError) {
    guard der.count <= limits.certificateBytes else {
      throw .tooLong(index: index, limit: limits.certificateBytes)
    }
    guard let spkiRange = Self.subjectPublicKeyInfo(in: der.span) else {
      throw Self.isFollowed(der.span)
        ? .trailingBytes(index: index) : .malformed(index: index, OpenSSLError(entries: []))
    }
    OpenSSLError.clear()
    let pointer: OpaquePointer? = unsafe der.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return unsafe d2i_X509(nil, &next, buffer.count)
    }
    guard let pointer = unsafe pointer else {
      throw .malformed(index: index, OpenSSLError.drained())
    }
    do throws(CertificateError) {
      unsafe try Self.checkExtensions(of: pointer, index: index, limits)
    } catch {
      unsafe X509_free(pointer)
      throw error
    }
    unsafe try self.init(adopting: pointer, der: der, spkiRange: spkiRange, index: index)
  }

  /// Takes a reference to an `X509` that libssl read, so that it is not parsed a second time.
  ///
  /// - Throws: ``CertificateError``.
  @unsafe
  package convenience init(
    sharing pointer: OpaquePointer, index: Int, limits: Limits
  ) throws(CertificateError) {
    unsafe try self.init(
      sharing: pointer, der: Self.der(of: pointer, index: index, limits: limits), index: index,
      limits: limits)
  }

  /// - Parameter der: what ``der(of:index:limits:)`` says of it.
  /// - Throws: ``CertificateError``.
  @unsafe
  package convenience init(
    sharing pointer: OpaquePointer, der: [UInt8], index: Int, limits: Limits
  ) throws(CertificateError) {
    guard let spkiRange = Self.subjectPublicKeyInfo(in: der.span) else {
      throw .malformed(index: index, OpenSSLError(entries: []))
    }
    unsafe try Self.checkExtensions(of: pointer, index: index, limits)
    guard unsafe X509_up_ref(pointer) == 1 else {
      throw .malformed(index: index, OpenSSLError.drained())
    }
    unsafe try self.init(adopting: pointer, der: der, spkiRange: spkiRange, index: index)
  }

  /// The bytes that an `X509` was read from.
  ///
  /// - Throws: ``CertificateError/tooLong(index:limit:)`` among others.
  @unsafe
  package static func der(
    of pointer: OpaquePointer, index: Int, limits: Limits
  ) throws(CertificateError) -> [UInt8] {
    let count = unsafe i2d_X509(pointer, nil)
    guard count > 0 else { throw .malformed(index: index, OpenSSLError.drained()) }
    guard count <= limits.certificateBytes else {
      throw .tooLong(index: index, limit: limits.certificateBytes)
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      var next = buffer.baseAddress
      filled = Int(max(unsafe i2d_X509(pointer, &next), 0))
    }
  }

  private init(
    adopting pointer: OpaquePointer, der: [UInt8], spkiRange: Range<Int>, index: Int
  ) throws(CertificateError) {
    let spki: SPKIPin
    do throws(OpenSSLError) {
      spki = try Digest.pin(of: der, in: spkiRange)
    } catch {
      unsafe X509_free(pointer)
      throw .malformed(index: index, error)
    }
    unsafe self.pointer = pointer
    self.der = der
    self.spkiRange = spkiRange
    pathCertificate = unsafe PathCertificate(
      commonName: CommonName(Self.commonNames(of: pointer)), spki: spki)
  }

  deinit { unsafe X509_free(pointer) }

  /// Lends the `X509` to a call that does not keep it, or takes a reference of its own.
  package func withPointer<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(pointer)
  }

  /// The SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) in DER, byte for byte as in the certificate.
  public var spkiBytes: [UInt8] { Array(der[spkiRange]) }

  /// The SHA-256 digest of ``spkiBytes``.
  public var spki: SPKIPin { pathCertificate.spki }

  /// The subject's Common Names, judged.
  public var commonName: CommonName { pathCertificate.commonName }

  /// The public key's algorithm by libcrypto's name: what is known of a key that it can't read.
  public var keyAlgorithm: String {
    unsafe withPointer { pointer in
      var object: OpaquePointer?
      _ = unsafe X509_PUBKEY_get0_param(&object, nil, nil, nil, X509_get_X509_PUBKEY(pointer))
      var text = [CChar](repeating: 0, count: 128)
      guard let object = unsafe object,
        unsafe OBJ_obj2txt(&text, Int32(text.count), object, 0) > 0
      else { return "unknown" }
      let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Whether two are the same certificate, byte for byte.
  public func isSame(as other: Certificate) -> Bool { self === other || der == other.der }

  public static func == (left: Certificate, right: Certificate) -> Bool { left.isSame(as: right) }

  /// The element of tbsCertificate that holds the key (RFC 5280 §4.1), or nil where the bytes are no
  /// certificate's.
  private static func subjectPublicKeyInfo(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let whole = DERElement(at: 0, in: bytes), whole.tag == DERElement.sequence,
      whole.whole.upperBound == bytes.count,
      let body = DERElement(at: whole.contents.lowerBound, in: bytes),
      body.tag == DERElement.sequence
    else { return nil }
    // version [0] is left out of version 1; then serialNumber, signature, issuer, validity, subject.
    var (offset, before) = (body.contents.lowerBound, 5)
    while let field = DERElement(at: offset, in: bytes, endingBy: body.contents.upperBound) {
      if offset == body.contents.lowerBound, field.tag == 0xa0 { before = 6 }
      guard before > 0 else { return field.tag == DERElement.sequence ? field.whole : nil }
      before &-= 1
      offset = field.whole.upperBound
    }
    return nil
  }

  private static func isFollowed(_ bytes: Span<UInt8>) -> Bool {
    guard let whole = DERElement(at: 0, in: bytes), whole.tag == DERElement.sequence else {
      return false
    }
    return whole.whole.upperBound < bytes.count
  }

  /// RFC 5280 §4.2: a certificate must not include an extension twice.
  private static func checkExtensions(
    of pointer: OpaquePointer, index: Int, _ limits: Limits
  ) throws(CertificateError) {
    let count = unsafe X509_get_ext_count(pointer)
    // The comparisons below grow with the square.
    guard Int(count) <= limits.certificateExtensions else {
      throw .tooManyExtensions(index: index, limit: limits.certificateExtensions)
    }
    guard count > 1 else { return }
    for place in 0..<(count &- 1) {
      guard let found = unsafe X509_get_ext(pointer, place) else { continue }
      let object = unsafe X509_EXTENSION_get_object(found)
      if unsafe X509_get_ext_by_OBJ(pointer, object, place) >= 0 {
        throw .duplicateExtension(index: index)
      }
    }
  }
}
