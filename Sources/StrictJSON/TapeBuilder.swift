/// Reads a text once, from front to back, and writes the tape. Open containers stand on a stack of
/// its own, so depth costs memory that the limit bounds, never the thread's stack.
struct TapeBuilder {
  /// A container that is open.
  private struct Frame {
    let container: Int
    let isObject: Bool
    /// Members or elements that are complete.
    var count = 0
    /// The last name read; 0, which no name has, before the first.
    var name = 0
    /// Whether every name so far is above the one before it: then no two are equal.
    var isAscending = true
  }

  let limits: JSONLimits
  private(set) var tape: [TapeNode] = []
  /// The containers that are open around `top`.
  private var outer: [Frame] = []
  private var top: Frame?

  init(limits: JSONLimits) { self.limits = limits }

  mutating func build(_ bytes: [UInt8]) throws(Fault) {
    let longest = min(limits.bytes, Int(UInt32.max) - 1)
    guard bytes.count <= longest else {
      throw Fault(.tooLong(limit: longest), at: max(longest, 0), .outside)
    }
    let text = bytes.span
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { throw Fault(.byteOrderMark, at: 0, .outside) }
    tape.reserveCapacity(bytes.count / 12 + 1)

    var index = Scanner.skipSpace(text, from: 0)
    var isComplete = false
    while !isComplete {
      // A value is due at `index`.
      switch Scanner.byte(text, at: index) {
      case UInt8(ascii: "{"):
        try open(isObject: true, at: index)
        index = Scanner.skipSpace(text, from: index + 1)
        if Scanner.byte(text, at: index) != UInt8(ascii: "}") {
          index = try readName(text, at: index, expected: "a member's name or '}'")
          continue
        }
      case UInt8(ascii: "["):
        try open(isObject: false, at: index)
        index = Scanner.skipSpace(text, from: index + 1)
        if Scanner.byte(text, at: index) != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "\""):
        index = try readString(text, at: index)
        top?.count &+= 1
      default:
        index = try readWord(text, at: index)
        top?.count &+= 1
      }
      // A value is complete, or an empty container's end is due.
      while true {
        guard let frame = top else {
          isComplete = true
          break
        }
        index = Scanner.skipSpace(text, from: index)
        let byte = Scanner.byte(text, at: index)
        if byte == UInt8(ascii: ",") {
          index = Scanner.skipSpace(text, from: index + 1)
          if frame.isObject {
            index = try readName(text, at: index, expected: "a member's name")
          }
          break
        }
        guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw unexpected(
            frame.isObject ? "',' or '}'" : "',' or ']'", text, at: index, .container)
        }
        try close(frame, bytes)
        index += 1
      }
    }
    index = Scanner.skipSpace(text, from: index)
    guard index == text.count else { throw Fault(.trailingBytes, at: index, .outside) }
  }

  private mutating func open(isObject: Bool, at offset: Int) throws(Fault) {
    if let top { outer.append(top) }
    guard outer.count < limits.depth else {
      top = outer.popLast()
      throw Fault(.tooDeep(limit: limits.depth), at: offset)
    }
    top = Frame(container: tape.count, isObject: isObject)
    tape.append(
      TapeNode(offset: offset, length: 0, next: 0, kind: isObject ? .object : .array))
  }

  private mutating func close(_ frame: Frame, _ bytes: [UInt8]) throws(Fault) {
    tape[frame.container].length = UInt32(truncatingIfNeeded: frame.count)
    tape[frame.container].next = UInt32(truncatingIfNeeded: tape.count)
    if !frame.isAscending {
      let names = MemberNames(bytes: bytes, tape: tape, object: frame.container)
      if let repeated = names.firstRepeated(count: frame.count) {
        throw Fault(
          .duplicateMember(names.string(repeated)), at: Int(tape[repeated].offset) - 1,
          .member(repeated))
      }
    }
    top = outer.popLast()
    top?.count &+= 1
  }

  /// Reads a name and the colon after it.
  private mutating func readName(
    _ text: Span<UInt8>, at start: Int, expected: String
  ) throws(Fault) -> Int {
    guard Scanner.byte(text, at: start) == UInt8(ascii: "\"") else {
      throw unexpected(expected, text, at: start, .container)
    }
    var escaped = false
    let end: Int
    do {
      end = try Scanner.endOfString(text, from: start + 1, escaped: &escaped)
    } catch {
      throw Fault(error.reason, at: error.offset, .container)
    }
    let name = tape.count
    tape.append(
      TapeNode(
        offset: start + 1, length: end - start - 1, next: name + 1, kind: .string,
        flags: escaped ? [.name, .escaped] : .name))
    if let frame = top {
      if frame.name != 0, frame.isAscending {
        top?.isAscending =
          !escaped && MemberNames.isAscending(tape[frame.name], tape[name], text)
      } else if escaped {
        top?.isAscending = false
      }
      top?.name = name
    }
    let colon = Scanner.skipSpace(text, from: end + 1)
    guard Scanner.byte(text, at: colon) == UInt8(ascii: ":") else {
      throw unexpected("':'", text, at: colon, .value)
    }
    return Scanner.skipSpace(text, from: colon + 1)
  }

  private mutating func readString(_ text: Span<UInt8>, at start: Int) throws(Fault) -> Int {
    var escaped = false
    let end = try Scanner.endOfString(text, from: start + 1, escaped: &escaped)
    tape.append(
      TapeNode(
        offset: start + 1, length: end - start - 1, next: tape.count + 1, kind: .string,
        flags: escaped ? .escaped : []))
    return end + 1
  }

  /// Reads a number or one of the three words.
  private mutating func readWord(_ text: Span<UInt8>, at start: Int) throws(Fault) -> Int {
    let end: Int
    let kind: JSONDocument.Kind
    switch Scanner.byte(text, at: start) {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      (end, kind) = (
        try Scanner.endOfNumber(text, from: start, limit: limits.numberCharacters), .number
      )
    case UInt8(ascii: "t") where Scanner.isWord("true", text, at: start):
      (end, kind) = (start + 4, .true)
    case UInt8(ascii: "f") where Scanner.isWord("false", text, at: start):
      (end, kind) = (start + 5, .false)
    case UInt8(ascii: "n") where Scanner.isWord("null", text, at: start):
      (end, kind) = (start + 4, .null)
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      throw Fault(.invalidNumber, at: start)  // +1, .5, Infinity, NaN
    default:
      throw unexpected("a value", text, at: start, .value)
    }
    tape.append(TapeNode(offset: start, length: end - start, next: tape.count + 1, kind: kind))
    return end
  }

  private func unexpected(
    _ expected: String, _ text: Span<UInt8>, at index: Int, _ place: Fault.Place
  ) -> Fault {
    Fault(
      index < text.count ? .unexpected(expected: expected) : .unexpectedEnd(expected: expected),
      at: index, place)
  }

  /// The error that a fault in `build` becomes: its line, column and path are worked out here.
  func error(for fault: Fault, in bytes: [UInt8]) -> JSONError {
    let (line, column) = JSONDocument.position(of: fault.offset, in: bytes)
    return JSONError(
      reason: fault.reason, byteOffset: fault.offset, line: line, column: column,
      path: path(of: fault.place, in: bytes))
  }

  private func path(of place: Fault.Place, in bytes: [UInt8]) -> JSONPath? {
    var path = JSONPath.root
    func child(of frame: Frame, name: Int) -> JSONPath {
      frame.isObject
        ? path.member(MemberNames(bytes: bytes, tape: tape, object: frame.container).string(name))
        : path.index(frame.count)
    }
    for frame in outer { path = child(of: frame, name: frame.name) }
    switch place {
    case .outside: return nil
    case .container: return path
    case .value: return top.map { child(of: $0, name: $0.name) } ?? path
    case .member(let name): return top.map { child(of: $0, name: name) } ?? path
    }
  }
}
