extension JSONDocument {
  /// What a string or name spells; the text of a number or word; empty for a container.
  public func string(_ node: Node) -> String {
    let entry = self[node]
    guard !entry.kind.isContainer else { return "" }
    if entry.flags.contains(.escaped) {
      return String(decoding: unescaped(entry), as: UTF8.self)
    }
    return String(decoding: bytes[entry.range], as: UTF8.self)
  }

  /// Lends the UTF-8 of what ``string(_:)`` gives; copies only what has escapes.
  @inlinable
  public func withUTF8<Result, Failure>(
    of node: Node, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let entry = self[node]
    if entry.flags.contains(.escaped) {
      let copy = unescaped(entry)
      return try body(copy.span)
    }
    return try body(bytes.span.extracting(entry.kind.isContainer ? 0..<0 : entry.range))
  }

  /// Whether a string or name spells `text`, compared byte for byte after unescaping.
  @inlinable
  public func matches(_ node: Node, _ text: StaticString) -> Bool {
    let entry = self[node]
    guard entry.kind == .string else { return false }
    if entry.flags.contains(.escaped) {
      return withUTF8(of: node) { Self.equal($0, text) }
    }
    guard Int(entry.length) == text.utf8CodeUnitCount else { return false }
    return Self.equal(bytes.span.extracting(entry.range), text)
  }

  /// The value of a number that is written `0` or `[1-9][0-9]*` and fits; else nil.
  @inlinable
  public func integer(_ node: Node) -> Int64? {
    let entry = self[node]
    // 19 digits are the most that fit.
    guard entry.kind == .number, entry.length <= 19 else { return nil }
    let text = bytes.span.extracting(entry.range)
    var value: Int64 = 0
    for index in text.indices {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }

  @inlinable
  static func equal(_ bytes: Span<UInt8>, _ text: StaticString) -> Bool {
    guard text.hasPointerRepresentation, bytes.count == text.utf8CodeUnitCount else { return false }
    // The literal lives as long as the process, so the buffer is good for the whole closure.
    return text.withUTF8Buffer { buffer in
      for index in 0..<buffer.count where unsafe bytes[index] != buffer[index] {
        return false
      }
      return true
    }
  }

  /// The bytes that a string with escapes spells. The builder has judged every escape.
  @usableFromInline
  func unescaped(_ entry: TapeNode) -> [UInt8] {
    Escapes.resolve(bytes.span.extracting(entry.range))
  }
}

extension TapeNode {
  @inlinable
  var range: Range<Int> { Int(offset)..<(Int(offset) &+ Int(length)) }
}
