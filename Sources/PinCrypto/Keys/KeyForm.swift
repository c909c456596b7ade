/// What an encoded thing in a key file is.
public enum KeyForm: Hashable, Sendable {
  /// SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
  case publicKey
  /// PKCS#8 (RFC 5958).
  case privateKey
  /// Encrypted PKCS#8 (RFC 5958 §3).
  case encryptedPrivateKey
  /// PKCS#1's RSAPrivateKey (RFC 8017 appendix A.1.2).
  case rsaPrivateKey
  /// PKCS#1's RSAPublicKey (RFC 8017 appendix A.1.1).
  case rsaPublicKey
  /// SEC1's ECPrivateKey (RFC 5915).
  case ecPrivateKey
  /// A curve without a key, as `openssl ecparam -genkey` writes before one.
  case ecParameters
  case publicJWK
  case privateJWK
  case certificate
  /// PKCS#10 (RFC 2986).
  case certificateRequest
  /// RFC 7292.
  case pkcs12
  case openSSH
  /// Certificates without a key (RFC 2315, RFC 5652).
  case pkcs7
  /// RFC 5280 §5.
  case revocationList
  /// A PEM block of another kind.
  case other

  /// The form that a PEM label promises (RFC 7468 §4, and OpenSSL's older ones).
  init(label: String) {
    switch label {
    case "PUBLIC KEY": self = .publicKey
    case "PRIVATE KEY": self = .privateKey
    case "ENCRYPTED PRIVATE KEY": self = .encryptedPrivateKey
    case "RSA PRIVATE KEY": self = .rsaPrivateKey
    case "RSA PUBLIC KEY": self = .rsaPublicKey
    case "EC PRIVATE KEY": self = .ecPrivateKey
    case "EC PARAMETERS": self = .ecParameters
    case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": self = .certificate
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self = .certificateRequest
    case "OPENSSH PRIVATE KEY": self = .openSSH
    case "PKCS7", "PKCS #7 SIGNED DATA", "CMS": self = .pkcs7
    case "X509 CRL": self = .revocationList
    default: self = .other
    }
  }

  /// The form of a DER structure, told by its first elements; nil when it is none of these.
  init?(der bytes: Span<UInt8>) {
    guard let whole = DERElement(at: 0, in: bytes), whole.tag == DERElement.sequence else {
      // PKCS#12 files of some writers are BER with indefinite lengths; nothing else here is.
      guard bytes.count > 2, bytes[0] == DERElement.sequence, bytes[1] == 0x80 else { return nil }
      self = .pkcs12
      return
    }
    let parts = whole.children(in: bytes, atMost: 3)
    switch (parts.map(\.tag), parts.first?.smallInteger(in: bytes)) {
    case ([0x30, 0x03], _): self = .publicKey
    case ([0x30, 0x04], _): self = .encryptedPrivateKey
    case ([0x06, 0xa0], _): self = .pkcs7
    case ([0x30, 0x30, 0x03], _):
      // A request's first part is version, name, key and perhaps attributes; a certificate's has
      // six parts at least; a revocation list's has times before any key.
      let inner = parts[0].children(in: bytes, atMost: 5).map(\.tag)
      let isRequest = inner == [0x02, 0x30, 0x30] || inner == [0x02, 0x30, 0x30, 0xa0]
      let isList = inner.contains(0x17) || inner.contains(0x18)
      self = isRequest ? .certificateRequest : isList ? .revocationList : .certificate
    case ([0x02, 0x30, 0x04], 0), ([0x02, 0x30, 0x04], 1): self = .privateKey
    case ([0x02, 0x02, 0x02], 0), ([0x02, 0x02, 0x02], 1): self = .rsaPrivateKey
    case ([0x02, 0x04], 1), ([0x02, 0x04, 0xa0], 1), ([0x02, 0x04, 0xa1], 1): self = .ecPrivateKey
    case ([0x02, 0x30], 3), ([0x02, 0x30, 0x30], 3): self = .pkcs12
    case ([0x02, 0x02], _): self = .rsaPublicKey
    default: return nil
    }
  }

  var isPrivate: Bool {
    switch self {
    case .privateKey, .encryptedPrivateKey, .rsaPrivateKey, .ecPrivateKey, .privateJWK, .pkcs12:
      true
    default: false
    }
  }

  /// With an article: `a certificate`.
  var name: String {
    switch self {
    case .publicKey: "a public key"
    case .privateKey: "a private key"
    case .encryptedPrivateKey: "an encrypted private key"
    case .rsaPrivateKey: "an RSA private key in PKCS#1 form"
    case .rsaPublicKey: "an RSA public key in PKCS#1 form"
    case .ecPrivateKey: "an EC private key in SEC1 form"
    case .ecParameters: "an elliptic curve without a key"
    case .publicJWK: "a public JWK"
    case .privateJWK: "a private JWK"
    case .certificate: "a certificate"
    case .certificateRequest: "a certificate request"
    case .pkcs12: "a PKCS#12 file"
    case .openSSH: "a key in OpenSSH's own form"
    case .pkcs7: "a PKCS#7 bundle"
    case .revocationList: "a revocation list"
    case .other: "something else"
    }
  }
}
