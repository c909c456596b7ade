import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import PinPolicy

@Suite("Evaluation: the shared cases")
struct EvaluationVectorTests {
  @Test("standard/evaluate.jsonl")
  func evaluate() throws {
    let file = "standard/evaluate.jsonl"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    let cases = try Vectors.lines(file)
    for item in cases {
      if let difference = try Self.difference(item) { Issue.record("\(item.id): \(difference)") }
    }
    Vectors.report(file, ran: cases.count)
    #expect(cases.count == 376)
  }

  /// What comes out otherwise than the case expects, in words.
  private static func difference(_ item: Case) throws -> String? {
    let expected = try #require(item.child("expect"))
    let payload = try JSONSerialization.data(withJSONObject: try #require(item.object["policy"]))
    let policy = try UnverifiedPolicy(decoding: [UInt8](payload), profile: .standard).policy
    let path = try item.list("path").map { certificate in
      let names = try #require(certificate.object["cn"] as? [Any])
      return PathCertificate(
        commonName: CommonName(names.map { $0 as? String }),
        spki: try SPKIPin(try #require(certificate.string("spki"))))
    }
    let host: HostName
    do throws(HostNameError) {
      host = try HostName(item.string("host") ?? "")
    } catch {
      return expected.string("error") == "host" ? nil : "the host is refused: \(error)"
    }
    if expected.string("error") != nil { return "the host is taken" }
    return try difference(
      PinEvaluator.evaluate(policy: policy, host: host, paths: [path]), expected)
  }

  /// Compares what `evaluate --json` would print, read by Foundation.
  private static func difference(_ judgement: Judgement, _ expected: Case) throws -> String? {
    let text = JSONWriter.text(.object(judgement.members), order: .asGiven, indent: nil)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let met = Case(object: try #require(object))
    for member in ["verdict", "pattern", "step", "mode"]
    where met.string(member) != expected.string(member) {
      return "\(member) is \(met.string(member) ?? "null")"
    }
    if let reason = expected.string("reason"), judgement.reason?.rawValue != reason {
      return "reason is \(judgement.reason?.rawValue ?? "none")"
    }
    if let kinds = expected.object["kinds"] as? [String: Bool] {
      let satisfied = Set(judgement.satisfied.map(\.kind.rawValue))
      let listed = Set(kinds.filter(\.value).keys)
      if satisfied != listed { return "satisfied are \(satisfied)" }
      // An unsatisfied kind says why.
      let told = Set(met.list("diagnostics").map { $0.string("kind") ?? "chains" })
      let failed = Set(kinds.filter { !$0.value }.keys)
      if !told.isSuperset(of: failed) { return "told are \(told)" }
    }
    guard expected.object["diagnostics"] != nil else { return nil }
    // The cases give what is said of chains, and of lengths the two numbers alone.
    let chains = met.list("diagnostics").compactMap { diagnostic -> NSDictionary? in
      guard diagnostic.object["chain"] != nil else { return nil }
      return diagnostic.object.filter { !["expected", "met"].contains($0.key) } as NSDictionary
    }
    let wanted = expected.list("diagnostics").map { $0.object as NSDictionary }
    return chains == wanted ? nil : "diagnostics are \(chains)"
  }
}
