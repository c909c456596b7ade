internal import COpenSSL
internal import Glibc

extension Certificate {
  /// The subject's Common Names in their order; nil for one whose bytes are not what they claim.
  static func commonNames(of pointer: OpaquePointer) -> [String?] {
    let subject = unsafe X509_get_subject_name(pointer)
    var names: [String?] = []
    var index: Int32 = -1
    while true {
      index = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, index)
      if index < 0 { return names }
      guard let entry = unsafe X509_NAME_get_entry(subject, index),
        let text = unsafe X509_NAME_ENTRY_get_data(entry)
      else { return names + [nil] }
      unsafe names.append(Self.text(of: text))
    }
  }

  /// The text of a directory string, nil for one that does not decode. A T61String with a byte above
  /// 0x7F does not: what such bytes mean was never agreed on.
  private static func text(of string: UnsafePointer<ASN1_STRING>) -> String? {
    let bytes = unsafe UnsafeBufferPointer(
      start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
    let isASCII = unsafe bytes.allSatisfy { $0 < 0x80 }
    switch unsafe ASN1_STRING_type(string) {
    case V_ASN1_T61STRING where !isASCII: return nil
    // The same text in all three, and nearly every name: nothing to convert.
    case V_ASN1_UTF8STRING where isASCII, V_ASN1_PRINTABLESTRING where isASCII,
      V_ASN1_IA5STRING where isASCII:
      return unsafe String(decoding: bytes, as: UTF8.self)
    default: break
    }
    var start: UnsafeMutablePointer<UInt8>?
    let length = unsafe ASN1_STRING_to_UTF8(&start, string)
    guard length >= 0, let start = unsafe start else {
      OpenSSLError.clear()
      return nil
    }
    defer { unsafe CRYPTO_free(start, #fileID, #line) }
    return unsafe String(
      validating: UnsafeBufferPointer(start: start, count: Int(length)), as: UTF8.self)
  }

  /// The subject in one line for people (RFC 2253 order reversed): what a certificate without a
  /// Common Name is known by.
  public var subject: String {
    unsafe withPointer { unsafe Self.line(of: X509_get_subject_name($0)) }
  }

  public var issuer: String {
    unsafe withPointer { unsafe Self.line(of: X509_get_issuer_name($0)) }
  }

  static func line(of name: OpaquePointer?) -> String {
    guard let name = unsafe name, let out = unsafe BIO_new(BIO_s_mem()) else { return "" }
    defer { unsafe BIO_free(out) }
    let flags = PIN_XN_FLAG_ONELINE & ~UInt(ASN1_STRFLGS_ESC_MSB)
    guard unsafe X509_NAME_print_ex(out, name, 0, flags) >= 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe BIO_read(out, &bytes, Int32(bytes.count))
    return String(decoding: bytes.prefix(Int(max(count, 0))), as: UTF8.self)
  }

  /// notBefore and notAfter in seconds since 1970, both inclusive (RFC 5280 §4.1.2.5); nil for a
  /// time that is none.
  public var notBefore: Int64? {
    unsafe withPointer { unsafe Self.seconds(X509_get0_notBefore($0)) }
  }

  public var notAfter: Int64? { unsafe withPointer { unsafe Self.seconds(X509_get0_notAfter($0)) } }

  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = unsafe tm()
    guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Int64(unsafe timegm(&parts))
  }

  /// Whether basicConstraints say that it is an authority (RFC 5280 §4.2.1.9), or, in version 1, that
  /// it signed itself.
  public var isAuthority: Bool { unsafe withPointer { unsafe X509_check_ca($0) } > 0 }

  /// The serial number in hexadecimal.
  public var serial: String {
    unsafe withPointer { pointer in
      guard let number = unsafe ASN1_INTEGER_to_BN(X509_get0_serialNumber(pointer), nil) else {
        return ""
      }
      defer { unsafe BN_free(number) }
      guard let text = unsafe BN_bn2hex(number) else { return "" }
      defer { unsafe CRYPTO_free(text, #fileID, #line) }
      return unsafe String(cString: text)
    }
  }

  public var subjectKeyIdentifier: [UInt8]? {
    unsafe withPointer { unsafe Self.bytes(X509_get0_subject_key_id($0)) }
  }

  public var authorityKeyIdentifier: [UInt8]? {
    unsafe withPointer { unsafe Self.bytes(X509_get0_authority_key_id($0)) }
  }

  private static func bytes(_ string: UnsafePointer<ASN1_OCTET_STRING>?) -> [UInt8]? {
    guard let string = unsafe string else { return nil }
    return unsafe Array(
      UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
  }

  /// The key's type and size; nil for a key that libcrypto can't read. Such a certificate can still
  /// be pinned, but it passes no trust evaluation.
  public var keyKind: KeyKind? { publicKey?.kind }

  package var publicKey: PublicKey? {
    unsafe withPointer { pointer -> PublicKey? in
      guard let key = unsafe X509_get_pubkey(pointer) else {
        OpenSSLError.clear()
        return nil
      }
      return unsafe try? PublicKey(adopting: key, spki: spkiBytes)
    }
  }

  /// What it was signed with, by libcrypto's name: `ecdsa-with-SHA256`.
  public var signatureAlgorithm: String {
    unsafe withPointer { pointer in
      let name = unsafe OBJ_nid2ln(X509_get_signature_nid(pointer))
      return unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
    }
  }

  /// The subjectAltName's names, but for kinds that are no text (RFC 5280 §4.2.1.6), for people: trust
  /// evaluation reads them itself.
  public var alternativeNames: [String] {
    unsafe withPointer { pointer in
      guard let names = unsafe X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else {
        OpenSSLError.clear()
        return []
      }
      let list = OpaquePointer(names)
      defer { unsafe GENERAL_NAMES_free(list) }
      var found: [String] = []
      for index in 0..<max(unsafe OPENSSL_sk_num(list), 0) {
        guard let entry = unsafe OPENSSL_sk_value(list, index) else { continue }
        var kind: Int32 = -1
        let name = unsafe entry.assumingMemoryBound(to: GENERAL_NAME.self)
        guard let value = unsafe GENERAL_NAME_get0_value(name, &kind) else { continue }
        let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
        let bytes = unsafe UnsafeBufferPointer(
          start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
        switch kind {
        case GEN_DNS, GEN_URI, GEN_EMAIL:
          unsafe found.append(String(decoding: bytes, as: UTF8.self))
        case GEN_IPADD: unsafe found.append(Self.address(Array(bytes)))
        default: break
        }
      }
      return found
    }
  }

  private static func address(_ bytes: [UInt8]) -> String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    guard bytes.count == 16 else { return hexadecimal.joined() }
    return stride(from: 0, to: 16, by: 2).map { hexadecimal[$0] + hexadecimal[$0 + 1] }
      .joined(separator: ":")
  }
}
