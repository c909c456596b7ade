public import PinPolicy
public import StrictJSON

/// Why a key was not taken.
public enum KeyError: Refusal, Equatable {
  /// The bytes are no key in any form that is read here.
  case unreadable(OpenSSLError)
  /// Bytes follow the key.
  case trailingBytes
  /// libcrypto failed at something that should have worked.
  case openSSL(OpenSSLError)

  public var category: FailureCategory { .key }

  public var code: String {
    switch self {
    case .unreadable: "unreadable-key"
    case .trailingBytes: "trailing-bytes"
    case .openSSL: "openssl"
    }
  }

  public var message: String {
    switch self {
    case .unreadable(let error): "This is not a key that can be read (OpenSSL: \(error))."
    case .trailingBytes: "Bytes follow the key: give the key alone."
    case .openSSL(let error): "OpenSSL could not work with the key: \(error)."
    }
  }

  public var detail: [JSONMember] { [] }
}
