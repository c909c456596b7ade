/// Why a text is not the JSON that this reader takes, and where.
public struct JSONError: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    /// The text is longer than `JSONLimits.bytes`.
    case tooLong(limit: Int)
    /// More containers are open at once than `JSONLimits.depth`.
    case tooDeep(limit: Int)
    /// A number's text is longer than `JSONLimits.numberCharacters`.
    case numberTooLong(limit: Int)
    /// The text begins with U+FEFF (RFC 8259 §8.1: a parser may refuse it).
    case byteOrderMark
    /// Bytes that are no UTF-8, overlong forms and encoded surrogates among them (RFC 3629).
    case invalidUTF8
    /// Something else stands where `expected` should.
    case unexpected(expected: String)
    /// The text ends where `expected` should stand.
    case unexpectedEnd(expected: String)
    /// A backslash that begins no escape (RFC 8259 §7).
    case invalidEscape
    /// `\uD800`–`\uDFFF` without its other half.
    case loneSurrogate
    /// U+0000–U+001F unescaped in a string.
    case controlCharacter
    /// No number of RFC 8259 §6: a leading zero, `+1`, `.5`, `1.`, `NaN`.
    case invalidNumber
    /// A second member of this name in one object, compared after unescaping.
    case duplicateMember(String)
    /// Bytes after the document.
    case trailingBytes
  }

  public let reason: Reason
  /// Where, in bytes from 0.
  public let byteOffset: Int
  /// Where, in lines from 1.
  public let line: Int
  /// Where, in Unicode scalars from 1.
  public let column: Int
  /// The innermost value that was being read, where there is one.
  public let path: JSONPath?

  public init(reason: Reason, byteOffset: Int, line: Int, column: Int, path: JSONPath?) {
    self.reason = reason
    self.byteOffset = byteOffset
    self.line = line
    self.column = column
    self.path = path
  }

  /// Whether a limit was exceeded, as against the text being wrong.
  public var isLimit: Bool {
    switch reason {
    case .tooLong, .tooDeep, .numberTooLong: true
    default: false
    }
  }
}

/// What a reader spends at most on one text.
public struct JSONLimits: Equatable, Sendable {
  public var bytes: Int
  /// Containers open at once, the outermost included.
  public var depth: Int
  public var numberCharacters: Int

  public init(bytes: Int, depth: Int, numberCharacters: Int) {
    self.bytes = bytes
    self.depth = depth
    self.numberCharacters = numberCharacters
  }
}
