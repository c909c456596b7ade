/// The names of one object that was read, compared after unescaping.
struct MemberNames {
  let bytes: [UInt8]
  let tape: [TapeNode]
  let object: Int

  /// Whether the second of two names without escapes is above the first.
  ///
  /// Any total order will do, so that names may be compared with the quotation mark after them.
  static func isAscending(_ first: TapeNode, _ second: TapeNode, _ text: Span<UInt8>) -> Bool {
    let shorter = Int(min(first.length, second.length))
    let (left, right) = (Int(first.offset), Int(second.offset))
    // A name ends before its quotation mark, so each index is inside the text.
    for index in 0...shorter where text[left &+ index] != text[right &+ index] {
      return text[left &+ index] < text[right &+ index]
    }
    return false
  }

  func string(_ name: Int) -> String { String(decoding: spelling(name), as: UTF8.self) }

  /// The index of the first name that stands in the object a second time.
  ///
  /// Few are compared with each other; many are looked up in a table whose hash function is keyed
  /// at random, so that a text can't be made to collide.
  func firstRepeated(count: Int) -> Int? {
    var slots: [UInt32] = []
    var mask = 0
    if count > 8 {
      // At most half full.
      mask = (1 << (Int.bitWidth - (2 * count - 1).leadingZeroBitCount)) - 1
      slots = Array(repeating: 0, count: mask + 1)
    }
    var name = object + 1
    for _ in 0..<count {
      if count > 8 {
        var slot = hash(name) & mask
        while slots[slot] != 0 {
          if areEqual(Int(slots[slot]), name) { return name }
          slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(truncatingIfNeeded: name)
      } else {
        var earlier = object + 1
        while earlier < name {
          if areEqual(earlier, name) { return name }
          earlier = Int(tape[earlier + 1].next)
        }
      }
      name = Int(tape[name + 1].next)
    }
    return nil
  }

  private func spelling(_ name: Int) -> ArraySlice<UInt8> {
    let entry = tape[name]
    return entry.flags.contains(.escaped)
      ? Escapes.resolve(bytes.span.extracting(entry.range))[...] : bytes[entry.range]
  }

  private func areEqual(_ first: Int, _ second: Int) -> Bool {
    let (left, right) = (tape[first], tape[second])
    if left.flags.union(right.flags).contains(.escaped) {
      return spelling(first) == spelling(second)
    }
    return left.length == right.length && bytes[left.range] == bytes[right.range]
  }

  private func hash(_ name: Int) -> Int {
    var hasher = Hasher()
    for byte in spelling(name) { hasher.combine(byte) }
    return hasher.finalize()
  }
}
