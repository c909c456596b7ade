import Foundation
import TestSupport
import Testing

@Suite("layers")
struct LayeringTests {
  /// The Swift files below a folder of the package, by path.
  private static func sources(_ folder: String) throws -> [(path: String, text: String)] {
    let root = Vectors.packageRoot.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.map {
      ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
    }
  }

  @Test("PinCrypto alone imports COpenSSL")
  func openSSL() throws {
    let importing = try Self.sources("Sources").filter {
      $0.text.contains(/\bimport\s+COpenSSL\b/)
    }
    #expect(importing.contains { $0.path.hasPrefix("PinCrypto/OpenSSL/") })
    for (path, _) in importing {
      #expect(path.hasPrefix("PinCrypto/"), "\(path) imports COpenSSL")
    }
  }

  @Test("the verifier alone makes a VerifiedPayload")
  func verifiedPayload() throws {
    let makers = try Self.sources("Sources").filter { $0.text.contains("VerifiedPayload(") }
    #expect(makers.map(\.path) == ["PinCrypto/JWS/JWSVerifier.swift"])
  }
}
