/// A profile of the signed form, named by the protected header's `typ`.
public enum Profile: String, Sendable, CaseIterable {
  case standard
  /// The wire format of CNPinning-Apple and CNPinning-Android.
  case cnpinning

  /// The `typ` of the protected header (RFC 7515 §4.1.9), compared byte for byte.
  public var type: String {
    switch self {
    case .standard: "pin-policy+jwt"
    case .cnpinning: "JWT"
    }
  }
}
