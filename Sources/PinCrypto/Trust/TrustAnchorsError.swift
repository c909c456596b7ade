public import PinPolicy
public import StrictJSON

/// Why there is nothing to trust.
public enum TrustAnchorsError: Refusal, Equatable {
  /// No anchor was given.
  case empty
  /// The platform has no bundle of roots at any of these places.
  case noSystemRoots([String])
  /// The bundle is not what it should be.
  case unreadable(place: String, CertificateError)
  case openSSL(OpenSSLError)

  public var category: FailureCategory {
    switch self {
    case .empty, .noSystemRoots, .unreadable: .input
    case .openSSL: .internal
    }
  }

  public var code: String {
    switch self {
    case .empty: "no-anchors"
    case .noSystemRoots: "no-system-roots"
    case .unreadable: "unreadable-roots"
    case .openSSL: "openssl"
    }
  }

  public var message: String {
    switch self {
    case .empty:
      "There is no trust anchor, so nothing could be trusted: give at least one root certificate."
    case .noSystemRoots(let places):
      "This system has no bundle of root certificates (looked at \(places.joined(separator: ", "))): "
        + "install ca-certificates, set SSL_CERT_FILE, or give the anchors."
    case .unreadable(let place, let error):
      "The root certificates in \(PrintableText.quoted(place)) cannot be read. \(error.message)"
    case .openSSL(let error):
      "OpenSSL could not take the trust anchors (\(error))."
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .empty, .openSSL:
      []
    case .noSystemRoots(let places):
      [JSONMember("places", .array(places.map(JSONValue.string)))]
    case .unreadable(let place, let error):
      [JSONMember("place", .string(place))] + error.detail
    }
  }
}
