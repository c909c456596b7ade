import Foundation
import PinCrypto
import TestSupport
import Testing

@Suite("reading private keys")
struct KeysReadingTests {
  /// What makes one form of a private key `k.pem`, and whether it is encrypted.
  static let forms: [(name: String, command: String, encrypted: Bool)] = [
    ("PKCS#8 PEM", "openssl pkcs8 -topk8 -nocrypt -in k.pem", false),
    ("PKCS#8 DER", "openssl pkcs8 -topk8 -nocrypt -in k.pem -outform DER", false),
    ("PBKDF2 PEM", "openssl pkcs8 -topk8 -in k.pem -passout file:pass", true),
    ("PBKDF2 DER", "openssl pkcs8 -topk8 -in k.pem -passout file:pass -outform DER", true),
    (
      "PBKDF2 with SHA-512 and AES-128",
      "openssl pkcs8 -topk8 -in k.pem -passout file:pass -v2 aes-128-cbc -v2prf hmacWithSHA512",
      true
    ),
    ("scrypt", "openssl pkcs8 -topk8 -in k.pem -passout file:pass -scrypt", true),
    ("PKCS#12 scheme", "openssl pkcs8 -topk8 -in k.pem -passout file:pass -v1 PBE-SHA1-3DES", true),
    ("PKCS#12", "openssl pkcs12 -export -inkey k.pem -in c.pem -passout file:pass", true),
    (
      "PKCS#12 without certificate",
      "openssl pkcs12 -export -nocerts -inkey k.pem -passout file:pass", true
    ),
    (
      "PKCS#12 without MAC",
      "openssl pkcs12 -export -nomac -inkey k.pem -in c.pem -passout file:pass", true
    ),
    (
      "PKCS#12 with RC2 certificates",
      "openssl pkcs12 -export -legacy -inkey k.pem -in c.pem -passout file:pass", true
    ),
    (
      "PKCS#12 with a plain key",
      "openssl pkcs12 -export -keypbe NONE -certpbe NONE -inkey k.pem -in c.pem -passout file:pass",
      true
    ),
    (
      "PKCS#12 with an empty passphrase",
      "openssl pkcs12 -export -inkey k.pem -in c.pem -passout pass:", false
    ),
    ("certificate and key", "cat c.pem k.pem", false),
    ("key and certificate", "cat k.pem c.pem", false),
  ]
  static let traditional: [(name: String, command: String, encrypted: Bool)] = [
    ("PEM", "openssl $ -in k.pem", false),
    ("DER", "openssl $ -in k.pem -outform DER", false),
    ("AES-256", "openssl $ -in k.pem -aes256 -passout file:pass", true),
    ("3DES", "openssl $ -in k.pem -des3 -passout file:pass", true),
  ]

  @Test(
    "every form gives the key that openssl put in",
    arguments: ["P-256", "P-384", "P-521", "secp256k1", "RSA", "RSA-PSS", "ED25519", "ED448"])
  func forms(kind: String) throws {
    let bench = try Workbench()
    try bench.makeKey(kind, at: "k.pem")
    try bench.put(Workbench.passphrase.utf8, at: "pass")
    try bench.run("openssl req -x509 -new -key k.pem -subj /CN=test -out c.pem")
    let spki = try bench.spki(of: "k.pem")
    var forms = Self.forms
    let command = kind == "RSA" ? "rsa -traditional" : "ec"
    if kind == "RSA" || kind.hasPrefix("P-") || kind == "secp256k1" {
      forms += Self.traditional.map {
        ($0.name, $0.command.replacingOccurrences(of: "$", with: command), $0.encrypted)
      }
    }
    for form in forms {
      let bytes = try bench.run(form.command)
      var asked = 0
      let key = try PrivateKey(reading: SecretBytes(copying: bytes)) {
        asked += 1
        return SecretBytes(Workbench.passphrase)
      }
      #expect(key.publicKey.spkiBytes == spki, "\(kind), \(form.name)")
      #expect(asked == (form.encrypted ? 1 : 0), "\(kind), \(form.name)")
      guard form.encrypted else { continue }
      #expect(throws: KeyError.file(.wrongPassphrase), "\(kind), \(form.name)") {
        try readPrivate(bytes, "wrong")
      }
      #expect(throws: KeyError.file(.passphraseMissing), "\(kind), \(form.name)") {
        try PrivateKey(reading: SecretBytes(copying: bytes)) { nil }
      }
    }
  }
}
