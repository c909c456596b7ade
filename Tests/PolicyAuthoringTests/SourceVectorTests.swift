import Foundation
import PinPolicy
import StrictJSON
import TestSupport
import Testing

@testable import PolicyAuthoring

@Suite("Source documents: outside vectors")
struct SourceVectorTests {
  static let file = "standard/source.jsonl"

  @Test("every case gives the payload, the misfits or the refusal that it says")
  func cases() throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped(Self.file) }
    let cases = try Vectors.lines(Self.file)
    var failures: [String] = []
    var payloads = 0
    var refusals = 0
    var profiles = 0
    for item in cases {
      do {
        if item.string("expect") == "accept" {
          try accept(item)
          payloads += 1
          if item.child("cnpinning") != nil { profiles += 1 }
        } else {
          try refuse(item)
          refusals += 1
        }
      } catch {
        failures.append("\(item.id): \(error)")
      }
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    Vectors.report(Self.file, ran: payloads + refusals)
    #expect(payloads == 91)
    #expect(refusals == 113)
    #expect(profiles == 58)
  }

  private func accept(_ item: Case) throws {
    let source = try SourceDocument(parsing: bytes(of: item))
    let window = ValidityWindow(
      issuedAt: try #require(item.integer("iat")), expiresAt: try #require(item.integer("exp")))
    let keepNotes = item.bool("keep_notes") ?? false
    let standard = try source.policy(window: window).payloadBytes(keepNotes: keepNotes)
    try compare(String(decoding: standard, as: UTF8.self), item.string("payload"))
    guard let other = item.child("cnpinning") else { return }
    do {
      let payload = try source.policy(window: window, profile: .cnpinning)
        .payloadBytes(keepNotes: keepNotes)
      try compare(String(decoding: payload, as: UTF8.self), other.string("payload"))
    } catch let error as ProfileMisfits {
      let paths = Set(error.misfits.map(\.path.description))
      let expected = Set(other.strings("misfits"))
      let allowed = expected.union(other.strings("also_misfits"))
      guard !expected.isEmpty, paths.isSuperset(of: expected), paths.isSubset(of: allowed),
        paths.count == error.misfits.count
      else { throw Mismatch("misfits \(error.misfits.map(\.path.description))") }
    }
  }

  private func refuse(_ item: Case) throws {
    let error: SourceError
    do {
      _ = try SourceDocument(parsing: bytes(of: item))
      throw Mismatch("was taken")
    } catch let caught as SourceError { error = caught }
    let reason = try #require(item.string("reason"))
    try compare(reasonName(error), reason)
    guard error.category == (reason == "limit" ? .limit : .input) else {
      throw Mismatch("category \(error.category)")
    }
    if let path = item.string("path") {
      let paths = [path] + item.strings("also_path")
      let met = (error.path ?? .root).description
      guard paths.contains(met) else { throw Mismatch("path \(met) and not \(path)") }
    }
    if let other = item.string("other") {
      guard case .rule(.sameHost(let path)) = error.reason else { throw Mismatch("no other") }
      try compare(path.description, other)
    }
    if let line = item.integer("line") {
      let places =
        [[line, item.integer("column") ?? 0]]
        + (item.object["also_place"] as? [[Int]] ?? []).map { $0.map(Int64.init) }
      guard places.contains([Int64(error.line), Int64(error.column)]) else {
        throw Mismatch("place \(error.line), \(error.column)")
      }
    }
  }

  private func bytes(of item: Case) throws -> [UInt8] {
    if let text = item.string("source") { return Array(text.utf8) }
    if let base64 = item.string("source_b64") {
      return [UInt8](try #require(Data(base64Encoded: base64)))
    }
    return Case.joined(item.list("recipe"))
  }

  private func compare(_ met: String, _ expected: String?) throws {
    // As bytes: String equality is blind to normalisation.
    guard let expected, met.utf8.elementsEqual(expected.utf8) else { throw Mismatch(met) }
  }

  /// The name that the vectors have for a reason.
  private func reasonName(_ error: SourceError) -> String {
    switch error.reason {
    case .rule(.json(.duplicateMember)): "duplicate-member"
    case .rule(.json): error.category == .limit ? "limit" : "syntax"
    case .rule(.limit), .expansionTooLarge: "limit"
    case .rule(.unknownMember): "unknown-member"
    case .rule(.missingMember): "missing-member"
    case .rule(.wrongType): "wrong-type"
    case .rule(.pin): "bad-pin"
    case .rule(.emptyList): "empty-list"
    case .rule(.noPins): "no-pins"
    case .rule(.notAllowed): "not-allowed-here"
    case .rule(.sameHost): "same-host"
    case .rule(.unknownName): "unknown-name"
    case .rule: "bad-value"
    case .host: "bad-host"
    case .cyclicName: "cyclic-name"
    case .sameName: "same-name"
    case .badName, .hostWithoutRule, .emptyText: "bad-value"
    }
  }

  private struct Mismatch: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
