import LoopbackTLS
import PinCrypto
import PinPolicy
import Testing

/// One trust evaluation, with defaults that hold: `a.test` under Trust Root 1 → Trust CA 1.
struct Evaluation {
  var chain: [TestCertificate]
  var anchors: [TestCertificate]
  var host = "a.test"
  var time = TestTime.now
  var revocation = Revocation.none
  var options = TrustEvaluator.Options()

  init(_ chain: [TestCertificate], anchors: [TestCertificate]) {
    self.chain = chain
    self.anchors = anchors
  }

  /// The same with a change.
  func with(_ change: (inout Evaluation) throws -> Void) rethrows -> Evaluation {
    var copy = self
    try change(&copy)
    return copy
  }

  func path() throws -> ValidatedPath {
    let evaluator = TrustEvaluator(
      anchors: try TrustAnchors.only(anchors.map { try $0.read }), revocation: revocation,
      options: options)
    return try evaluator.evaluate(
      PresentedChain(chain.map { try $0.read }), host: HostName(host), at: time)
  }

  /// `trusted` and the length of the path, or the reason and the certificate's index.
  func outcome() throws -> String {
    do {
      return "trusted \(try path().certificates.count)"
    } catch let failure as TrustFailure {
      return "\(failure.reason.rawValue) \(failure.certificate.map(String.init) ?? "-")"
    }
  }
}

extension TestCertificate {
  /// As the tested code reads it.
  var read: Certificate {
    get throws { try Certificate(der: der) }
  }
}

/// Root → authority → leaf, each of which a test can change.
struct Authorities {
  let root: TestCertificate
  let authority: TestCertificate

  init(
    root change: (inout CertificateShape) -> Void = { _ in },
    authority other: (inout CertificateShape) -> Void = { _ in }
  ) throws {
    root = try .selfSigned(.root("Trust Root 1").with(change))
    authority = try root.issue(.authority("Trust CA 1").with(other))
  }

  func leaf(_ change: (inout CertificateShape) -> Void = { _ in }) throws -> TestCertificate {
    try authority.issue(.server("a.test").with(change))
  }

  func evaluation(_ leaf: TestCertificate) -> Evaluation {
    Evaluation([leaf, authority], anchors: [root])
  }

  func evaluation(_ change: (inout CertificateShape) -> Void = { _ in }) throws -> Evaluation {
    evaluation(try leaf(change))
  }
}

/// A row of a table: what it is about, what comes out, and how to make it.
struct TrustRow: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let outcome: String
  let make: @Sendable () throws -> Evaluation

  init(_ name: String, _ outcome: String, _ make: @escaping @Sendable () throws -> Evaluation) {
    testDescription = name
    self.outcome = outcome
    self.make = make
  }
}
