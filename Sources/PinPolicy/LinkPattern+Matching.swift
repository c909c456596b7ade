// Names are compared as bytes here: `String` compares by canonical equivalence, so that "é" would
// equal "e" and U+0301, and cuts prefixes at grapheme clusters.

extension LinkPattern {
  /// Whether a certificate of this Common Name satisfies the link.
  ///
  /// An unreadable name satisfies ``any`` alone.
  package func matches(_ commonName: CommonName) -> Bool {
    switch (self, commonName) {
    case (.any, _): true
    case (_, .unreadable): false
    case (_, .readable(let name)): matches(name)
    }
  }

  /// Whether these bytes fit the link, whatever a certificate may be named.
  ///
  /// An empty value, which no policy can hold, fits nothing: it would fit every name.
  package func matches(_ name: String) -> Bool {
    switch self {
    case .any: true
    case .exact(let value): !value.isEmpty && hasSameBytes(name, value)
    case .prefix(let value): name.utf8.span.hasPrefix(value.utf8.span)
    case .suffix(let value): name.utf8.span.hasSuffix(value.utf8.span)
    case .prefixWithNumber(let value): name.utf8.span.isNumbered(value.utf8.span)
    }
  }

  /// What the name is compared with; nil for ``any``.
  public var value: String? {
    switch self {
    case .exact(let value), .prefix(let value), .prefixWithNumber(let value), .suffix(let value):
      value
    case .any: nil
    }
  }

  /// Byte for byte, like ``matches(_:)``: two links are equal when they match the same names.
  public static func == (left: LinkPattern, right: LinkPattern) -> Bool {
    switch (left, right) {
    case (.exact(let left), .exact(let right)), (.prefix(let left), .prefix(let right)),
      (.prefixWithNumber(let left), .prefixWithNumber(let right)),
      (.suffix(let left), .suffix(let right)):
      hasSameBytes(left, right)
    case (.any, .any): true
    default: false
    }
  }
}

extension ChainPattern {
  /// Whether there is a certificate for every link, and every link matches its own.
  ///
  /// - Parameter path: leaf first; the links are written root first.
  package func matches(_ path: [PathCertificate]) -> Bool {
    guard links.count == path.count else { return false }
    return links.indices.allSatisfy { links[$0].matches(path[path.count - 1 - $0].commonName) }
  }
}

/// Whether two texts are the same UTF-8, without `String`'s canonical equivalence.
package func hasSameBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.span.starts(with: right.utf8.span, at: 0)
}

extension Span<UInt8> {
  fileprivate func hasPrefix(_ value: Span<UInt8>) -> Bool {
    !value.isEmpty && starts(with: value, at: 0)
  }

  fileprivate func hasSuffix(_ value: Span<UInt8>) -> Bool {
    !value.isEmpty && count >= value.count && starts(with: value, at: count - value.count)
  }

  /// Whether this is `value`, one or more of `0-9`, and nothing else. Other digits of Unicode are
  /// none: an attacker's root may be named with them.
  fileprivate func isNumbered(_ value: Span<UInt8>) -> Bool {
    guard count > value.count, hasPrefix(value) else { return false }
    for index in value.count..<count where !(0x30...0x39).contains(self[index]) { return false }
    return true
  }

  fileprivate func starts(with value: Span<UInt8>, at offset: Int) -> Bool {
    guard count - offset >= value.count else { return false }
    for index in value.indices where self[offset + index] != value[index] { return false }
    return true
  }
}
