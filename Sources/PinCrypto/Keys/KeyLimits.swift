/// What reading a key file may cost. Whoever gives the file chooses its numbers, so each is judged
/// before it is spent.
public enum KeyLimits {
  /// Bytes of a key file: a platform's bundle of roots, which `pin` reads too, has 220 000.
  public static let fileBytes = 1024 * 1024
  /// Keys, certificates and other things in one file: such a bundle has 140 to 400.
  public static let entries = 1024
  /// Bytes of a passphrase: OpenSSL's own prompt takes as many.
  public static let passphraseBytes = 1024
  /// Rounds of PBKDF2 or of PKCS#12's own function, for a file in all: two seconds, and as much as
  /// Java's PKCS#12 reader allows.
  public static let rounds: UInt64 = 5_000_000
  /// scrypt's N·r·p (RFC 7914 §2), for a file in all: 32 times what `openssl pkcs8 -scrypt` takes.
  public static let scryptCost: UInt64 = 1 << 22
  /// scrypt's 128·N·r, the bytes it fills: OpenSSL allows itself 32 MiB.
  public static let scryptBytes: UInt64 = 32 * 1024 * 1024
  /// Bits of a private key's modulus: libcrypto computes with no larger one.
  public static let rsaBits = 16_384
}
