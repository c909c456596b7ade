import Foundation
import TestSupport
import Testing

@testable import PinCrypto

/// Damaged and hostile key files: no crash, no hang, and no key that was not put in.
@Suite("mutated key files")
struct KeysMutationTests {
  /// SplitMix64: the same mutations every time.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }

  private static func mutate(
    _ bytes: [UInt8], with others: [[UInt8]], _ random: inout Generator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...2, using: &random) {
      let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
      guard !bytes.isEmpty else { return [UInt8(truncatingIfNeeded: random.next())] }
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes[place] = [0, 0x7f, 0x80, 0xff, 0x30].randomElement(using: &random) ?? 0
      case 3: bytes.removeSubrange(place...)
      case 4: bytes.remove(at: place)
      case 5: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      case 6:
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      default:
        let other = others.randomElement(using: &random) ?? []
        bytes.replaceSubrange(place..., with: other.suffix(max(0, other.count - place)))
      }
    }
    return bytes
  }

  @Test("nothing that is read of a damaged file is a key of someone else's making")
  func mutations() throws {
    let bench = try Workbench()
    try bench.makeKey("P-256", at: "e.pem")
    try bench.makeKey("RSA", at: "r.pem")
    try bench.put("x".utf8, at: "pass")
    var files: [[UInt8]] = []
    var spkis: Set<[UInt8]> = []
    for name in ["e.pem", "r.pem"] {
      spkis.insert(try bench.spki(of: name))
      try bench.run("openssl req -x509 -new -key \(name) -subj /CN=t -out c.pem")
      let type = name == "e.pem" ? "ec" : "rsa -traditional"
      for command in [
        "cat \(name)", "openssl pkcs8 -topk8 -nocrypt -in \(name) -outform DER",
        "openssl pkcs8 -topk8 -in \(name) -passout file:pass -iter 2 -outform DER",
        "openssl pkcs8 -topk8 -in \(name) -passout file:pass -scrypt -scrypt_N 2 -outform DER",
        "openssl pkcs8 -topk8 -in \(name) -passout file:pass -v1 PBE-SHA1-3DES -iter 2",
        "openssl \(type) -in \(name) -outform DER",
        "openssl \(type) -in \(name) -aes128 -passout file:pass",
        "openssl pkcs12 -export -inkey \(name) -in c.pem -passout file:pass -iter 2 -maciter",
        "openssl pkcs12 -export -nomac -keypbe NONE -certpbe NONE -inkey \(name) -in c.pem "
          + "-passout file:pass",
        "openssl pkey -in \(name) -pubout", "openssl pkey -in \(name) -pubout -outform DER",
        "openssl req -new -key \(name) -subj /CN=t", "cat c.pem",
        "openssl req -new -key \(name) -subj /CN=t -outform DER",
      ] { files.append(try bench.run(command)) }
      let key = try readPrivate(try bench.bytes(name))
      files.append(try key.jwk().copied())
    }
    let rounds = ProcessInfo.processInfo.environment["KEY_MUTATIONS"].flatMap(Int.init) ?? 100
    var random = Generator(state: 20_260_101)
    var accepted = 0
    for file in files {
      for _ in 0..<rounds {
        let bytes = SecretBytes(copying: Self.mutate(file, with: files, &random))
        _ = try? PublicKey(reading: bytes)
        _ = try? KeyItem.all(in: bytes) { SecretBytes("x") }
        guard let key = try? PrivateKey(reading: bytes, passphrase: { SecretBytes("x") }) else {
          continue
        }
        accepted += 1
        #expect(spkis.contains(key.publicKey.spkiBytes))
      }
    }
    // Text around PEM blocks, attributes and names may change without harm.
    #expect(accepted > 0)
  }
}
