import PinPolicy

/// A line for people: pieces of text with a style, escaped when it is printed and not before.
///
/// Written as an interpolated string: `"\("VERIFIED", .good) \(file)"`. It holds no escape
/// sequences and no line breaks of its own; ``Output`` adds both.
struct Line: ExpressibleByStringInterpolation {
  enum Style {
    case plain, strong, good, bad, warning, faint
  }

  var pieces: [(text: String, style: Style)]

  init(stringLiteral text: String) { pieces = [(text, .plain)] }

  init(_ text: String, _ style: Style = .plain) { pieces = [(text, style)] }

  init(stringInterpolation: Interpolation) { pieces = stringInterpolation.pieces }

  struct Interpolation: StringInterpolationProtocol {
    var pieces: [(text: String, style: Style)] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) {
      if !text.isEmpty { pieces.append((text, .plain)) }
    }

    mutating func appendInterpolation(_ text: String, _ style: Style = .plain) {
      pieces.append((text, style))
    }

    mutating func appendInterpolation(_ number: some BinaryInteger) {
      pieces.append((String(number), .plain))
    }

    mutating func appendInterpolation(_ line: Line) { pieces += line.pieces }
  }

  /// The bytes that a terminal or a file gets, the line break included.
  func rendered(inColour: Bool) -> String {
    var result = ""
    for (text, style) in pieces {
      let text = PrintableText.escape(text)
      guard inColour, style != .plain else {
        result += text
        continue
      }
      // ECMA-48 §8.3.117, select graphic rendition.
      switch style {
      case .plain: break
      case .strong: result += "\u{1b}[1m"
      case .good: result += "\u{1b}[1;32m"
      case .bad: result += "\u{1b}[1;31m"
      case .warning: result += "\u{1b}[1;33m"
      case .faint: result += "\u{1b}[2m"
      }
      result += text + "\u{1b}[0m"
    }
    return result + "\n"
  }
}
