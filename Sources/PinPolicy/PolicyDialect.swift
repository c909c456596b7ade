package import StrictJSON

/// What differs between the documents that hold host rules: payloads of two profiles and source
/// documents. All else is ``PolicyReader``'s.
package protocol PolicyDialect {
  /// Whether `"@name"` stands for pins.
  static var expandsNames: Bool { get }
  /// Which links there are: profile `cnpinning` knows no type `any`, and takes a link without type
  /// as `exact`.
  static var profile: Profile { get }

  /// Takes a member of the whole document that is none of ``PolicyReader``'s.
  ///
  /// - Returns: Whether the dialect knows the member.
  mutating func take(
    _ name: JSONDocument.Node, in document: JSONDocument
  ) throws(PolicyFault) -> Bool

  /// Writes the canonical form of a host key that is not `*` to the start of `buffer`.
  ///
  /// - Returns: How many bytes it has.
  func canonicalize(
    _ key: Span<UInt8>, into buffer: inout HostBuffer
  ) throws(HostNameError) -> Int

  /// How many pins a name (without `@`) stands for; nil for one that is not defined. Asked before
  /// anything is expanded, so it may be any number, and saturates.
  func pinCount(named name: String) -> Int?

  /// Appends the pins that a name stands for.
  func appendPins(named name: String, to pins: inout [SPKIPin])
}

extension PolicyDialect {
  package static var expandsNames: Bool { false }
  package func pinCount(named name: String) -> Int? { nil }
  package func appendPins(named name: String, to pins: inout [SPKIPin]) {}
}

/// Room for any canonical host, on the stack.
package typealias HostBuffer = InlineArray<256, UInt8>

extension HostName {
  /// Writes the canonical text to the start of `buffer`.
  package func write(into buffer: inout HostBuffer) -> Int {
    let text = description.utf8Span.span
    for index in text.indices { buffer[index] = text[index] }
    return text.count
  }
}
