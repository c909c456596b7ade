/// An IPv6 address as eight groups of 16 bits.
struct IPv6Address {
  private var groups = InlineArray<8, UInt16>(repeating: 0)

  /// Reads any spelling of RFC 4291 §2.2: groups of one to four hexadecimal digits, `::` once for one
  /// group or more, a dotted quad for the last two. No zone.
  init?(_ text: Span<UInt8>) {
    var count = 0
    /// How many groups stand before `::`.
    var gap: Int?
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: ":") {
        let isDouble = index &+ 1 < text.count && text[index &+ 1] == UInt8(ascii: ":")
        if isDouble {
          guard gap == nil else { return nil }
          gap = count
          index &+= 2
          if index == text.count { break }
        } else {
          guard count > 0 else { return nil }
          index &+= 1
        }
      } else if count > 0 {
        return nil
      }
      // A group must stand here, also after a colon at the end.
      let start = index
      var value: UInt16 = 0
      while index < text.count, index &- start < 4, let digit = Self.hexDigit(text[index]) {
        value = value << 4 | UInt16(digit)
        index &+= 1
      }
      if index < text.count, text[index] == UInt8(ascii: ".") {
        guard count <= 6, let quad = Self.quad(text.extracting(start..<text.count)) else {
          return nil
        }
        groups[count] = UInt16(truncatingIfNeeded: quad >> 16)
        groups[count &+ 1] = UInt16(truncatingIfNeeded: quad)
        count &+= 2
        index = text.count
      } else {
        guard index > start, count < 8 else { return nil }
        groups[count] = value
        count &+= 1
      }
    }
    if let gap {
      guard count < 8 else { return nil }
      let tail = count &- gap
      for offset in 0..<tail {
        groups[7 &- offset] = groups[count &- 1 &- offset]
      }
      for middle in gap..<(8 &- tail) { groups[middle] = 0 }
    } else if count != 8 {
      return nil
    }
  }

  /// The IPv4 address that `::ffff:0:0/96` stands for (RFC 4291 §2.5.5.2), as a dotted quad.
  var mappedIPv4: String? {
    for index in 0..<5 where groups[index] != 0 { return nil }
    guard groups[5] == 0xffff else { return nil }
    return "\(groups[6] >> 8).\(groups[6] & 0xff).\(groups[7] >> 8).\(groups[7] & 0xff)"
  }

  /// Writes the address as RFC 5952 §4 has it, in hexadecimal throughout.
  ///
  /// - Returns: How many bytes were written, 39 at most.
  func write(into buffer: inout HostBuffer) -> Int {
    let gap = longestZeroRun
    var count = 0
    var index = 0
    while index < 8 {
      if gap.contains(index) {
        Self.put(UInt8(ascii: ":"), to: &buffer, &count)
        Self.put(UInt8(ascii: ":"), to: &buffer, &count)
        index = gap.upperBound
        continue
      }
      if index > 0, index != gap.upperBound {
        Self.put(UInt8(ascii: ":"), to: &buffer, &count)
      }
      let group = groups[index]
      var shift = 12
      // RFC 5952 §4.1: no leading zeros.
      while shift > 0, group >> shift == 0 { shift &-= 4 }
      while shift >= 0 {
        Self.put(Self.hexDigit(of: group >> shift & 0xf), to: &buffer, &count)
        shift &-= 4
      }
      index &+= 1
    }
    return count
  }

  private static func put(_ byte: UInt8, to buffer: inout HostBuffer, _ count: inout Int) {
    buffer[count] = byte
    count &+= 1
  }

  /// The first of the longest runs of two zero groups or more (RFC 5952 §4.2), else empty.
  private var longestZeroRun: Range<Int> {
    var longest = 0..<0
    var start = 0
    for index in 0..<8 {
      if groups[index] != 0 {
        start = index &+ 1
      } else if index &+ 1 &- start > max(longest.count, 1) {
        longest = start..<(index &+ 1)
      }
    }
    return longest
  }

  /// Reads four decimal numbers of 0 to 255, without leading zeros.
  static func quad(_ text: Span<UInt8>) -> UInt32? {
    var address: UInt32 = 0
    var octet: UInt32 = 0
    var digits = 0
    var octets = 0
    for index in 0...text.count {
      if index == text.count || text[index] == UInt8(ascii: ".") {
        guard digits > 0, octets < 4 else { return nil }
        address = address << 8 | octet
        octets &+= 1
        octet = 0
        digits = 0
        continue
      }
      guard HostSyntax.isDigit(text[index]), digits == 0 || octet > 0 else { return nil }
      octet = octet &* 10 &+ UInt32(text[index] &- UInt8(ascii: "0"))
      digits &+= 1
      guard octet <= 255 else { return nil }
    }
    return octets == 4 ? address : nil
  }

  private static func hexDigit(of value: UInt16) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: value)
    return digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }
}
