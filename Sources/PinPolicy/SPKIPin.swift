/// The SHA-256 digest of a SubjectPublicKeyInfo (RFC 7469 §2.4).
public struct SPKIPin: Hashable, Sendable {
  /// The digest's bytes 0–7, 8–15, 16–23, 24–31, big-endian: four words compare faster than an array.
  package let words: (UInt64, UInt64, UInt64, UInt64)

  package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  public static func == (left: SPKIPin, right: SPKIPin) -> Bool { left.words == right.words }

  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
