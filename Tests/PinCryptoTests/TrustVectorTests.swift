import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

@Suite("certificate chains")
struct TrustVectorTests {
  @Test("each chain is trusted or refused for the expected reason, with its names and pins")
  func chains() throws {
    let file = "chains/chains.jsonl"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    var failures: [String] = []
    let rows = try Vectors.lines(file)
    for row in rows { failures += Self.judge(row) }
    Vectors.report(file, ran: rows.count)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(rows.count == 128)
  }

  private static func judge(_ row: Case) -> [String] {
    guard let expected = row.child("expect") else { return ["\(row.id): no expectation"] }
    let allowed = [expected.string("reason")].compactMap(\.self) + expected.strings("also_ok")
    var failures = certificates(row)
    let outcome = evaluate(row)
    switch (outcome, expected.string("trust")) {
    case (.success(let path), "ok"):
      let rootToLeaf = Array(path.certificates.reversed())
      if rootToLeaf.map({ String($0.spki.description.dropFirst(7)) })
        != expected.strings("spki_sha256")
      {
        failures.append("\(row.id): pins differ")
      }
      let names = expected.object["cn"] as? [Any] ?? []
      for (certificate, name) in zip(rootToLeaf, names) {
        if text(certificate.commonName) != text(name) {
          failures.append("\(row.id): CN \(certificate.commonName), not \(name)")
        }
      }
      if names.count != rootToLeaf.count { failures.append("\(row.id): \(rootToLeaf.count) long") }
    case (.failure(let reason), "fail"):
      if !allowed.contains(reason.text) {
        failures.append("\(row.id): \(reason.text) (\(reason.why)), not \(allowed)")
      }
    case (.success, _): failures.append("\(row.id): trusted, not \(allowed)")
    case (.failure(let reason), _):
      failures.append("\(row.id): \(reason.text) (\(reason.why)), should be trusted")
    }
    return failures
  }

  private struct Reason: Error {
    let text: String
    let why: String
  }

  private static func evaluate(_ row: Case) -> Result<ValidatedPath, Reason> {
    do {
      let presented = try row.strings("presented").flatMap {
        try Certificate.all(in: Array($0.utf8), atMost: 32)
      }
      let anchors = try row.strings("anchors").flatMap {
        try Certificate.all(in: Array($0.utf8), atMost: 32)
      }
      let evaluator = TrustEvaluator(anchors: try TrustAnchors.only(anchors))
      let path = try evaluator.evaluate(
        PresentedChain(presented), host: HostName(row.string("host") ?? ""),
        at: row.integer("now") ?? 0)
      return .success(path)
    } catch let error as TrustFailure {
      return .failure(Reason(text: error.reason.rawValue, why: error.explanation))
    } catch let error as TrustAnchorsError {
      return .failure(Reason(text: "untrusted", why: "\(error)"))
    } catch let error as CertificateError {
      return .failure(Reason(text: "malformed", why: error.message))
    } catch {
      return .failure(Reason(text: "unexpected", why: "\(error)"))
    }
  }

  /// The pins of every certificate in the case that can be read, in or out of the path.
  private static func certificates(_ row: Case) -> [String] {
    let pems = row.strings("anchors") + row.strings("presented")
    var pins: Set<String> = []
    for pem in pems {
      for certificate in (try? Certificate.all(in: Array(pem.utf8), atMost: 32)) ?? [] {
        pins.insert(String(certificate.spki.description.dropFirst(7)))
      }
    }
    let listed = Set(row.list("certs").compactMap { $0.string("spki_sha256") })
    return pins.isSubset(of: listed) ? [] : ["\(row.id): pins that are not listed"]
  }

  private static func text(_ name: CommonName) -> String {
    switch name {
    case .readable(let text): "=" + text
    case .unreadable(let fault, _): fault.vectorName
    }
  }

  private static func text(_ name: Any) -> String {
    if let text = name as? String { return "=" + text }
    return ((name as? [String: Any])?["error"] as? String) ?? "?"
  }
}

extension CommonName.Fault {
  fileprivate var vectorName: String {
    switch self {
    case .missing: "missing"
    case .repeated: "multiple"
    case .undecodable: "encoding"
    case .empty: "empty"
    case .controlCharacter: "control"
    }
  }
}
