/// How an ECDSA signature is written. Chosen by whoever signs and verifies, never guessed.
public enum ECDSAEncoding: String, CaseIterable, Sendable {
  /// X9.62 `SEQUENCE { r INTEGER, s INTEGER }` in DER, as Apple's and Java's platforms write it.
  case der
  /// r and s as two big-endian numbers of the curve's coordinate length (RFC 7518 §3.4).
  case jose
}
