/// A place in a JSON document, printed as an RFC 9535 normalized path.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  public enum Component: Hashable, Sendable {
    case member(String)
    case index(Int)
  }

  public var components: [Component]

  public init(_ components: [Component] = []) { self.components = components }

  public static let root = JSONPath()

  public func appending(_ component: Component) -> JSONPath {
    JSONPath(components + [component])
  }

  public func member(_ name: String) -> JSONPath { appending(.member(name)) }

  public func index(_ index: Int) -> JSONPath { appending(.index(index)) }

  /// The normalized path: `$['hosts']['a.example']['spki']['any'][0]` (RFC 9535 §2.7).
  public var description: String {
    var text = "$"
    for component in components {
      switch component {
      case .index(let index):
        text += "[\(index)]"
      case .member(let name):
        text += "['"
        for scalar in name.unicodeScalars { Self.append(scalar, to: &text) }
        text += "']"
      }
    }
    return text
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "'": text += "\\'"
    case "\\": text += "\\\\"
    case "\u{8}": text += "\\b"
    case "\u{c}": text += "\\f"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\u{0}"..."\u{1f}":
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
}
