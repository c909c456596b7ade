/// Writes JSON that depends on the value alone.
public enum JSONWriter {
  public enum Order: Sendable {
    /// Members sorted by the UTF-16 code units of their names (RFC 8785 §3.2.3).
    case canonical
    case asGiven
  }

  /// The value without white space and with the shortest escapes, in UTF-8 (RFC 8785 §3.2.2).
  ///
  /// With ``Order/canonical`` this is RFC 8785 for integers up to 2^53 in magnitude: a larger one is
  /// written exactly, where the RFC would round it to a double.
  public static func bytes(_ value: JSONValue, order: Order) -> [UInt8] {
    var output = Output(order: order, indent: nil)
    output.write(value, depth: 0)
    return output.bytes
  }

  /// The value as text; with `indent` on lines of their own, that many spaces a level.
  public static func text(_ value: JSONValue, order: Order, indent: Int?) -> String {
    var output = Output(order: order, indent: indent)
    output.write(value, depth: 0)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// Whether `left` comes before `right` by UTF-16 code units.
  ///
  /// The order of UTF-8 is the same but where a scalar beyond the BMP, whose surrogates are
  /// D800–DFFF, meets one of U+E000–U+FFFF: lead bytes F0–F4 there come before EE and EF.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8) { rank($0) < rank($1) }
  }

  private static func rank(_ byte: UInt8) -> UInt8 {
    byte == 0xee || byte == 0xef ? byte + 0x10 : byte
  }
}

private struct Output {
  let order: JSONWriter.Order
  let indent: Int?
  var bytes: [UInt8] = []

  init(order: JSONWriter.Order, indent: Int?) {
    self.order = order
    self.indent = indent
  }

  mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .string(let text): write(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        separate(index, depth: depth + 1)
        write(element, depth: depth + 1)
      }
      end(UInt8(ascii: "]"), isEmpty: elements.isEmpty, depth: depth)
    case .object(var members):
      if order == .canonical { members.sort { JSONWriter.precedes($0.name, $1.name) } }
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        separate(index, depth: depth + 1)
        write(member.name)
        bytes.append(UInt8(ascii: ":"))
        if indent != nil { bytes.append(UInt8(ascii: " ")) }
        write(member.value, depth: depth + 1)
      }
      end(UInt8(ascii: "}"), isEmpty: members.isEmpty, depth: depth)
    }
  }

  private mutating func separate(_ index: Int, depth: Int) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    breakLine(depth: depth)
  }

  private mutating func end(_ bracket: UInt8, isEmpty: Bool, depth: Int) {
    if !isEmpty { breakLine(depth: depth) }
    bytes.append(bracket)
  }

  private mutating func breakLine(depth: Int) {
    guard let indent else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(indent, 0) * depth))
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0a: bytes += "\\n".utf8
      case 0x0c: bytes += "\\f".utf8
      case 0x0d: bytes += "\\r".utf8
      case 0..<0x20:
        bytes += (byte < 0x10 ? "\\u000" : "\\u001").utf8
        bytes += String(byte & 0xf, radix: 16).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
