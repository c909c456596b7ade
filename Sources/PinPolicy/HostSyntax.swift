import Glibc

/// Where a host is read from, which decides what liberties it may take.
enum HostSpelling {
  /// Case, a trailing dot, any spelling of an address, brackets.
  case lookup
  /// As a look-up, without brackets.
  case source
  /// The ASCII case of a name and nothing else.
  case payload
}

/// The grammar of host names, over bytes and without allocation.
enum HostSyntax {
  /// Bytes of the longest name (RFC 1035 §2.3.4, less the root's length and label).
  static let longestName = 253
  /// Bytes of the longest label (RFC 1035 §2.3.4).
  static let longestLabel = 63

  /// Writes the canonical form of `text` to the start of `buffer`.
  ///
  /// - Returns: How many bytes it has.
  /// - Throws: ``HostNameError``; what it costs then does not matter.
  static func canonicalize(
    _ text: Span<UInt8>, as spelling: HostSpelling, into buffer: inout HostBuffer
  ) throws(HostNameError) -> Int {
    var end = text.count
    let hasTrailingDot = end > 0 && text[end &- 1] == UInt8(ascii: ".")
    if hasTrailingDot { end &-= 1 }
    if let name = name(text.extracting(first: end)) {
      lowercase(text.extracting(first: end), into: &buffer)
      guard
        !isNumeric(buffer.span.extracting(name.lastLabel..<end)) || isQuad(buffer.span, count: end)
      else { throw .invalidIPv4 }
      guard spelling == .payload, hasTrailingDot else { return end }
      throw .notCanonical(String(ascii: buffer.span.extracting(first: end)))
    }
    return try address(text.extracting(first: end), whole: text, as: spelling, into: &buffer)
  }

  /// Whether `text` is a name, and no address, in canonical form: what most look-ups have.
  static func isCanonicalName(_ text: Span<UInt8>) -> Bool {
    guard let name = name(text), name.isLowercase else { return false }
    return !isNumeric(text.extracting(name.lastLabel..<text.count))
  }

  /// Reads a name, or dotted numbers, in any case; nil when it is none.
  ///
  /// - Returns: Where the last label begins.
  private static func name(_ text: Span<UInt8>) -> (lastLabel: Int, isLowercase: Bool)? {
    guard text.count > 0, text.count <= longestName else { return nil }
    var label = 0
    var upper: UInt64 = 0
    // The dot, as if before a name, or the hyphen before the word.
    var dotBefore: UInt64 = 0x80
    var hyphenBefore: UInt64 = 0
    var offset = 0
    while offset < text.count {
      let word = HostWord(text, after: offset)
      let dots = word.equal(to: UInt8(ascii: "."))
      let hyphens = word.equal(to: UInt8(ascii: "-"))
      let capitals = word.within(UInt8(ascii: "A"), UInt8(ascii: "Z"))
      let taken =
        word.within(UInt8(ascii: "a"), UInt8(ascii: "z"))
        | word.within(UInt8(ascii: "0"), UInt8(ascii: "9"))
        | word.equal(to: UInt8(ascii: "_")) | dots | hyphens | capitals
      let unused = UInt64(truncatingIfNeeded: 8 &* max(0, offset &+ 8 &- text.count))
      guard word.bits & HostWord.highBits == 0, taken == HostWord.highBits &>> unused
      else { return nil }
      // No label is empty, begins or ends with a hyphen.
      guard (dots | hyphens) & (dots &<< 8 | dotBefore) | dots & (hyphens &<< 8 | hyphenBefore) == 0
      else { return nil }
      dotBefore = dots &>> 56
      hyphenBefore = hyphens &>> 56
      if dots != 0 {
        guard offset &+ dots.trailingZeroBitCount / 8 &- label <= longestLabel else { return nil }
        label = offset &+ 8 &- dots.leadingZeroBitCount / 8
      }
      upper |= capitals
      offset &+= 8
    }
    let last = text[text.count &- 1]
    guard last != UInt8(ascii: "."), last != UInt8(ascii: "-"), text.count &- label <= longestLabel
    else { return nil }
    return (label, upper == 0)
  }

  /// Writes a name in lower case to the start of `buffer`.
  private static func lowercase(_ text: Span<UInt8>, into buffer: inout HostBuffer) {
    for index in text.indices {
      let byte = text[index]
      let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      buffer[index] = isUpper ? byte | 0x20 : byte
    }
  }

  /// Whether somebody would read a name that ends in `label` as IPv4 (WHATWG URL §3.5, "ends in a
  /// number"): all digits, or, wider than there, beginning with `0x`.
  static func isNumeric(_ label: Span<UInt8>) -> Bool {
    if label.count >= 2, label[0] == UInt8(ascii: "0"), label[1] == UInt8(ascii: "x") {
      return true
    }
    for index in label.indices where !isDigit(label[index]) { return false }
    return true
  }

  /// Whether `text` is four numbers of 0 to 255 without leading zeros.
  private static func isQuad(_ text: Span<UInt8>, count: Int) -> Bool {
    IPv6Address.quad(text.extracting(first: count)) != nil
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// Whether a canonical host is an address.
  static func isAddress(canonical text: Span<UInt8>) -> Bool {
    var index = text.count
    while index > 0, isDigit(text[index &- 1]) { index &-= 1 }
    if index < text.count, index == 0 || text[index &- 1] == UInt8(ascii: ".") { return true }
    // The first group of an IPv6 address has four digits at most.
    for index in 0..<min(5, text.count) where text[index] == UInt8(ascii: ":") { return true }
    return false
  }

  /// Reads what is no name: an IPv6 address, or a fault to be named.
  ///
  /// Kept apart from the fast path of names.
  @inline(never)
  private static func address(
    _ text: Span<UInt8>, whole: Span<UInt8>, as spelling: HostSpelling,
    into buffer: inout HostBuffer
  ) throws(HostNameError) -> Int {
    var inner = text
    let hasBrackets =
      text.count >= 2 && text[0] == UInt8(ascii: "[")
      && text[text.count &- 1] == UInt8(ascii: "]")
    if hasBrackets { inner = text.extracting(1..<(text.count &- 1)) }
    guard let address = IPv6Address(inner) else {
      throw HostNameError(fault: text, insideBrackets: hasBrackets)
    }
    if let quad = address.mappedIPv4 { throw .mappedIPv4(quad) }
    let count = address.write(into: &buffer)
    if hasBrackets, spelling == .source {
      throw .brackets(String(ascii: buffer.span.extracting(first: count)))
    }
    if spelling == .payload, !equal(buffer.span.extracting(first: count), whole) {
      throw .notCanonical(String(ascii: buffer.span.extracting(first: count)))
    }
    return count
  }

  static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    return unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return unsafe memcmp(left, right, count) == 0
      }
    }
  }
}
