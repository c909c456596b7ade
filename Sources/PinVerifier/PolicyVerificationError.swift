public import PinCrypto
public import PinPolicy
public import StrictJSON

/// Why a signed policy was refused: the first failed step, in the order in which they are judged.
public enum PolicyVerificationError: Error, Equatable, Sendable {
  /// The message: its size, encoding, header, key or signature.
  case message(JWSError)
  /// What was signed is no policy, is for another audience, or is never in force.
  case payload(PolicyDecodingError)
  /// `iat` lies after the time of the check and its tolerance.
  case notYetValid(ValidityWindow, at: Int64, tolerance: Int64)
  /// `exp` has come: the window is half open.
  case expired(ValidityWindow, at: Int64)
  /// `exp − iat` exceeds what the service allows.
  case lifetimeTooLong(seconds: Int64, maximum: Int64)
  /// The key was retired or stolen: it may have signed only policies issued until then.
  case issuedAfterCutOff(issuedAt: Int64, issuedBefore: Int64, keyIdentifier: String)
}

extension PolicyVerificationError: Refusal {
  public var category: FailureCategory {
    switch self {
    case .message(let error): error.category
    case .payload(let error): error.category
    case .notYetValid, .expired, .lifetimeTooLong, .issuedAfterCutOff: .time
    }
  }

  public var code: String {
    switch self {
    case .message(let error): error.code
    case .payload(let error): error.code
    case .notYetValid: "not-yet-valid"
    case .expired: "expired"
    case .lifetimeTooLong: "lifetime-too-long"
    case .issuedAfterCutOff: "issued-after-cut-off"
    }
  }

  public var message: String {
    switch self {
    case .message(let error):
      error.message
    case .payload(let error):
      error.message
    case .notYetValid(let window, let time, let tolerance):
      "the policy is valid only from \(window.issuedAt), and the time of the check is \(time)"
        + (tolerance == 0 ? "" : " with a tolerance of \(tolerance) s")
        + "; check this clock and the signer's"
    case .expired(let window, let time):
      "the policy expired at \(window.expiresAt), and the time of the check is \(time); "
        + "get a newer policy"
    case .lifetimeTooLong(let seconds, let maximum):
      "the policy would last \(seconds) s, and at most \(maximum) s are allowed; "
        + "sign it for less time"
    case .issuedAfterCutOff(let issuedAt, let issuedBefore, let key):
      "the policy was issued at \(issuedAt), after the key \(key) was retired at \(issuedBefore); "
        + "sign it with a key that is still trusted"
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .message(let error):
      error.detail
    case .payload(let error):
      error.detail
    case .notYetValid(let window, let time, let tolerance):
      Self.members(of: window)
        + [JSONMember("at", .integer(time)), JSONMember("tolerance", .integer(tolerance))]
    case .expired(let window, let time):
      Self.members(of: window) + [JSONMember("at", .integer(time))]
    case .lifetimeTooLong(let seconds, let maximum):
      [JSONMember("lifetime", .integer(seconds)), JSONMember("maximum", .integer(maximum))]
    case .issuedAfterCutOff(let issuedAt, let issuedBefore, let key):
      [
        JSONMember("iat", .integer(issuedAt)), JSONMember("issuedBefore", .integer(issuedBefore)),
        JSONMember("keyID", .string(key)),
      ]
    }
  }

  private static func members(of window: ValidityWindow) -> [JSONMember] {
    [
      JSONMember("iat", .integer(window.issuedAt)), JSONMember("exp", .integer(window.expiresAt)),
    ]
  }
}
