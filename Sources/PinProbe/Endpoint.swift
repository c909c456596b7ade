public import PinPolicy
public import StrictJSON

/// A host and a port.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  public let host: HostName
  public let port: UInt16

  public init(host: HostName, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST[:PORT]`; an IPv6 address with a port stands in brackets.
  ///
  /// - Parameter defaultPort: nil where a port must be written.
  /// - Throws: ``EndpointError``.
  public init(_ text: String, defaultPort: UInt16?) throws(EndpointError) {
    let (host, port) = try Self.split(text)
    let name: HostName
    do { name = try HostName(host) } catch { throw .host(error) }
    guard let port = port ?? defaultPort else { throw .missingPort(text) }
    self.init(host: name, port: port)
  }

  /// Takes the port off, and leaves what is before it to whoever reads hosts.
  public static func split(
    _ text: String
  ) throws(EndpointError) -> (host: String, port: UInt16?) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
    let before = text[..<colon]
    let isBracketed = text.hasPrefix("[")
    if isBracketed, text.hasSuffix("]") { return (text, nil) }
    // More colons than one and no brackets: an IPv6 address, or no host at all.
    if !isBracketed, before.utf8.contains(UInt8(ascii: ":")) { return (text, nil) }
    let digits = text.utf8[text.utf8.index(after: colon)...]
    // `https://…` is left to the reader of hosts, which says more about it.
    if digits.first == UInt8(ascii: "/") { return (text, nil) }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != UInt8(ascii: "0"),
      let port = UInt16(String(Substring(digits))),
      port > 0
    else { throw .badPort(text) }
    return (String(before), port)
  }

  /// `api.example.com:443`, `[2001:db8::1]:443`.
  public var description: String {
    let text = host.description
    return text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]:\(port)" : "\(text):\(port)"
  }
}

/// Why a text is no host with a port.
public enum EndpointError: Refusal, Equatable {
  /// The port is not a whole number from 1 to 65535 without leading zeros.
  case badPort(String)
  case missingPort(String)
  case host(HostNameError)

  public var category: FailureCategory { .usage }

  public var code: String {
    switch self {
    case .badPort: "bad-port"
    case .missingPort: "missing-port"
    case .host(let error): error.code
    }
  }

  public var message: String {
    switch self {
    case .badPort(let text):
      "\(PrintableText.quoted(text)) has no port from 1 to 65535 after its colon."
    case .missingPort(let text):
      "\(PrintableText.quoted(text)) needs a port: write ADDR:PORT."
    case .host(let error): error.message
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .badPort, .missingPort: []
    case .host(let error): error.detail
    }
  }
}
