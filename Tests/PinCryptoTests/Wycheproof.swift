import Foundation
import PinCrypto
import TestSupport

/// A file of Wycheproof vectors: groups that share a key, and their tests.
struct WycheproofFile {
  let groups: [Case]

  init(_ name: String) throws {
    let bytes = try Vectors.bytes("wycheproof/\(name).json")
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    groups = Case(object: object ?? [:]).list("testGroups")
  }

  /// Cases in which a strict product differs from Wycheproof's verdict, by `tcId`.
  static func exceptions(of file: String) throws -> [Int64: Case] {
    let bytes = try Vectors.bytes("wycheproof/product-exceptions.json")
    let list = try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: list.map(Case.init(object:))
        .filter { $0.string("file") == file }
        .map { ($0.integer("tcId") ?? 0, $0) })
  }

  /// What a product with these algorithms and DER signatures says to each test, by `tcId`.
  static func expectations(of file: String) throws -> [Int64: Case] {
    let bytes = try Vectors.bytes("wycheproof/json-web-expectations.json")
    let files = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    let tests = files[file] as? [String: [String: Any]] ?? [:]
    return Dictionary(
      uniqueKeysWithValues: tests.map { (Int64($0.key) ?? 0, Case(object: $0.value)) })
  }
}

extension [UInt8] {
  init(hex text: String) {
    let digits = [UInt8](text.utf8)
    self = stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16) ?? 0
    }
  }
}
