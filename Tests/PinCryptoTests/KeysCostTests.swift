import Foundation
import TestSupport
import Testing

@testable import PinCrypto

/// What undoing an encryption may cost: judged before a passphrase is asked for.
@Suite("the cost of encrypted keys")
struct KeysCostTests {
  /// Thrown when the reader asks for a passphrase: the cost was found bearable.
  struct Asked: Error {}

  private static func object(_ bytes: UInt8...) -> [UInt8] { DER.element(0x06, bytes) }
  private static let pbes2 = object(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d)
  private static let pbkdf2 = object(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c)
  private static let scrypt = object(0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b)
  private static let pbe3DES = object(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x01, 0x03)
  private static let salt = DER.element(0x04, [UInt8](repeating: 1, count: 8))
  private static let aes = DER.sequence(
    object(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2a),
    DER.element(0x04, [UInt8](repeating: 2, count: 16)))

  private static func integer(_ value: UInt64) -> [UInt8] {
    DER.integer((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
  }

  private static func encrypted(_ algorithm: [UInt8]) -> [UInt8] {
    DER.sequence(algorithm, DER.element(0x04, [UInt8](repeating: 3, count: 32)))
  }

  private static func underPBKDF2(_ rounds: [UInt8]) -> [UInt8] {
    encrypted(
      DER.sequence(pbes2, DER.sequence(DER.sequence(pbkdf2, DER.sequence(salt, rounds)), aes)))
  }

  private static func underScrypt(_ n: UInt64, _ r: UInt64, _ p: UInt64) -> [UInt8] {
    let parameters = DER.sequence(salt, integer(n), integer(r), integer(p))
    return encrypted(DER.sequence(pbes2, DER.sequence(DER.sequence(scrypt, parameters), aes)))
  }

  private static func underPBES1(_ rounds: [UInt8]) -> [UInt8] {
    encrypted(DER.sequence(pbe3DES, DER.sequence(salt, rounds)))
  }

  private func read(_ bytes: [UInt8]) throws {
    _ = try PrivateKey(reading: SecretBytes(copying: bytes)) { throw Asked() }
  }

  @Test("PBKDF2 and PKCS#12's function may take so many rounds and no more")
  func rounds() {
    for build in [Self.underPBKDF2, Self.underPBES1] {
      #expect(throws: Asked.self) { try read(build(Self.integer(KeyLimits.rounds))) }
      for rounds in [
        Self.integer(KeyLimits.rounds + 1), Self.integer(.max),
        DER.integer([1] + [UInt8](repeating: 0, count: 8)),
        DER.integer([UInt8](repeating: 0xff, count: 100)), DER.element(0x02, [0xff]),
      ] {
        #expect(throws: KeyError.file(.costlyEncryption)) { try read(build(rounds)) }
      }
    }
  }

  @Test(
    "scrypt may take so much time and memory and no more",
    arguments: [
      (16_384, 8, 1, true), (16_384, 8, 32, true), (16_384, 8, 33, false),
      // 128·N·r: 32 MiB less a block, 32 MiB.
      (16_384, 15, 1, true), (16_384, 16, 1, false), (32_768, 8, 1, false),
      (2, 1, 1 << 21, true), (2, 1, (1 << 21) + 1, false), (1 << 63, 2, 1, false),
      (1 << 62, 1, 4, false), (2, 1 << 63, 2, false), (.max, .max, .max, false),
    ] as [(UInt64, UInt64, UInt64, Bool)])
  func scrypt(n: UInt64, r: UInt64, p: UInt64, isBearable: Bool) {
    let bytes = Self.underScrypt(n, r, p)
    if isBearable {
      #expect(throws: Asked.self) { try read(bytes) }
    } else {
      #expect(throws: KeyError.file(.costlyEncryption)) { try read(bytes) }
    }
  }

  @Test("parameters that are bearable but wrong are unsupported, quickly")
  func nonsense() throws {
    for bytes in [
      Self.underScrypt(3, 1, 1), Self.underScrypt(0, 0, 0), Self.underPBKDF2(Self.integer(0)),
      Self.encrypted(DER.sequence(Self.pbes2)), Self.encrypted(DER.sequence(Self.pbkdf2)),
      Self.encrypted(DER.sequence(Self.object(0x2a, 0x03, 0x04))),
    ] {
      #expect {
        try readPrivate(bytes, "x")
      } throws: { error in
        guard case KeyError.file(.unsupportedEncryption) = error else { return false }
        return true
      }
    }
  }

  @Test("what the encryptions of one file cost adds up")
  func sum() throws {
    let half = Self.underPBKDF2(Self.integer(KeyLimits.rounds / 2 + 1))
    let body = Data(half).base64EncodedString()
    let pem =
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\n\(body)\n-----END ENCRYPTED PRIVATE KEY-----\n"
    // Two keys in one file can only be asked for together.
    var decryption = KeyDecryption { SecretBytes("x") }
    let entries = try KeyEntry.all(in: SecretBytes(pem + pem))
    #expect(entries.count == 2)
    try decryption.spend(rounds: KeyLimits.rounds / 2 + 1)
    #expect(throws: KeyError.file(.costlyEncryption)) { try entries[0].privateKeys(&decryption) }
  }

  @Test("a PKCS#12 file's MAC and bags count")
  func pkcs12() throws {
    let bench = try Workbench()
    try bench.makeKey("P-256", at: "k.pem")
    let bytes = try bench.run(
      "openssl pkcs12 -export -nocerts -inkey k.pem -passout pass:x -keypbe PBE-SHA1-3DES")
    #expect(try readPrivate(bytes, "x").publicKey.spkiBytes == bench.spki(of: "k.pem"))
    let bearable = try Self.replacingRounds(ofMACIn: bytes, by: 1000)
    #expect(throws: KeyError.file(.wrongPassphrase)) { try readPrivate(bearable, "x") }
    // The MAC is tried with no passphrase in two ways, then with the one that was asked for.
    for rounds in [KeyLimits.rounds / 3 + 1, KeyLimits.rounds + 1, .max] {
      let costly = try Self.replacingRounds(ofMACIn: bytes, by: rounds)
      #expect(throws: KeyError.file(.costlyEncryption)) { try readPrivate(costly) }
    }
  }

  private static let pkcs7Data = object(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01)
  private static let encryptedData = object(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x06)
  private static let shroudedBag = object(
    0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x0a, 0x01, 0x02)

  private static func data(_ contents: [UInt8]) -> [UInt8] {
    DER.sequence(pkcs7Data, DER.element(0xa0, DER.element(0x04, contents)))
  }

  /// A PKCS#12 file without a MAC, of parts that come without integrity.
  private static func file(_ parts: [UInt8]) -> [UInt8] {
    DER.sequence(integer(3), data(DER.sequence(parts)))
  }

  @Test("each encrypted part and bag of a PKCS#12 file counts")
  func bags() {
    let bag: ([UInt8]) -> [UInt8] = { key in
      DER.sequence(Self.shroudedBag, DER.element(0xa0, key))
    }
    let part: (UInt64) -> [UInt8] = { rounds in
      let algorithm = DER.sequence(Self.pbe3DES, DER.sequence(Self.salt, Self.integer(rounds)))
      let contents = DER.sequence(
        Self.pkcs7Data, algorithm, DER.element(0x80, [UInt8](repeating: 4, count: 32)))
      return DER.sequence(
        Self.encryptedData, DER.element(0xa0, DER.sequence(Self.integer(0), contents)))
    }
    for (file, isBearable) in [
      (
        Self.file(Self.data(DER.sequence(bag(Self.underPBES1(Self.integer(KeyLimits.rounds)))))),
        true
      ),
      (
        Self.file(
          Self.data(DER.sequence(bag(Self.underPBES1(Self.integer(KeyLimits.rounds + 1)))))), false
      ),
      (Self.file(part(KeyLimits.rounds)), true), (Self.file(part(KeyLimits.rounds + 1)), false),
    ] {
      if isBearable {
        #expect(throws: Asked.self) { try read(file) }
      } else {
        #expect(throws: KeyError.file(.costlyEncryption)) { try read(file) }
      }
    }
    let other = DER.sequence(Self.object(0x2a, 0x03), DER.element(0xa0, Self.integer(0)))
    for (count, error) in [
      (KeyLimits.entries, KeyFileFault.noPrivateKey),
      (KeyLimits.entries + 1, .tooManyEntries(limit: KeyLimits.entries)),
    ] {
      let bags = [[UInt8]](repeating: other, count: count).flatMap { $0 }
      let file = Self.file(Self.data(DER.sequence(bags)))
      #expect(throws: KeyError.file(error)) { try readPrivate(file) }
    }
  }

  /// RFC 7292 §4: PFX is version, authSafe, macData; the latter is digest, salt, rounds.
  private static func replacingRounds(
    ofMACIn file: [UInt8], by rounds: UInt64
  ) throws -> [UInt8] {
    guard let whole = DERElement(at: 0, in: file.span) else { return [] }
    let parts = whole.children(in: file.span, atMost: 3)
    let mac = parts[2].children(in: file.span, atMost: 3)
    let newMAC = DER.sequence(
      Array(file[mac[0].whole]), Array(file[mac[1].whole]), integer(rounds))
    return DER.sequence(Array(file[parts[0].whole]), Array(file[parts[1].whole]), newMAC)
  }

  @Test("a modulus that libcrypto would compute with for minutes is refused")
  func hugeNumbers() throws {
    let bits = [UInt8](repeating: 0xff, count: KeyLimits.rsaBits / 8 + 1)
    let long = DER.sequence(
      DER.integer([0]), DER.integer(bits), DER.integer([3]), DER.integer(bits), DER.integer(bits),
      DER.integer(bits), DER.integer(bits), DER.integer(bits), DER.integer(bits))
    #expect(throws: KeyError.file(.unsupportedRSA)) { try readPrivate(long) }
  }
}
