/// Why a URL is none that reports are sent to.
public enum ReportURLError: Error, Hashable, Sendable {
  /// More than 2 048 bytes; carries how many.
  case tooLong(bytes: Int)
  /// It does not begin with `https://` in lower case.
  case scheme
  /// `name@…` before the host.
  case user
  /// The host is no host, or not in canonical form.
  case host(HostNameError)
  /// An IPv6 address without brackets.
  case noBrackets
  /// The port is no number from 1 to 65535 without leading zeros.
  case port
  /// A space, a control character, a backslash, a character beyond ASCII.
  case character
  /// `#…`, which no request carries (RFC 9110 §4.2.5).
  case fragment

  package static let mostBytes = 2048

  /// What is wrong and what to do.
  package var message: String {
    switch self {
    case .tooLong(let bytes): "the URL has \(bytes) bytes: at most \(Self.mostBytes) are taken"
    case .scheme: "the URL must begin with https:// in lower case"
    case .user: "the URL must not carry a user"
    case .host(let error): "in the URL, " + error.message
    case .noBrackets: "an IPv6 address stands in brackets in a URL"
    case .port: "the URL's port must be a number from 1 to 65535 without leading zeros"
    case .character:
      "the URL's path and query may have visible ASCII but the backslash: percent-encode the rest"
    case .fragment: "the URL must not have a fragment"
    }
  }
}

/// The grammar of `reportTo`: a part of RFC 3986 that no two readers understand differently.
enum ReportURL {
  /// Judges a URL: `https://`, a canonical host, perhaps a port, perhaps a path and a query.
  static func check(_ text: Span<UInt8>) throws(ReportURLError) {
    guard text.count <= ReportURLError.mostBytes else { throw .tooLong(bytes: text.count) }
    let scheme: InlineArray<8, UInt8> = [104, 116, 116, 112, 115, 58, 47, 47]  // https://
    guard text.count >= 8, HostSyntax.equal(text.extracting(first: 8), scheme.span) else {
      throw .scheme
    }
    var end = 8
    while end < text.count, !endsAuthority(text[end]) { end &+= 1 }
    try checkAuthority(text.extracting(8..<end))
    for index in end..<text.count {
      switch text[index] {
      case UInt8(ascii: "#"): throw .fragment
      case UInt8(ascii: "\\"): throw .character
      case 0x21...0x7e: continue
      default: throw .character
      }
    }
  }

  /// RFC 3986 §3.2; the backslash too, at which browsers end an authority.
  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): true
    default: false
    }
  }

  private static func checkAuthority(_ text: Span<UInt8>) throws(ReportURLError) {
    for index in text.indices where text[index] == UInt8(ascii: "@") { throw .user }
    var hostEnd = 0
    let hasBrackets = text.count > 0 && text[0] == UInt8(ascii: "[")
    let delimiter = UInt8(ascii: hasBrackets ? "]" : ":")
    while hostEnd < text.count, text[hostEnd] != delimiter { hostEnd &+= 1 }
    if hasBrackets {
      guard hostEnd < text.count else { throw .host(.strayBracket) }
      try checkHost(text.extracting(1..<hostEnd), isIPv6: true)
      hostEnd &+= 1
    } else {
      let host = text.extracting(first: hostEnd)
      if hostEnd < text.count, isIPv6(text) { throw .noBrackets }
      try checkHost(host, isIPv6: false)
    }
    guard hostEnd < text.count else { return }
    guard text[hostEnd] == UInt8(ascii: ":"),
      isPort(text.extracting((hostEnd &+ 1)..<text.count))
    else { throw .port }
  }

  private static func checkHost(
    _ text: Span<UInt8>, isIPv6: Bool
  ) throws(ReportURLError) {
    var buffer = HostBuffer(repeating: 0)
    let count: Int
    do { count = try HostSyntax.canonicalize(text, as: .payload, into: &buffer) } catch {
      throw .host(error)
    }
    let canonical = buffer.span.extracting(first: count)
    guard HostSyntax.equal(canonical, text) else {
      throw .host(.notCanonical(String(ascii: canonical)))
    }
    var hasColon = false
    for index in text.indices where text[index] == UInt8(ascii: ":") { hasColon = true }
    guard hasColon == isIPv6 else { throw .host(.strayBracket) }
  }

  private static func isIPv6(_ text: Span<UInt8>) -> Bool { IPv6Address(text) != nil }

  private static func isPort(_ text: Span<UInt8>) -> Bool {
    guard (1...5).contains(text.count), text[0] != UInt8(ascii: "0") else { return false }
    var port = 0
    for index in text.indices {
      guard HostSyntax.isDigit(text[index]) else { return false }
      port = port * 10 + Int(text[index] - UInt8(ascii: "0"))
    }
    return port <= 65535
  }
}
