public import PinPolicy
public import StrictJSON

/// Why bytes are not the revocation lists that were asked for.
public enum RevocationListError: Refusal, Equatable {
  /// There is no list.
  case empty
  case tooMany(limit: Int)
  /// A list longer than `Limits.revocationListBytes`.
  case tooLong(index: Int, limit: Int)
  /// A PEM block is cut or not Base64 (RFC 7468).
  case malformedPEM(OpenSSLError)
  /// No list of RFC 5280 §5.1.
  case malformed(index: Int, OpenSSLError)
  /// A delta CRL (RFC 5280 §5.2.4), which lists changes and is no list by itself.
  case delta(index: Int)
  /// A list that does not say until when it holds (RFC 5280 §5.1.2.5).
  case noNextUpdate(index: Int)
  /// Bytes follow the list inside its PEM block or DER file.
  case trailingBytes(index: Int)
  /// A PEM block that is no revocation list.
  case otherBlock(label: String, index: Int)

  public var category: FailureCategory {
    switch self {
    case .tooMany, .tooLong: .limit
    default: .input
    }
  }

  public var code: String {
    switch self {
    case .empty: "no-revocation-list"
    case .tooMany: "too-many-revocation-lists"
    case .tooLong: "revocation-list-too-long"
    case .malformedPEM: "malformed-pem"
    case .malformed: "malformed-revocation-list"
    case .delta: "delta-revocation-list"
    case .noNextUpdate: "no-next-update"
    case .trailingBytes: "bytes-after-revocation-list"
    case .otherBlock: "not-a-revocation-list"
    }
  }

  public var message: String {
    switch self {
    case .empty:
      "There is no revocation list: give one of each authority that is asked, in PEM or DER."
    case .tooMany(let limit):
      "There are more than \(limit) revocation lists."
    case .tooLong(let index, let limit):
      "Revocation list \(index) is longer than \(limit) bytes."
    case .malformedPEM(let error):
      "A PEM block cannot be read: get the file again from its source (OpenSSL: \(error))."
    case .malformed(let index, let error):
      "Revocation list \(index) cannot be read (OpenSSL: \(error))."
    case .delta(let index):
      "Revocation list \(index) is a delta, which says only what has changed: give the complete list."
    case .noNextUpdate(let index):
      "Revocation list \(index) has no nextUpdate, so nobody knows until when it holds: "
        + "get one from its authority that has."
    case .trailingBytes(let index):
      "Bytes follow revocation list \(index) inside its own encoding: get it again from its source."
    case .otherBlock(let label, let index):
      "Block \(index) is a \(PrintableText.quoted(label)), not a revocation list."
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .empty, .malformedPEM: []
    case .tooMany(let limit): [JSONMember("limit", .integer(Int64(limit)))]
    case .tooLong(let index, let limit):
      [
        JSONMember("index", .integer(Int64(index))), JSONMember("limit", .integer(Int64(limit))),
      ]
    case .malformed(let index, _), .trailingBytes(let index), .delta(let index),
      .noNextUpdate(let index):
      [JSONMember("index", .integer(Int64(index)))]
    case .otherBlock(let label, let index):
      [JSONMember("index", .integer(Int64(index))), JSONMember("label", .string(label))]
    }
  }
}
