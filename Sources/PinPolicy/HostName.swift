/// A host name or an IP address in canonical form.
///
/// A name has at most 253 bytes in labels of 1 to 63 from `a-z 0-9 - _`, IPv4 is a dotted quad, IPv6
/// is written as RFC 5952 has it. Two spellings of one host are equal.
public struct HostName: Hashable, Sendable, CustomStringConvertible {
  /// The canonical text: ASCII, without brackets or trailing dot.
  public let description: String

  /// Reads a host that somebody looks up: ASCII upper case, one trailing dot, any RFC 4291 spelling
  /// of an address and brackets around it are taken.
  ///
  /// - Throws: ``HostNameError`` for the first rule that `text` breaks; non-ASCII text among it,
  ///   since the library converts no U-labels.
  public init(_ text: String) throws(HostNameError) { try self.init(text, as: .lookup) }

  /// Reads a host as a source document spells it: like a look-up, but for brackets.
  public init(source text: String) throws(HostNameError) { try self.init(text, as: .source) }

  /// Reads a host as a signed payload must spell it: canonical but for the ASCII case of a name.
  ///
  /// - Throws: ``HostNameError``, with the canonical form where the text has one.
  public init(payload text: String) throws(HostNameError) { try self.init(text, as: .payload) }

  private init(_ text: String, as spelling: HostSpelling) throws(HostNameError) {
    var buffer = HostBuffer(repeating: 0)
    let count = try HostSyntax.canonicalize(text.utf8Span.span, as: spelling, into: &buffer)
    self.init(canonical: buffer.span.extracting(first: count))
  }

  /// Takes bytes that ``HostSyntax`` has made.
  init(canonical bytes: Span<UInt8>) {
    description = String(ascii: bytes)
  }

  /// Whether this is an IP address, which takes no part in the subdomain step.
  public var isAddress: Bool { HostSyntax.isAddress(canonical: description.utf8Span.span) }
}

extension String {
  /// A copy of bytes that are known to be ASCII.
  init(ascii bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
