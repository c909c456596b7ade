import Foundation
import PinCrypto
import PinPolicy
import StrictJSON
import TestSupport
import Testing

/// Files that are not the key that was asked for, and what each reader says of them.
@Suite("refusing files")
struct KeysRefusalTests {
  /// Made once: `openssl` takes a while to find primes.
  private static let stock = Result {
    let bench = try Workbench()
    try bench.makeKey("P-256", at: "k.pem")
    try bench.makeKey("RSA", at: "r.pem")
    try bench.put(Workbench.passphrase.utf8, at: "pass")
    try bench.run("openssl req -x509 -new -key k.pem -subj /CN=test -out c.pem")
    try bench.run("openssl pkey -in k.pem -pubout -out p.pem")
    return bench
  }

  private let bench: Workbench

  init() throws { bench = try Self.stock.get() }

  private func readOnePrivate(_ bytes: [UInt8]) throws -> PrivateKey { try readPrivate(bytes) }
  private func readOnePublic(_ bytes: [UInt8]) throws -> PublicKey {
    try PublicKey(reading: SecretBytes(copying: bytes))
  }
  private func all(_ bytes: [UInt8]) throws -> [KeyItem] {
    try KeyItem.all(in: SecretBytes(copying: bytes)) { nil }
  }

  @Test(
    "another thing than the private key is named",
    arguments: [
      ("openssl pkey -in k.pem -pubout", .publicKey),
      ("openssl pkey -in k.pem -pubout -outform DER", .publicKey),
      ("openssl rsa -in r.pem -RSAPublicKey_out", .rsaPublicKey),
      ("openssl rsa -in r.pem -RSAPublicKey_out -outform DER", .rsaPublicKey),
      ("cat c.pem", .certificate),
      ("openssl x509 -in c.pem -outform DER", .certificate),
      ("openssl req -new -key k.pem -subj /CN=test", .certificateRequest),
      ("openssl req -new -key k.pem -subj /CN=test -outform DER", .certificateRequest),
      ("openssl ecparam -name prime256v1", .ecParameters),
      ("openssl crl2pkcs7 -nocrl -certfile c.pem", .pkcs7),
    ] as [(String, KeyForm)])
  func notPrivate(command: String, form: KeyForm) throws {
    let error = KeyError.file(.found(form, wanted: .privateKey))
    #expect(throws: error) { try readOnePrivate(try bench.run(command)) }
    #expect(error.code == "not-a-private-key")
  }

  @Test(
    "another thing than the public key is named, with what to do",
    arguments: [
      ("cat k.pem", .privateKey, "openssl pkey -in FILE -pubout"),
      ("openssl pkcs8 -topk8 -nocrypt -in k.pem -outform DER", .privateKey, "openssl pkey"),
      ("openssl pkcs8 -topk8 -in k.pem -passout file:pass", .encryptedPrivateKey, "openssl pkey"),
      ("openssl rsa -in r.pem -traditional", .rsaPrivateKey, "openssl pkey"),
      ("openssl rsa -in r.pem -traditional -outform DER", .rsaPrivateKey, "openssl pkey"),
      (
        "openssl rsa -in r.pem -traditional -aes128 -passout file:pass", .rsaPrivateKey,
        "openssl pkey"
      ),
      ("openssl ec -in k.pem", .ecPrivateKey, "openssl pkey"),
      ("openssl ec -in k.pem -outform DER", .ecPrivateKey, "openssl pkey"),
      (
        "openssl pkcs12 -export -inkey k.pem -in c.pem -passout file:pass", .pkcs12,
        "openssl pkcs12"
      ),
      ("openssl rsa -in r.pem -RSAPublicKey_out", .rsaPublicKey, "-RSAPublicKey_in"),
      ("cat c.pem", .certificate, "openssl x509"),
      ("openssl req -new -key k.pem -subj /CN=test", .certificateRequest, "openssl req"),
    ] as [(String, KeyForm, String)])
  func notPublic(command: String, form: KeyForm, hint: String) throws {
    let error = KeyError.file(.found(form, wanted: .publicKey))
    #expect(throws: error) { try readOnePublic(try bench.run(command)) }
    #expect(error.message.contains(hint))
    #expect(error.code == "not-a-public-key")
  }

  @Test("OpenSSH's own forms are named, with how to convert them")
  func openSSH() throws {
    try bench.run("ssh-keygen -q -t ed25519 -N  -f ssh")
    for name in ["ssh", "ssh.pub"] {
      let bytes = try bench.bytes(name)
      let error = KeyError.file(.found(.openSSH, wanted: .privateKey))
      #expect(throws: error) { try readOnePrivate(bytes) }
      #expect(throws: KeyError.file(.found(.openSSH, wanted: .publicKey))) {
        try readOnePublic(bytes)
      }
      #expect(error.message.contains("ssh-keygen"))
    }
  }

  @Test(
    "what is no key at all",
    arguments: [
      ([], .empty), (Array(" \n".utf8), .notAKey), (Array("hello".utf8), .notAKey),
      (Array("0".utf8), .notAKey), ([0x30], .notAKey), ([0x30, 0x00], .notAKey),
      ([0x30, 0x84, 0xff, 0xff, 0xff, 0xff], .notAKey), (Array("pkcs11:token=x".utf8), .notAKey),
      (
        [UInt8](repeating: 0x20, count: KeyLimits.fileBytes + 1),
        .tooLarge(limit: KeyLimits.fileBytes)
      ),
      ([UInt8](repeating: 0x20, count: KeyLimits.fileBytes), .notAKey),
    ] as [([UInt8], KeyFileFault)])
  func nothing(bytes: [UInt8], fault: KeyFileFault) {
    #expect(throws: KeyError.file(fault)) { try readOnePrivate(bytes) }
    #expect(throws: KeyError.file(fault)) { try readOnePublic(bytes) }
    #expect(throws: KeyError.file(fault)) { try all(bytes) }
  }

  @Test(
    "one key a file",
    arguments: [
      ("cat k.pem r.pem", 2), ("cat k.pem k.pem k.pem", 3), ("cat k.pem p.pem", 2),
      ("cat p.pem k.pem", 2),
    ])
  func several(command: String, count: Int) throws {
    let bytes = try bench.run(command)
    #expect(throws: KeyError.file(.severalKeys(count: count))) { try readOnePrivate(bytes) }
    #expect(throws: KeyError.file(.severalKeys(count: count))) { try readOnePublic(bytes) }
    #expect(try all(bytes).count == count)
  }

  @Test("no more things in a file than the limit")
  func manyBlocks() throws {
    let block = Array("-----BEGIN X-----\nAAAA\n-----END X-----\n".utf8)
    let most = [[UInt8]](repeating: block, count: KeyLimits.entries).flatMap { $0 }
    #expect(throws: KeyError.file(.found(.other, wanted: .privateKey))) { try readOnePrivate(most) }
    #expect(throws: KeyError.file(.tooManyEntries(limit: KeyLimits.entries))) {
      try readOnePrivate(most + block)
    }
  }

  @Test(
    "bytes after the DER are refused",
    arguments: [
      "openssl pkcs8 -topk8 -nocrypt -in k.pem -outform DER",
      "openssl pkcs8 -topk8 -in k.pem -passout file:pass -outform DER",
      "openssl ec -in k.pem -outform DER", "openssl rsa -in r.pem -traditional -outform DER",
      "openssl pkcs12 -export -inkey k.pem -in c.pem -passout file:pass",
    ])
  func trailingBytes(command: String) throws {
    let bytes = try bench.run(command)
    #expect(throws: KeyError.trailingBytes) { try readOnePrivate(bytes + [0]) }
    let body = Data(bytes + [0x0a]).base64EncodedString(options: .lineLength64Characters)
    guard command.contains("nocrypt") else { return }
    let pem = "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
    #expect(throws: KeyError.trailingBytes) { try readOnePrivate(Array(pem.utf8)) }
  }

  @Test("bytes after a public key or a request are refused")
  func trailingPublicBytes() throws {
    #expect(throws: KeyError.trailingBytes) { try readOnePublic(try bench.spki(of: "k.pem") + [0]) }
    let request = try bench.run("openssl req -new -key k.pem -subj /CN=test -outform DER")
    #expect(throws: KeyError.trailingBytes) { try all(request + [0]) }
  }

  @Test("a damaged PEM text is told as such")
  func damaged() throws {
    let text = String(decoding: try bench.bytes("k.pem"), as: UTF8.self)
    for damaged in [
      String(text.dropLast(30)), text.replacingOccurrences(of: "MI", with: "M!"),
      text.replacingOccurrences(of: "END PRIVATE", with: "END PUBLIC"),
    ] {
      #expect {
        try readOnePrivate(Array(damaged.utf8))
      } throws: { error in
        guard case KeyError.file(.malformedPEM) = error else { return false }
        return true
      }
    }
  }

  @Test(
    "the headers of an encrypted PEM block are judged",
    arguments: [
      ("AES-128-CBC,87301FA23FEC66A9ABC048F5A4C43156", "AAAA", true),
      ("AES-128-CBC,8730", "AAAA", false), ("NONE,00", "AAAA", false), ("", "AAAA", false),
    ])
  func headers(scheme: String, body: String, isKnown: Bool) {
    let text =
      "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: \(scheme)\n\n\(body)\n"
      + "-----END EC PRIVATE KEY-----\n"
    #expect {
      try readPrivate(Array(text.utf8), "x")
    } throws: { error in
      switch error {
      case KeyError.file(.wrongPassphrase): isKnown
      case KeyError.file(.unsupportedEncryption): !isKnown
      default: false
      }
    }
  }

  @Test("a block that holds something else than its label says is unreadable")
  func mislabelled() throws {
    let text = String(decoding: try bench.run("openssl rsa -in r.pem -traditional"), as: UTF8.self)
    for label in ["PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"] {
      let wrong = text.replacingOccurrences(of: "RSA PRIVATE KEY", with: label)
      #expect {
        try readOnePrivate(Array(wrong.utf8))
      } throws: { error in
        guard case KeyError.unreadable = error else { return false }
        return true
      }
    }
  }

  @Test("a kind of key that signs nothing is named")
  func otherKinds() throws {
    try bench.run("openssl genpkey -algorithm X25519 -out x.pem")
    #expect(throws: KeyError.unfitKind(.other("X25519"))) {
      try readOnePrivate(bench.bytes("x.pem"))
    }
    let spki = try bench.spki(of: "x.pem")
    #expect(try readOnePublic(spki).kind == .other("X25519"))
  }

  @Test("a passphrase that is too long is refused before it is tried")
  func longPassphrase() throws {
    let bytes = try bench.run("openssl pkcs8 -topk8 -in k.pem -passout file:pass")
    let longest = String(repeating: "x", count: KeyLimits.passphraseBytes)
    #expect(throws: KeyError.file(.wrongPassphrase)) { try readPrivate(bytes, longest) }
    let error = KeyError.file(.passphraseTooLong(limit: KeyLimits.passphraseBytes))
    #expect(throws: error) { try readPrivate(bytes, longest + "x") }
    let key = try readPrivate(try bench.bytes("k.pem"))
    #expect(throws: error) { try key.pkcs8PEM(passphrase: SecretBytes(longest + "x")) }
  }

  @Test("what asking for the passphrase throws comes through")
  func asking() throws {
    struct NoTerminal: Error {}
    let bytes = try bench.run("openssl pkcs8 -topk8 -in k.pem -passout file:pass")
    #expect(throws: NoTerminal.self) {
      try PrivateKey(reading: SecretBytes(copying: bytes)) { throw NoTerminal() }
    }
  }

  @Test("encryption that libcrypto does not do is told from a wrong passphrase")
  func unsupportedEncryption() throws {
    let legacy = "-provider legacy -provider default -passout file:pass"
    for command in [
      "openssl pkcs8 -topk8 -in k.pem -v1 PBE-MD5-DES \(legacy)",
      "openssl pkcs8 -topk8 -in k.pem -v2 des-cbc \(legacy)",
      "openssl ec -in k.pem -des \(legacy)",
      "openssl pkcs12 -export -keypbe PBE-SHA1-RC2-40 -inkey k.pem -in c.pem \(legacy)",
    ] {
      let bytes = try bench.run(command)
      #expect {
        try readPrivate(bytes, Workbench.passphrase)
      } throws: { error in
        guard case KeyError.file(.unsupportedEncryption) = error else { return false }
        return true
      }
    }
  }

  @Test("a PKCS#12 file without a private key, or with two")
  func pkcs12() throws {
    let empty = try bench.run(
      "openssl pkcs12 -export -nokeys -in c.pem -passout file:pass")
    #expect(throws: KeyError.file(.noPrivateKey)) { try readPrivate(empty, Workbench.passphrase) }
    guard ChildProcess.find("keytool") != nil else { return }
    for name in ["one", "two"] {
      try bench.run(
        "keytool -genkeypair -alias \(name) -keyalg EC -groupname secp256r1 -dname CN=\(name) "
          + "-storetype PKCS12 -keystore two.p12 -storepass password")
    }
    let both = try bench.bytes("two.p12")
    #expect(throws: KeyError.file(.severalKeys(count: 2))) { try readPrivate(both, "password") }
    let items = try KeyItem.all(in: SecretBytes(copying: both)) { SecretBytes("password") }
    #expect(items.map(\.publicKey.kind.description) == ["EC P-256", "EC P-256"])
  }

  @Test("every fault has a code of its own and a message")
  func codes() {
    OpenSSLError.clear()
    let none = OpenSSLError.drained()
    let faults: [KeyFileFault] = [
      .empty, .tooLarge(limit: 1), .tooManyEntries(limit: 1), .malformedPEM(none), .notAKey,
      .found(.certificate, wanted: .privateKey), .found(.certificate, wanted: .publicKey),
      .found(.certificate, wanted: .key),
      .severalKeys(count: 2), .noPrivateKey, .passphraseMissing, .passphraseTooLong(limit: 1),
      .wrongPassphrase, .unsupportedEncryption(none), .costlyEncryption, .inconsistent("x"),
      .unsupportedRSA,
    ]
    #expect(Set(faults.map { KeyError.file($0).code }).count == faults.count)
    for fault in faults {
      #expect(KeyError.file(fault).category == .key)
      #expect(KeyError.file(fault).message.hasSuffix("."))
    }
  }
}
