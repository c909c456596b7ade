import PinPolicy

extension PrintableText {
  /// JSON text with the scalars that don't show as themselves written `\uXXXX`: the same document
  /// to every parser, and harmless on a terminal.
  ///
  /// Outside its strings such a text is ASCII, so that replacing is safe wherever they stand; a line
  /// break stands nowhere else, and stays.
  static func escape(json text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x7f }) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard isHidden(scalar), scalar != "\n" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }

  /// The text escaped, its middle left out when it is too long: a message ends with what to do.
  static func message(_ text: String) -> String {
    let text = escape(text)
    if text.utf8.count <= messageScalars { return text }
    let scalars = Array(text.unicodeScalars)
    guard scalars.count > messageScalars else { return text }
    let tail = messageScalars / 3
    var result = String.UnicodeScalarView(scalars.prefix(messageScalars - tail - 1))
    result.append("…")
    result.append(contentsOf: scalars.suffix(tail))
    return String(result)
  }
}
