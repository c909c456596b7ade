/// The names of a document's members, compared after unescaping.
enum MemberNames {
  /// Whether the second of two names without escapes is above the first.
  ///
  /// Any total order will do. So names are compared with the quotation mark after them, which no
  /// name has inside: the first difference is then inside both, unless the names are equal.
  @inline(__always)
  static func isAscending(_ first: TapeNode, _ second: TapeNode, _ text: Span<UInt8>) -> Bool {
    let count = Int(min(first.length, second.length)) &+ 1
    var (left, right) = (Int(first.offset), Int(second.offset))
    let end = left &+ count
    while left < end, right &+ 8 <= text.count {
      let (one, other) = (Scanner.word(text, at: left), Scanner.word(text, at: right))
      if one != other {
        let difference = left &+ (one ^ other).trailingZeroBitCount &>> 3
        return difference < end && one.byteSwapped < other.byteSwapped
      }
      left &+= 8
      right &+= 8
    }
    while left < end {
      if text[left] != text[right] { return text[left] < text[right] }
      left &+= 1
      right &+= 1
    }
    return false
  }

  static func string(_ name: Int, _ tape: Span<TapeNode>, _ text: Span<UInt8>) -> String {
    String(decoding: spelling(tape[name], text), as: UTF8.self)
  }

  private static func spelling(_ entry: TapeNode, _ text: Span<UInt8>) -> [UInt8] {
    Escapes.resolve(text.extracting(entry.range))
  }

  /// The index of the first name that stands in the object a second time.
  ///
  /// Few are compared with each other; many are looked up in a table whose hash function is keyed
  /// at random, so that a text can't be made to collide.
  static func firstRepeated(in object: Int, count: Int, _ tape: Span<TapeNode>, _ text: Span<UInt8>)
    -> Int?
  {
    var slots: [UInt32] = []
    if count > 8 {
      // At most half full.
      slots = Array(repeating: 0, count: 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount))
    }
    var name = object + 1
    for _ in 0..<count {
      if slots.isEmpty {
        var earlier = object + 1
        while earlier < name {
          if areEqual(earlier, name, tape, text) { return name }
          earlier = Int(tape[earlier + 1].next)
        }
      } else {
        var slot = hash(name, tape, text) & (slots.count - 1)
        while slots[slot] != 0 {
          if areEqual(Int(slots[slot]), name, tape, text) { return name }
          slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = UInt32(truncatingIfNeeded: name)
      }
      name = Int(tape[name + 1].next)
    }
    return nil
  }

  private static func areEqual(
    _ first: Int, _ second: Int, _ tape: Span<TapeNode>, _ text: Span<UInt8>
  ) -> Bool {
    let (left, right) = (tape[first], tape[second])
    if left.flags.union(right.flags).contains(.escaped) {
      return spelling(left, text) == spelling(right, text)
    }
    guard left.length == right.length else { return false }
    let (one, other) = (Int(left.offset), Int(right.offset))
    for index in 0..<Int(left.length) where text[one &+ index] != text[other &+ index] {
      return false
    }
    return true
  }

  private static func hash(_ name: Int, _ tape: Span<TapeNode>, _ text: Span<UInt8>) -> Int {
    let entry = tape[name]
    return entry.flags.contains(.escaped)
      ? hash(spelling(entry, text).span) : hash(text.extracting(entry.range))
  }

  private static func hash(_ bytes: Span<UInt8>) -> Int {
    var hasher = Hasher()
    var index = 0
    while index &+ 8 <= bytes.count {
      hasher.combine(Scanner.word(bytes, at: index))
      index &+= 8
    }
    var rest: UInt64 = UInt64(bytes.count) &<< 56
    while index < bytes.count {
      rest = rest &<< 8 ^ UInt64(bytes[index])
      index &+= 1
    }
    hasher.combine(rest)
    return hasher.finalize()
  }
}
