/// Base64url without padding (RFC 4648 §5, RFC 7515 §2), strictly: one text a byte string.
public enum Base64URL {
  /// Decodes exactly what ``encode(_:)`` writes.
  ///
  /// - Returns: nil for padding, `+`, `/`, white space, anything else outside the alphabet, a
  ///   length that no byte string has, and unused bits that are not zero (RFC 4648 §3.5).
  public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    if let decoded = text.withContiguousStorageIfAvailable({ unsafe decode(buffer: $0) }) {
      return decoded
    }
    let copy = Array(text)
    return unsafe copy.withUnsafeBufferPointer { unsafe decode(buffer: $0) }
  }

  public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

  /// Decodes from a borrowed view, without a copy.
  package static func decode(buffer text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let tail = text.count & 3
    // One character holds 6 bits: less than a byte.
    guard tail != 1 else { return nil }
    let groups = text.count >> 2
    let byteCount = groups * 3 + (tail == 0 ? 0 : tail - 1)
    var valid = true
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
      valid = unsafe decodingTable.withUnsafeBufferPointer { table in
        unsafe fill(output, from: text, groups: groups, tail: tail, table: table)
      }
      count = valid ? byteCount : 0
    }
    return valid ? bytes : nil
  }

  /// Every index stays below `text.count` and the `byteCount` computed from it.
  private static func fill(
    _ output: UnsafeMutableBufferPointer<UInt8>, from text: UnsafeBufferPointer<UInt8>,
    groups: Int, tail: Int, table: UnsafeBufferPointer<UInt32>
  ) -> Bool {
    var seen: UInt32 = 0
    var read = 0
    var written = 0
    for _ in 0..<groups {
      let first = unsafe table[Int(text[read])]
      let second = unsafe table[Int(text[read &+ 1])]
      let third = unsafe table[Int(text[read &+ 2])]
      let fourth = unsafe table[Int(text[read &+ 3])]
      seen |= first | second | third | fourth
      let word = first &<< 18 | second &<< 12 | third &<< 6 | fourth
      unsafe output[written] = UInt8(truncatingIfNeeded: word &>> 16)
      unsafe output[written &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
      unsafe output[written &+ 2] = UInt8(truncatingIfNeeded: word)
      read &+= 4
      written &+= 3
    }
    if tail != 0 {
      let first = unsafe table[Int(text[read])]
      let second = unsafe table[Int(text[read &+ 1])]
      let third = tail == 3 ? unsafe table[Int(text[read &+ 2])] : 0
      seen |= first | second | third
      let word = first &<< 18 | second &<< 12 | third &<< 6
      unsafe output[written] = UInt8(truncatingIfNeeded: word &>> 16)
      if tail == 3 { unsafe output[written &+ 1] = UInt8(truncatingIfNeeded: word &>> 8) }
      // RFC 4648 §3.5: two texts must not stand for the same bytes.
      let unused: UInt32 = tail == 2 ? 0xffff : 0xff
      guard word & unused == 0 else { return false }
    }
    return seen < 64
  }

  /// The value of each character; 64 and above for what is not in the alphabet.
  private static let decodingTable: [UInt32] = {
    var table = [UInt32](repeating: 0x8000_0000, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt32(value) }
    return table
  }()

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// ASCII characters of the text that stands for the bytes.
  public static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.underestimatedCount / 3 * 4 + 4)
    let alphabet = Self.alphabet
    var bits: UInt32 = 0
    var pending = 0
    for byte in bytes {
      bits = bits &<< 8 | UInt32(byte)
      pending += 8
      while pending >= 6 {
        pending -= 6
        text.append(alphabet[Int(bits &>> UInt32(pending) & 63)])
      }
    }
    if pending > 0 { text.append(alphabet[Int(bits &<< UInt32(6 - pending) & 63)]) }
    return text
  }

  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: encode(bytes), as: UTF8.self)
  }
}
