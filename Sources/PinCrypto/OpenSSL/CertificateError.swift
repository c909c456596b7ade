public import PinPolicy
public import StrictJSON

/// Why bytes are not the certificates that were asked for.
public enum CertificateError: Refusal, Equatable {
  /// The list holds no certificate.
  case empty
  /// More certificates than `Limits.presentedCertificates`.
  case tooMany(limit: Int)
  /// A certificate longer than `Limits.certificateBytes`.
  case tooLong(index: Int, limit: Int)
  /// No certificate of RFC 5280 §4.1, or one with a name that does not decode.
  case malformed(index: Int, OpenSSLError)
  /// A PEM block is cut or not Base64 (RFC 7468).
  case malformedPEM(OpenSSLError)
  /// Bytes follow the certificate inside its PEM block or DER file.
  case trailingBytes(index: Int)
  /// An extension stands in it twice (RFC 5280 §4.2).
  case duplicateExtension(index: Int)
  /// More extensions than `Limits.certificateExtensions`.
  case tooManyExtensions(index: Int, limit: Int)
  /// A PEM block that is no certificate.
  case otherBlock(label: String, index: Int)

  public var category: FailureCategory {
    switch self {
    case .tooMany, .tooLong, .tooManyExtensions: .limit
    default: .input
    }
  }

  public var code: String {
    switch self {
    case .empty: "no-certificate"
    case .tooMany: "too-many-certificates"
    case .tooLong: "certificate-too-long"
    case .malformed: "malformed-certificate"
    case .malformedPEM: "malformed-pem"
    case .trailingBytes: "bytes-after-certificate"
    case .duplicateExtension: "duplicate-extension"
    case .tooManyExtensions: "too-many-extensions"
    case .otherBlock: "not-a-certificate"
    }
  }

  public var message: String {
    switch self {
    case .empty:
      "There is no certificate: give at least the server's own, in PEM or DER."
    case .tooMany(let limit):
      "There are more than \(limit) certificates: give one server's chain."
    case .tooLong(let index, let limit):
      "Certificate \(index) is longer than \(limit) bytes."
    case .malformed(let index, let error):
      "Certificate \(index) cannot be read (OpenSSL: \(error))."
    case .malformedPEM(let error):
      "A PEM block cannot be read: get the file again from its source (OpenSSL: \(error))."
    case .trailingBytes(let index):
      "Bytes follow certificate \(index) inside its own encoding: get it again from its source."
    case .duplicateExtension(let index):
      "Certificate \(index) has one extension twice, so that readers disagree on what it says."
    case .tooManyExtensions(let index, let limit):
      "Certificate \(index) has more than \(limit) extensions."
    case .otherBlock(let label, let index):
      "Block \(index) is a \(PrintableText.quoted(label)), not a certificate."
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .empty, .malformedPEM: []
    case .tooMany(let limit): [JSONMember("limit", .integer(Int64(limit)))]
    case .tooLong(let index, let limit), .tooManyExtensions(let index, let limit):
      [
        JSONMember("index", .integer(Int64(index))), JSONMember("limit", .integer(Int64(limit))),
      ]
    case .malformed(let index, _), .trailingBytes(let index), .duplicateExtension(let index):
      [JSONMember("index", .integer(Int64(index)))]
    case .otherBlock(let label, let index):
      [JSONMember("index", .integer(Int64(index))), JSONMember("label", .string(label))]
    }
  }
}
