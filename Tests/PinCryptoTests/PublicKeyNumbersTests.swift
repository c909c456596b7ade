import Foundation
import TestSupport
import Testing

@testable import PinCrypto

@Suite("public keys made of their numbers")
struct PublicKeyNumbersTests {
  static let names = ["es256", "es384", "es512", "rsa2048", "rsa4096"]

  private func spki(_ name: String) throws -> [UInt8] {
    let file = Vectors.packageRoot.appendingPathComponent("keys/demo-\(name).pub.pem")
    return try PublicKey(trustedPEM: [UInt8](Data(contentsOf: file))).spkiBytes
  }

  @Test("takes apart what it writes, byte for byte", arguments: names)
  func roundTrip(name: String) throws {
    let bytes = try spki(name)
    let numbers = try #require(PublicKeyNumbers(spki: bytes))
    #expect(numbers.spki == bytes)
    let decoded = try PublicKey(spki: bytes)
    let made = try PublicKey(trustedDER: bytes)
    #expect(made.numbers == decoded.numbers)
    #expect(made.kind == decoded.kind)
    #expect(made.thumbprint == decoded.thumbprint)
    #expect(made.spkiPin == decoded.spkiPin)
    #expect(!made.hasExplicitCurve)
  }

  /// libcrypto's decoder, and its encoder as the judge of what is DER.
  private func decoded(_ bytes: [UInt8]) -> PublicKey? {
    guard let key = try? PublicKey(spki: bytes),
      (try? key.withPointer({ try PublicKey.encode($0) })) == bytes
    else { return nil }
    return key
  }

  @Test("takes and refuses the same keys as libcrypto when a byte differs", arguments: names)
  func mutations(name: String) throws {
    let bytes = try spki(name)
    var taken = 0
    // All of the structure, and some of the numbers.
    for index in bytes.indices where index < 64 || index % 16 == 0 || index > bytes.count - 8 {
      for mask: UInt8 in [0x01, 0x80, 0xff] {
        var changed = bytes
        changed[index] ^= mask
        let expected = decoded(changed)
        let met = try? PublicKey(trustedDER: changed)
        #expect(met?.numbers == expected?.numbers, "byte \(index) ^ \(mask)")
        #expect(met?.kind == expected?.kind, "byte \(index) ^ \(mask)")
        if met != nil { taken += 1 }
      }
    }
    // A changed modulus is another key; a changed point is off its curve.
    #expect(name.hasPrefix("rsa") ? taken > 0 : taken == 0)
  }

  @Test(
    "takes and refuses the same keys as libcrypto when the end is cut or moved", arguments: names)
  func lengths(name: String) throws {
    let bytes = try spki(name)
    for count in 0..<bytes.count where count < 32 || count % 8 == 0 {
      #expect(PublicKeyNumbers(spki: Array(bytes[..<count])) == nil)
      #expect((try? PublicKey(trustedDER: Array(bytes[..<count]))) == nil)
    }
    #expect(PublicKeyNumbers(spki: bytes + [0]) == nil)
    #expect(throws: KeyError.trailingBytes) { try PublicKey(trustedDER: bytes + [0]) }
  }
}
