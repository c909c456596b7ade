internal import COpenSSL
internal import PinPolicy

/// A PKCS#10 certificate request (RFC 2986): the key that a certificate will hold can be pinned
/// before it is issued.
///
/// Its signature is not checked: a pin says nothing about who holds the private key.
public struct CertificateRequest: Sendable {
  public let publicKey: PublicKey
  /// Every Common Name of the subject, to be shown; control characters are still in them.
  public let commonNames: [String]

  /// Reads the DER of one request.
  ///
  /// - Throws: ``KeyError/trailingBytes``, and what the key's and the subject's fault is.
  init(der request: SecretBytes) throws(KeyError) {
    // RFC 2986 §4.1: version, subject, subjectPKInfo. They are cut out, for the pin is of the key's
    // bytes as they stand.
    let parts = request.withSpan { bytes -> (subject: Range<Int>, key: Range<Int>, end: Int)? in
      guard KeyForm(der: bytes) == .certificateRequest,
        let whole = DERElement(at: 0, in: bytes),
        let info = whole.children(in: bytes, atMost: 1).first
      else { return nil }
      let fields = info.children(in: bytes, atMost: 3)
      return (fields[1].whole, fields[2].whole, whole.whole.upperBound)
    }
    guard let parts else { throw .unreadable(OpenSSLError(entries: [])) }
    guard parts.end == request.count else { throw .trailingBytes }
    publicKey = try PublicKey(spki: request.slice(parts.key).copied())
    commonNames = try Self.commonNames(inSubject: request.slice(parts.subject))
  }

  private static func commonNames(inSubject der: SecretBytes) throws(KeyError) -> [String] {
    let subject = unsafe try der.decode(
      with: { unsafe d2i_X509_NAME(nil, $0, $1) }, free: X509_NAME_free)
    defer { unsafe X509_NAME_free(subject) }
    var names: [String?] = []
    var index: Int32 = -1
    while true {
      index = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, index)
      guard index >= 0, let entry = unsafe X509_NAME_get_entry(subject, index) else { break }
      var text: UnsafeMutablePointer<UInt8>?
      let count = unsafe ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
      guard count >= 0, let text = unsafe text else {
        names.append(nil)
        continue
      }
      defer { unsafe CRYPTO_free(text, #fileID, #line) }
      let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(count))
      names.append(unsafe String(validating: bytes, as: UTF8.self))
    }
    OpenSSLError.clear()
    return names.isEmpty ? [] : CommonName(names).names
  }
}
