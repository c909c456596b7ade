public import StrictJSON

/// Why a text is no host.
public enum HostNameError: Error, Hashable, Sendable {
  case empty
  /// A character beyond ASCII: the library converts no U-labels (RFC 5890 §2.3.2.1).
  case notASCII
  /// A character that no host has: white space, a control character, punctuation.
  case forbiddenCharacter(Unicode.Scalar)
  /// `https://…`.
  case scheme
  /// `name@…`.
  case user
  /// A path, query or fragment.
  case path
  /// `host:443`.
  case port
  /// A `*` where none may stand.
  case wildcard
  /// `*.example.com`; carries `example.com`.
  case wildcardLabel(String)
  /// Two dots in a row, or one at the start; carries the label's index from 0.
  case emptyLabel(index: Int)
  /// A label of more than 63 bytes.
  case labelTooLong(index: Int, bytes: Int)
  /// A label that begins or ends with a hyphen (RFC 1123 §2.1).
  case hyphenAtEdge(index: Int)
  /// A name of more than 253 bytes.
  case tooLong(bytes: Int)
  /// The last label is all digits or begins with `0x`, and the whole is no dotted quad.
  case invalidIPv4
  /// Colons, and no spelling of RFC 4291.
  case invalidIPv6
  /// `fe80::1%eth0`: a zone means something on one machine only (RFC 4007 §11).
  case zone
  /// `::ffff:192.0.2.1`; carries the IPv4 address.
  case mappedIPv4(String)
  /// One bracket, or brackets around what is no IPv6 address.
  case strayBracket
  /// Brackets where an address stands without; carries the canonical form.
  case brackets(String)
  /// A name beyond ASCII of which authoring can make no A-labels; carries why.
  case notConvertible(String)
  /// Another spelling of a host where only the canonical one is taken; carries that one.
  case notCanonical(String)
}

extension HostNameError: Refusal {
  public var category: FailureCategory { .usage }

  /// The form to write instead, where the text stands for a host.
  public var canonical: String? {
    switch self {
    case .brackets(let host), .notCanonical(let host): host
    default: nil
    }
  }

  public var code: String {
    switch self {
    case .empty: "host-empty"
    case .notASCII: "host-not-ascii"
    case .forbiddenCharacter: "host-character"
    case .scheme: "host-scheme"
    case .user: "host-user"
    case .path: "host-path"
    case .port: "host-port"
    case .wildcard, .wildcardLabel: "host-wildcard"
    case .emptyLabel: "host-empty-label"
    case .labelTooLong: "host-label-too-long"
    case .hyphenAtEdge: "host-hyphen"
    case .tooLong: "host-too-long"
    case .invalidIPv4: "host-ipv4"
    case .invalidIPv6: "host-ipv6"
    case .zone: "host-zone"
    case .mappedIPv4: "host-mapped-ipv4"
    case .strayBracket, .brackets: "host-brackets"
    case .notConvertible: "host-not-convertible"
    case .notCanonical: "host-not-canonical"
    }
  }

  public var message: String {
    switch self {
    case .empty: "a host cannot be empty"
    case .notASCII:
      "a host must be ASCII here: convert the name to its A-label form (xn--…) first"
    case .forbiddenCharacter(let scalar):
      "U+\(Self.hexadecimal(scalar)) cannot stand in a host: names have a-z 0-9 - _ and dots"
    case .scheme: "a host has no scheme: drop what stands before and with ://"
    case .user: "a host has no user: drop what stands before and with @"
    case .path: "a host has no path, query or fragment: drop it"
    case .port: "a host has no port: drop the colon and what follows it"
    case .wildcard: "* stands alone, as the pattern for every host, or not at all"
    case .wildcardLabel(let name):
      "a wildcard label is not taken: write \(name), in profile standard with "
        + "\"includesSubdomains\": true"
    case .emptyLabel(let index):
      "label \(index + 1) is empty: a name has one dot between labels and none at its ends"
    case .labelTooLong(let index, let bytes):
      "label \(index + 1) has \(bytes) bytes: a label has at most \(HostSyntax.longestLabel)"
    case .hyphenAtEdge(let index):
      "label \(index + 1) begins or ends with a hyphen: no label does"
    case .tooLong(let bytes):
      "the name has \(bytes) bytes: a name has at most \(HostSyntax.longestName)"
    case .invalidIPv4:
      "a last label of digits or 0x is read as IPv4: write four numbers of 0 to 255 with dots, "
        + "without leading zeros"
    case .invalidIPv6: "not an IPv6 address: write it as in 2001:db8::1"
    case .zone: "an address has no zone here: drop the % and what follows it"
    case .mappedIPv4(let address): "an IPv4-mapped address is not taken: write \(address)"
    case .strayBracket: "brackets stand in pairs and around an IPv6 address only"
    case .brackets(let host): "brackets belong to URLs: write \(host)"
    case .notConvertible(let why): why
    case .notCanonical(let host): "not in canonical form: write \(host)"
    }
  }

  public var detail: [JSONMember] {
    canonical.map { [JSONMember("canonical", .string($0))] } ?? []
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension HostNameError {
  /// Names the fault of a text, without its trailing dot, that is neither a name nor an address.
  init(fault text: Span<UInt8>, insideBrackets: Bool) {
    self =
      Self.characterFault(text) ?? Self.bracketFault(text, insideBrackets: insideBrackets)
      ?? Self.colonFault(text) ?? Self.labelFault(text)
  }

  private static func characterFault(_ text: Span<UInt8>) -> HostNameError? {
    guard text.count > 0 else { return .empty }
    for index in text.indices where text[index] >= 0x80 { return .notASCII }
    for index in text.indices where text[index] <= 0x20 || text[index] == 0x7f {
      return .forbiddenCharacter(Unicode.Scalar(text[index]))
    }
    var stars = 0
    for index in text.indices where text[index] == UInt8(ascii: "*") { stars += 1 }
    if stars > 0 {
      // With one star only: a text of many would come back here once for each.
      guard stars == 1, text.count > 2, text[0] == UInt8(ascii: "*"),
        text[1] == UInt8(ascii: "."),
        let name = try? HostName(source: String(ascii: text.extracting(2..<text.count)))
      else { return .wildcard }
      return .wildcardLabel(name.description)
    }
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "@"): return .user
      case UInt8(ascii: "/"):
        return index > 0 && text[index - 1] == UInt8(ascii: ":") ? .scheme : .path
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): return .path
      default: continue
      }
    }
    return nil
  }

  private static func bracketFault(
    _ text: Span<UInt8>, insideBrackets: Bool
  ) -> HostNameError? {
    var isZone = false
    for index in text.indices where text[index] == UInt8(ascii: "%") { isZone = true }
    if insideBrackets { return isZone ? .zone : .strayBracket }
    for index in text.indices {
      // `[2001:db8::1]:443`
      if text[index] == UInt8(ascii: "]"), text[0] == UInt8(ascii: "["), index + 1 < text.count,
        text[index + 1] == UInt8(ascii: ":")
      {
        return .port
      }
    }
    for index in text.indices
    where text[index] == UInt8(ascii: "[") || text[index] == UInt8(ascii: "]") {
      return .strayBracket
    }
    return nil
  }

  private static func colonFault(_ text: Span<UInt8>) -> HostNameError? {
    var colons = 0
    var digitsAfter = 0
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: ":"):
        colons += 1
        digitsAfter = 0
      case UInt8(ascii: "%"): return colons > 0 ? .zone : .forbiddenCharacter("%")
      case let byte where HostSyntax.isDigit(byte): digitsAfter += 1
      default: digitsAfter = .min
      }
    }
    guard colons > 0 else { return nil }
    return colons == 1 && digitsAfter >= 0 ? .port : .invalidIPv6
  }

  private static func labelFault(_ text: Span<UInt8>) -> HostNameError {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        continue
      default: return .forbiddenCharacter(Unicode.Scalar(text[index]))
      }
    }
    var label = 0
    var start = 0
    for index in 0...text.count
    where index == text.count || text[index] == UInt8(ascii: ".") {
      let length = index - start
      if length == 0 { return .emptyLabel(index: label) }
      if length > HostSyntax.longestLabel { return .labelTooLong(index: label, bytes: length) }
      if text[start] == UInt8(ascii: "-") || text[index - 1] == UInt8(ascii: "-") {
        return .hyphenAtEdge(index: label)
      }
      label += 1
      start = index + 1
    }
    return .tooLong(bytes: text.count)
  }
}
