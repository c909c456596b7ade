import Foundation
import PinCrypto
import TestSupport
import Testing

@Suite("demo keys")
struct KeysDemoTests {
  static let folder = Vectors.packageRoot.appendingPathComponent("keys")

  static func read(_ name: String) throws -> SecretBytes {
    SecretBytes(copying: [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
  }

  /// The names in `keys/`, README aside, without `.pem` and `.pub.pem`.
  static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0 != "README.md" }
        .map {
          $0.replacingOccurrences(of: ".pub.pem", with: "").replacingOccurrences(
            of: ".pem", with: "")
        }
        .reduce(into: Set<String>()) { $0.insert($1) }.sorted()
    }
  }

  @Test("the compiled ids are those of the private keys in keys/, and the README lists them")
  func identifiers() throws {
    let keys = try Self.names.map { name in
      (name, try PrivateKey(reading: Self.read(name + ".pem")) { nil })
    }
    let list = keys.map { "    \"\($1.publicKey.thumbprint ?? "")\",  // \($0).pem" }
      .joined(separator: "\n")
    #expect(
      Set(keys.map { $1.publicKey.thumbprint }) == Set(DemoKeys.identifiers),
      "DemoKeys.identifiers should be\n\(list)")
    let readme = try Self.read("README.md").text
    for (name, key) in keys {
      #expect(readme.contains("| `\(name).pem`, `\(name).pub.pem` |"))
      #expect(readme.contains("`\(key.publicKey.thumbprint ?? "")`"))
    }
  }

  @Test("there is one pair of each kind that signs policies")
  func pairs() throws {
    var kinds: [String] = []
    for name in try Self.names {
      let key = try PrivateKey(reading: Self.read(name + ".pem")) { nil }
      let half = try PublicKey(reading: Self.read(name + ".pub.pem"))
      #expect(half.spkiBytes == key.publicKey.spkiBytes)
      try half.checkFitForPolicies()
      kinds.append(half.kind.description)
    }
    #expect(kinds == ["EC P-256", "EC P-384", "EC P-521", "RSA 2048", "RSA 3072", "RSA 4096"])
  }

  @Test("a demo key is refused unless it is allowed", arguments: ["demo-es256", "demo-rsa2048"])
  func guarded(name: String) throws {
    let key = try PublicKey(reading: Self.read(name + ".pub.pem"))
    let trusted = try TrustedKey(key, algorithms: SignatureAlgorithm.allCases)
    #expect(throws: KeyError.demoKey(trusted.identifier)) { try TrustedKeys([trusted]) }
    #expect(try TrustedKeys([trusted], allowDemoKeys: true).identifiers == [trusted.identifier])
  }
}
