/// Reads a text once, from front to back, and writes the tape.
///
/// There is no recursion and no stack. While a container is open its node's `next` is the index of
/// the container around it and its `length` what that had when this one was opened.
struct TapeBuilder {
  /// Fits no tape, so that it stands for "none".
  private static let none = UInt32.max

  private let limits: JSONLimits
  /// The innermost container that is open.
  private var container = none
  /// What ends it.
  private var bracket: UInt8 = 0
  /// Its members or elements that are complete.
  private var count: UInt32 = 0
  /// The last name read in it.
  private var name = none
  /// Whether each of its names so far is above the one before: then no two are equal.
  private var isAscending = true
  private var depth = 0

  /// Judges `bytes` and gives the tape.
  static func tape(of bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> [TapeNode] {
    // Offsets are 32 bits wide.
    let longest = max(0, min(limits.bytes, Int(UInt32.max) - 1))
    guard bytes.count <= longest else {
      throw Fault(.tooLong(limit: longest), at: longest, .outside).error(in: bytes, path: nil)
    }
    guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else {
      throw Fault(.byteOrderMark, at: 0, .outside).error(in: bytes, path: nil)
    }
    // Policies need a node for ten bytes or more. Room that isn't used costs addresses, no memory.
    var capacity = bytes.count / 8 + 8
    while true {
      var isWhole = false
      let tape = try [TapeNode](capacity: capacity) { tape throws(JSONError) in
        var builder = TapeBuilder(limits: limits)
        do throws(Fault) {
          isWhole = try builder.build(&tape, bytes.span)
        } catch {
          throw error.error(in: bytes, path: builder.path(of: error.place, tape.span, bytes.span))
        }
      }
      if isWhole { return tape }
      capacity *= 4
    }
  }

  private init(limits: JSONLimits) { self.limits = limits }

  /// - Returns: false when the tape has no room for all of the text.
  private mutating func build(
    _ tape: inout OutputSpan<TapeNode>, _ text: Span<UInt8>
  ) throws(Fault) -> Bool {
    var index = Scanner.skipSpace(text, from: 0)
    value: while true {
      // A value is due at `index`. Until the next one is, a name may be written too.
      guard tape.freeCapacity >= 2 else { return false }
      let byte = Scanner.byte(text, at: index)
      if byte == UInt8(ascii: "\"") {
        index = try readString(&tape, text, at: index)
      } else if byte | 0x20 == UInt8(ascii: "{") {
        try open(&tape, byte, at: index)
        index = Scanner.skipSpace(text, from: index &+ 1)
        if Scanner.byte(text, at: index) != bracket {
          if bracket == UInt8(ascii: "}") {
            index = try readName(&tape, text, at: index)
          }
          continue value
        }
      } else {
        index = try readWord(&tape, text, at: index)
      }
      // A value is complete, or the end of an empty container is due.
      while true {
        guard container != Self.none else { break value }
        index = Scanner.skipSpace(text, from: index)
        let byte = Scanner.byte(text, at: index)
        if byte == UInt8(ascii: ",") {
          index = Scanner.skipSpace(text, from: index &+ 1)
          if bracket == UInt8(ascii: "}") {
            index = try readName(&tape, text, at: index)
          }
          continue value
        }
        guard byte == bracket else {
          let expected = bracket == UInt8(ascii: "}") ? "',' or '}'" : "',' or ']'"
          throw unexpected(expected, text, at: index, .container)
        }
        try close(&tape, text)
        index &+= 1
      }
    }
    index = Scanner.skipSpace(text, from: index)
    guard index == text.count else { throw Fault(.trailingBytes, at: index, .outside) }
    return true
  }

  @inline(__always)
  private mutating func open(
    _ tape: inout OutputSpan<TapeNode>, _ byte: UInt8, at offset: Int
  ) throws(Fault) {
    guard depth < limits.depth else { throw Fault(.tooDeep(limit: limits.depth), at: offset) }
    depth &+= 1
    let isObject = byte == UInt8(ascii: "{")
    let index = tape.count
    tape.append(
      TapeNode(
        offset: offset, length: count, next: container, kind: isObject ? .object : .array,
        flags: isAscending ? .ascending : []))
    container = UInt32(truncatingIfNeeded: index)
    bracket = byte &+ 2  // `{|}` and `[\]`
    count = 0
    name = Self.none
    isAscending = true
  }

  @inline(__always)
  private mutating func close(
    _ tape: inout OutputSpan<TapeNode>, _ text: Span<UInt8>
  ) throws(Fault) {
    let index = Int(container)
    if !isAscending {
      if let name = MemberNames.firstRepeated(in: index, count: Int(count), tape.span, text) {
        throw Fault(
          .duplicateMember(MemberNames.string(name, tape.span, text)),
          at: Int(tape[name].offset) - 1, .member(name))
      }
    }
    let entry = tape[index]
    tape[index].length = count
    tape[index].next = UInt32(truncatingIfNeeded: tape.count)
    depth &-= 1
    count = entry.length &+ 1
    container = entry.next
    isAscending = entry.flags.contains(.ascending)
    guard container != Self.none else { return }
    let isObject = tape[Int(container)].kind == .object
    bracket = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    // The name of the member that is now complete stands before its value.
    name = isObject ? UInt32(truncatingIfNeeded: index &- 1) : Self.none
  }

  /// Reads a name and the colon after it.
  private mutating func readName(
    _ tape: inout OutputSpan<TapeNode>, _ text: Span<UInt8>, at start: Int
  ) throws(Fault) -> Int {
    guard Scanner.byte(text, at: start) == UInt8(ascii: "\"") else {
      let expected = count == 0 ? "a member's name or '}'" : "a member's name"
      throw unexpected(expected, text, at: start, .container)
    }
    var escaped = false
    let end: Int
    do {
      end = try Scanner.endOfString(text, from: start &+ 1, escaped: &escaped)
    } catch {
      throw Fault(error.reason, at: error.offset, .container)
    }
    let index = tape.count
    let entry = TapeNode(
      offset: start &+ 1, length: UInt32(truncatingIfNeeded: end &- start &- 1),
      next: UInt32(truncatingIfNeeded: index &+ 1), kind: .string,
      flags: escaped ? [.name, .escaped] : .name)
    tape.append(entry)
    if isAscending {
      isAscending =
        !escaped
        && (name == Self.none || MemberNames.isAscending(tape[Int(name)], entry, text))
    }
    name = UInt32(truncatingIfNeeded: index)
    let colon = Scanner.skipSpace(text, from: end &+ 1)
    guard Scanner.byte(text, at: colon) == UInt8(ascii: ":") else {
      throw unexpected("':'", text, at: colon, .value)
    }
    return Scanner.skipSpace(text, from: colon &+ 1)
  }

  @inline(__always)
  private mutating func readString(
    _ tape: inout OutputSpan<TapeNode>, _ text: Span<UInt8>, at start: Int
  ) throws(Fault) -> Int {
    var escaped = false
    let end = try Scanner.endOfString(text, from: start &+ 1, escaped: &escaped)
    tape.append(
      TapeNode(
        offset: start &+ 1, length: UInt32(truncatingIfNeeded: end &- start &- 1),
        next: UInt32(truncatingIfNeeded: tape.count &+ 1), kind: .string,
        flags: escaped ? .escaped : []))
    count &+= 1
    return end &+ 1
  }

  /// Reads a number or one of the three words.
  private mutating func readWord(
    _ tape: inout OutputSpan<TapeNode>, _ text: Span<UInt8>, at start: Int
  ) throws(Fault) -> Int {
    let end: Int
    let kind: JSONDocument.Kind
    switch Scanner.byte(text, at: start) {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      end = try Scanner.endOfNumber(text, from: start, limit: limits.numberCharacters)
      kind = .number
    case UInt8(ascii: "t") where Scanner.isWord("true", text, at: start):
      (end, kind) = (start &+ 4, .true)
    case UInt8(ascii: "f") where Scanner.isWord("false", text, at: start):
      (end, kind) = (start &+ 5, .false)
    case UInt8(ascii: "n") where Scanner.isWord("null", text, at: start):
      (end, kind) = (start &+ 4, .null)
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      throw Fault(.invalidNumber, at: start)  // +1, .5, Infinity, NaN
    default:
      throw unexpected("a value", text, at: start, .value)
    }
    tape.append(
      TapeNode(
        offset: start, length: UInt32(truncatingIfNeeded: end &- start),
        next: UInt32(truncatingIfNeeded: tape.count &+ 1), kind: kind))
    count &+= 1
    return end
  }

  @inline(never)
  private func unexpected(
    _ expected: String, _ text: Span<UInt8>, at index: Int, _ place: Fault.Place
  ) -> Fault {
    Fault(
      index < text.count ? .unexpected(expected: expected) : .unexpectedEnd(expected: expected),
      at: index, place)
  }

  /// The path to a place while the containers around it are open.
  private func path(
    of place: Fault.Place, _ tape: Span<TapeNode>, _ text: Span<UInt8>
  ) -> JSONPath? {
    if case .outside = place { return nil }
    var components: [JSONPath.Component] = []
    func add(_ name: UInt32, _ position: UInt32) {
      components.append(
        name == Self.none
          ? .index(Int(position)) : .member(MemberNames.string(Int(name), tape, text)))
    }
    if container != Self.none {
      switch place {
      case .value: add(name, count)
      case .member(let name): add(UInt32(truncatingIfNeeded: name), count)
      case .container, .outside: break
      }
      var inner = container
      while case let entry = tape[Int(inner)], entry.next != Self.none {
        let isMember = tape[Int(entry.next)].kind == .object
        add(isMember ? inner &- 1 : Self.none, entry.length)
        inner = entry.next
      }
    }
    return JSONPath(components.reversed())
  }
}
