public import StrictJSON

/// Why a text is no SPKI pin.
public enum SPKIPinError: Error, Hashable, Sendable {
  /// It does not begin with `sha256/` in lower case.
  case prefix
  /// What follows the prefix has not the 44 characters of 32 bytes; carries how many bytes it has.
  case length(Int)
  /// A character outside `A-Z a-z 0-9 + /`, or padding that is not one `=` at the end.
  case alphabet
  /// The two bits that the last character has over are not zero (RFC 4648 §3.5).
  case trailingBits
}

extension SPKIPinError: Refusal {
  public var category: FailureCategory { .usage }

  public var code: String {
    switch self {
    case .prefix: "pin-prefix"
    case .length: "pin-length"
    case .alphabet: "pin-alphabet"
    case .trailingBits: "pin-trailing-bits"
    }
  }

  public var message: String {
    switch self {
    case .prefix: "a pin begins with sha256/ in lower case"
    case .length(let count):
      "a pin has 44 characters of Base64 after sha256/, this one \(count): it is the SHA-256 "
        + "digest of a public key, not its hexadecimal form and no other hash"
    case .alphabet:
      "a pin is standard Base64 (A-Z a-z 0-9 + /) with one = at its end, without white space"
    case .trailingBits:
      "a pin's last character before = carries bits of no byte: copy the pin again"
    }
  }

  public var detail: [JSONMember] { [] }
}
