/// RFC 8259, without repeated members and lone surrogates, as plainly as it can be said.
///
/// A second opinion that shares nothing with the reader on test; limits are not its business.
struct Grammar {
  private struct Refused: Error {}

  private var rest: Substring.UnicodeScalarView

  static func accepts(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    var grammar = Grammar(rest: text[...].unicodeScalars)
    do {
      grammar.skipSpace()
      try grammar.value(depth: 0)
      grammar.skipSpace()
      return grammar.rest.isEmpty
    } catch {
      return false
    }
  }

  private mutating func value(depth: Int) throws {
    // The reader refuses deeper ones too; here they would end the stack.
    guard depth < 500 else { throw Refused() }
    switch try next() {
    case "{":
      var names: Set<[UInt8]> = []
      skipSpace()
      if skip("}") { return }
      repeat {
        skipSpace()
        guard try next() == "\"" else { throw Refused() }
        guard names.insert(Array(try string().utf8)).inserted else { throw Refused() }
        skipSpace()
        guard try next() == ":" else { throw Refused() }
        skipSpace()
        try value(depth: depth + 1)
        skipSpace()
      } while skip(",")
      guard try next() == "}" else { throw Refused() }
    case "[":
      skipSpace()
      if skip("]") { return }
      repeat {
        skipSpace()
        try value(depth: depth + 1)
        skipSpace()
      } while skip(",")
      guard try next() == "]" else { throw Refused() }
    case "\"": _ = try string()
    case "t": try word("rue")
    case "f": try word("alse")
    case "n": try word("ull")
    case let first: try number(first)
    }
  }

  /// The rest of a string whose quotation mark was read.
  private mutating func string() throws -> String {
    var units: [UInt16] = []
    while true {
      switch try next() {
      case "\"":
        // A lone surrogate is no UTF-16.
        guard let text = String(validating: units, as: UTF16.self) else { throw Refused() }
        return text
      case "\\":
        switch try next() {
        case "\"": units.append(0x22)
        case "\\": units.append(0x5c)
        case "/": units.append(0x2f)
        case "b": units.append(8)
        case "f": units.append(12)
        case "n": units.append(10)
        case "r": units.append(13)
        case "t": units.append(9)
        case "u":
          var digits = ""
          for _ in 0..<4 { digits.unicodeScalars.append(try next()) }
          guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let unit = UInt16(digits, radix: 16)
          else { throw Refused() }
          units.append(unit)
        default: throw Refused()
        }
      case "\0"..<" ": throw Refused()
      case let scalar: units += Array(scalar.utf16)
      }
    }
  }

  private mutating func number(_ first: Unicode.Scalar) throws {
    var first = first
    if first == "-" { first = try next() }
    switch first {
    case "0": break
    case "1"..."9": _ = skipDigits()
    default: throw Refused()
    }
    if skip(".") { guard skipDigits() else { throw Refused() } }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      guard skipDigits() else { throw Refused() }
    }
  }

  private mutating func word(_ rest: String) throws {
    for scalar in rest.unicodeScalars {
      guard try next() == scalar else { throw Refused() }
    }
  }

  private mutating func next() throws -> Unicode.Scalar {
    guard let scalar = rest.popFirst() else { throw Refused() }
    return scalar
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipDigits() -> Bool {
    var found = false
    while let first = rest.first, ("0"..."9").contains(first) {
      rest.removeFirst()
      found = true
    }
    return found
  }

  private mutating func skipSpace() {
    while let first = rest.first, [" ", "\n", "\r", "\t"].contains(first) { rest.removeFirst() }
  }
}
