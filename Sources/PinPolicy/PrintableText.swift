/// Makes text that strangers wrote safe to show.
///
/// An escape sequence in a `kid` could repaint a terminal, a bidirectional control in a host name
/// could turn it around; neither reaches a ``Refusal/message``.
package enum PrintableText {
  /// The most scalars of a message from strangers; what is cut stands whole in `detail`.
  package static let messageScalars = 256

  /// The text in quotation marks, escaped, cut at ``messageScalars``.
  package static func quoted(_ text: String) -> String { "“" + cut(escape(text)) + "”" }

  /// The text with each scalar that does not show as itself written `\u{…}`, and `\n \r \t` so.
  package static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if isHidden(scalar) {
          result += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// The text's first scalars, with `…` where more followed.
  package static func cut(_ text: String, to limit: Int = messageScalars) -> String {
    if text.utf8.count <= limit { return text }
    var kept = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      if count == limit {
        kept.append("…")
        break
      }
      kept.append(scalar)
      count += 1
    }
    return String(kept)
  }

  /// Controls (Cc), format characters (Cf, the bidirectional ones among them), separators other
  /// than the space, and what has no agreed look.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20 && scalar.value < 0x7f { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return true
    default:
      return false
    }
  }
}
