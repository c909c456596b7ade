/// The SHA-256 digest of a SubjectPublicKeyInfo (RFC 7469 §2.4).
public struct SPKIPin: Hashable, Sendable {
  /// The digest's bytes 0–7, 8–15, 16–23, 24–31, big-endian: four words compare faster than an array.
  package let words: (UInt64, UInt64, UInt64, UInt64)

  package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// Takes a digest; nil unless it has 32 bytes.
  public init?(digest: some Collection<UInt8>) {
    guard digest.count == 32 else { return nil }
    var words = InlineArray<4, UInt64>(repeating: 0)
    for (index, byte) in digest.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.init(words: (words[0], words[1], words[2], words[3]))
  }

  /// The digest's 32 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return bytes
  }

  public static func == (left: SPKIPin, right: SPKIPin) -> Bool { left.words == right.words }

  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
