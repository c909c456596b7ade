public import PinPolicy
public import StrictJSON

/// Why a text that an administrator wrote is no host.
public enum HostAuthoringError: Refusal, Hashable {
  /// It breaks a rule that holds with or without conversion.
  case host(HostNameError)
  /// More bytes than any name is converted from.
  case tooLong(bytes: Int)
  /// libidn2 refuses it; the reason is in its words.
  case notConvertible(String, reason: String)
  /// It maps to a text that is no host: U+2100 to `a/c`, U+FF0A to `*`.
  case converts(String, to: String, HostNameError)
  /// It maps to an address: an address is written in ASCII.
  case convertsToAddress(String, String)
  /// libidn2 cannot be loaded; the reason is in the loader's words.
  case libraryMissing(String)

  public var category: FailureCategory { .usage }

  public var code: String {
    switch self {
    case .host(let error): error.code
    case .tooLong: "host-too-long"
    case .notConvertible: "host-not-convertible"
    case .converts, .convertsToAddress: "host-converts-badly"
    case .libraryMissing: "libidn2-missing"
    }
  }

  public var message: String {
    switch self {
    case .host(let error): error.message
    case .tooLong(let bytes):
      "the name has \(bytes) bytes, too many to convert: no name has as many"
    case .notConvertible(let text, let reason):
      "\(PrintableText.quoted(text)) has no A-label form: \(PrintableText.escape(reason))"
    case .converts(let text, let ascii, let error):
      "\(PrintableText.quoted(text)) converts to \(PrintableText.quoted(ascii)), which is no host: "
        + error.message
    case .convertsToAddress(let text, let address):
      "\(PrintableText.quoted(text)) converts to an address: write \(address)"
    case .libraryMissing(let reason):
      "names beyond ASCII need libidn2 (Debian: libidn2-0): \(PrintableText.escape(reason)); "
        + "or write the A-label form, xn--…"
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .host(let error): error.detail
    case .converts(_, let ascii, let error):
      [JSONMember("converted", .string(ascii))] + error.detail
    case .convertsToAddress(_, let address): [JSONMember("canonical", .string(address))]
    case .tooLong, .notConvertible, .libraryMissing: []
    }
  }
}
