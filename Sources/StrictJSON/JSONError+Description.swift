extension JSONError.Reason: CustomStringConvertible {
  /// What is wrong, as a clause without a full stop. A member's name stands in it as it is: the
  /// caller escapes it.
  public var description: String {
    switch self {
    case .tooLong(let limit): "the text is longer than \(limit) bytes"
    case .tooDeep(let limit): "more than \(limit) objects and arrays are open at once"
    case .numberTooLong(let limit): "a number has more than \(limit) characters"
    case .byteOrderMark: "the text begins with a byte order mark"
    case .invalidUTF8: "these bytes are not UTF-8"
    case .unexpected(let expected): "\(expected) is expected here"
    case .unexpectedEnd(let expected): "the text ends where \(expected) is expected"
    case .invalidEscape: "a backslash begins no escape that JSON has"
    case .loneSurrogate: "an escaped surrogate stands without its other half"
    case .controlCharacter: "a control character must be escaped in a string"
    case .invalidNumber: "this is not a number that JSON has"
    case .duplicateMember(let name): "the member \(name) stands twice in one object"
    case .trailingBytes: "something follows the document"
    }
  }
}
