import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

@Suite("x509-limbo")
struct LimboTests {
  @Test("the shared cases, with each difference listed and no real chain refused")
  func cases() throws {
    let file = "x509-limbo/limbo.json"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    let root = try JSONSerialization.jsonObject(with: Data(Vectors.bytes(file)))
    let rows = Case(object: root as? [String: Any] ?? [:]).list("testcases")
    var right = 0
    var falseAccepts: [String] = []
    var falseRejects: [String] = []
    for row in rows {
      let failure = try Self.evaluate(row)
      switch (row.string("expected_result") == "SUCCESS", failure) {
      case (true, nil), (false, .some): right += 1
      case (false, nil): falseAccepts.append(row.id)
      case (true, let why?): falseRejects.append("\(row.id): \(why)")
      }
    }
    Vectors.report(file, ran: rows.count)
    print("limbo: \(right) right of \(rows.count)")
    print("false accepts: \(falseAccepts.sorted().joined(separator: " "))")
    print("false rejects: \(falseRejects.sorted().joined(separator: " | "))")
    #expect(rows.count == 119)
    #expect(right >= 93)
    #expect(!falseRejects.contains { $0.hasPrefix("online::") })
  }

  private static func evaluate(_ row: Case) throws -> String? {
    do {
      let peer = try Certificate.all(
        in: Array((row.string("peer_certificate") ?? "").utf8), atMost: 1)
      let others = try row.strings("untrusted_intermediates").flatMap {
        try Certificate.all(in: Array($0.utf8), atMost: 64)
      }
      let anchors = try row.strings("trusted_certs").flatMap {
        try Certificate.all(in: Array($0.utf8), atMost: 64)
      }
      let lists = try row.strings("crls").flatMap {
        try RevocationList.all(in: Array($0.utf8), atMost: 1)
      }
      var options = TrustEvaluator.Options()
      options.maximumIntermediates = row.integer("max_chain_depth").map(Int.init)
      let evaluator = TrustEvaluator(
        anchors: try TrustAnchors.only(anchors),
        revocation: lists.isEmpty ? .none : .lists(lists, scope: .leaf), options: options)
      var time = Int64(Date().timeIntervalSince1970)
      if let text = row.string("validation_time") {
        time = Int64(ISO8601DateFormatter().date(from: text)?.timeIntervalSince1970 ?? 0)
      }
      let host = row.child("expected_peer_name")?.string("value") ?? ""
      _ = try evaluator.evaluate(
        PresentedChain(peer + others), host: HostName(host), at: time)
      return nil
    } catch let error as TrustFailure {
      return "\(error.reason.rawValue) (\(error.explanation))"
    } catch {
      return "\(error)"
    }
  }
}
