import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// Which paths are found, and which are not tried.
@Suite("trust paths")
struct TrustPathTests {
  @Test("a path ends at an anchor that signed itself", arguments: anchors)
  func anchor(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let anchors = [
    TrustRow("the root is sent as well", "trusted 3") {
      let given = try Authorities()
      return try given.evaluation().with { $0.chain.append(given.root) }
    },
    TrustRow("in any order, with strangers between", "trusted 3") {
      let given = try Authorities()
      let stranger = try TestCertificate.root("Stranger")
      return try given.evaluation().with {
        $0.chain = [$0.chain[0], stranger, given.root, given.authority, given.authority]
      }
    },
    TrustRow("a root that is no anchor", "untrusted 2") {
      let given = try Authorities()
      return try given.evaluation().with {
        $0.chain.append(given.root)
        $0.anchors = [try TestCertificate.root("Stranger")]
      }
    },
    TrustRow("a clone of the anchor", "untrusted 1") {
      let given = try Authorities()
      return try given.evaluation().with { $0.anchors = [try given.root.cloned()] }
    },
    TrustRow("the authority is not sent", "untrusted 0") {
      try Authorities().evaluation().with { $0.chain.removeLast() }
    },
    // No partial chains: an anchor that another one vouches for is none.
    TrustRow("the authority as the only anchor", "untrusted 1") {
      try Authorities().evaluation().with { $0.anchors = [$0.chain[1]] }
    },
    TrustRow("the leaf signed itself", "self-signed 0") {
      Evaluation([try .selfSigned(.server("a.test"))], anchors: [try .root("Stranger")])
    },
    TrustRow("the leaf signed itself and is an anchor", "trusted 1") {
      let leaf = try TestCertificate.selfSigned(.server("a.test"))
      return Evaluation([leaf], anchors: [leaf])
    },
    TrustRow("the anchor twice", "trusted 3") {
      try Authorities().evaluation().with { $0.anchors += $0.anchors }
    },
  ]

  @Test("nothing is trusted by nothing")
  func noAnchors() {
    #expect(throws: TrustAnchorsError.empty) { try TrustAnchors.only([]) }
  }

  @Test("an issuer of the right name and the wrong key hides no path")
  func sameName() throws {
    // Without key identifiers, names alone say who issued what.
    let plain: @Sendable (inout CertificateShape) -> Void = { $0.hasKeyIdentifiers = false }
    let given = try Authorities(root: plain, authority: plain)
    let leaf = try given.leaf(plain)
    let wrong = try given.root.issue(given.authority.shape)
    let clone = try given.root.cloned()
    for (above, anchors) in [
      ([wrong, given.authority], [given.root]), ([given.authority, wrong], [given.root]),
      ([given.authority], [clone, given.root]), ([given.authority], [given.root, clone]),
      ([wrong, given.authority], [clone, given.root]),
    ] {
      let path = try Evaluation([leaf] + above, anchors: anchors).path()
      #expect(
        path.certificates.map(\.der) == [leaf, given.authority, given.root].map(\.der))
    }
    #expect(
      try Evaluation([leaf, wrong], anchors: [given.root]).outcome() == "signature 0")
    #expect(
      try Evaluation([leaf, given.authority], anchors: [clone]).outcome() == "signature 1")
  }

  @Test("an expired way up is passed by another")
  func expiredCrossSignature() throws {
    // As when a root of the old days expired that had vouched for a new one.
    let (old, new) = (try TestCertificate.root("Old Root"), try TestCertificate.root("New Root"))
    let cross = try old.issue(
      new.shape.with { $0.notAfter = TestTime.now - 60 }, key: new.key)
    let leaf = try new.issue(.server("a.test"))
    #expect(try Evaluation([leaf, cross], anchors: [old, new]).outcome() == "trusted 2")
    #expect(try Evaluation([leaf, cross], anchors: [old]).outcome() == "expired 1")
  }

  @Test("a shorter way is found where the first one is too long")
  func shorter() throws {
    let (old, new) = (try TestCertificate.root("Old Root"), try TestCertificate.root("New Root"))
    let cross = try new.crossSigned(by: old)
    let leaf = try new.issue(.server("a.test"))
    let evaluation = Evaluation([leaf, cross], anchors: [old, new])
    #expect(try evaluation.with { $0.options.maximumIntermediates = 0 }.outcome() == "trusted 2")
  }

  @Test("alternatives are the other paths, each once, within the budget")
  func alternatives() throws {
    let roots = try (1...4).map { try TestCertificate.root("Root \($0)") }
    let authority = try roots[0].issue(.authority("Shared CA"))
    let crosses = try roots.dropFirst().map { try authority.crossSigned(by: $0) }
    let leaf = try authority.issue(.server("a.test"))
    let evaluation = Evaluation([leaf, authority] + crosses, anchors: roots)
    let path = try evaluation.path()
    let others = path.alternatives()
    #expect(others.count == 3)
    #expect(others.allSatisfy { $0.certificates.count == 3 && $0.host == path.host })
    let anchors = ([path] + others).map { $0.certificates[2].der }
    #expect(Set(anchors) == Set(roots.map(\.der)))
    func count(_ change: (inout TrustEvaluator.Options) -> Void) throws -> Int {
      try evaluation.with { change(&$0.options) }.path().alternatives().count
    }
    // The first of the search's paths may be the one that is known.
    #expect(try 1...2 ~= count { $0.pathBudget = 2 })
    #expect(try count { $0.pathBudget = 0 } == 0)
    #expect(try count { $0.stepBudget = 0 } == 0)
    #expect(try count { $0.signatureBudget = 0 } == 0)
  }

  @Test("what a server sends does not decide what an evaluation costs", arguments: [true, false])
  func budget(isTrusted: Bool) throws {
    // 31 authorities that vouch for each other: there are more paths than could ever be followed.
    let root = try TestCertificate.root("Root")
    let one = try TestKey.make(.rsa(4096), label: "hostile one")
    let two = try TestKey.make(.rsa(4096), label: "hostile two")
    let (first, second) = (
      try TestCertificate.selfSigned(.root("One"), key: one),
      try TestCertificate.selfSigned(.root("Two"), key: two)
    )
    var sent = [try first.issue(.server("a.test"))]
    for _ in 0..<15 {
      sent.append(try second.issue(.authority("One"), key: one))
      sent.append(try first.issue(.authority("Two"), key: two))
    }
    if isTrusted { sent.append(try root.issue(.authority("One"), key: one)) }
    let evaluation = Evaluation(sent, anchors: [root])
    let start = ContinuousClock.now
    let outcome = try evaluation.outcome()
    let others = isTrusted ? try evaluation.path().alternatives() : []
    let elapsed = ContinuousClock.now - start
    print("hostile chain: \(outcome), \(others.count) alternatives, \(elapsed)")
    #expect(elapsed < .seconds(5))
    // The shortest paths are tried first, so none of the others can hide them.
    #expect(others.first?.certificates.count == (isTrusted ? 3 : nil))
    #expect(others.count <= TrustEvaluator.Options().pathBudget)
    #expect(outcome.hasPrefix(isTrusted ? "trusted" : "untrusted"))
  }

  private static var hasSystemRoots: Bool {
    do { _ = try TrustAnchors.system() } catch .noSystemRoots { return false } catch {}
    return true
  }

  @Test(
    "the platform's roots stay when anchors are added, and go when they are replaced",
    .enabled(if: hasSystemRoots, "the platform has no roots"))
  func systemRoots() throws {
    let given = try Authorities()
    let system = try TrustAnchors.system()
    let both = try TrustAnchors.system(adding: [given.root.read])
    #expect(both.certificates.count == system.certificates.count + 1)
    #expect(try TrustAnchors.only([given.root.read]).certificates.count == 1)
    let chain = try PresentedChain([given.leaf().read, given.authority.read])
    let host = try HostName("a.test")
    #expect(
      try TrustEvaluator(anchors: both).evaluate(chain, host: host, at: TestTime.now)
        .certificates.count == 3)
    #expect(throws: TrustFailure.self) {
      try TrustEvaluator(anchors: system).evaluate(chain, host: host, at: TestTime.now)
    }
  }

  @Test("a bundle is the first file that is there, and is read whole or not at all")
  func bundles() throws {
    let folder = try TemporaryFolder()
    let (absent, bundle) = (folder.file("absent.pem").path, folder.file("bundle.pem"))
    let (one, two) = (try TestCertificate.root("One"), try TestCertificate.root("Two"))
    try (one.pem + two.pem).write(to: bundle, atomically: true, encoding: .utf8)
    let places = [absent, bundle.path, folder.url.path]
    #expect(try TrustAnchors.system(adding: [], in: places).certificates.count == 2)
    #expect(throws: TrustAnchorsError.noSystemRoots([absent])) {
      try TrustAnchors.system(adding: [one.read], in: [absent])
    }
    // Opening a folder works, reading it does not: once it was taken for an empty file.
    let error = #expect(throws: TrustAnchorsError.self) {
      try TrustAnchors.system(adding: [one.read], in: [folder.url.path, bundle.path])
    }
    #expect(error?.code == "openssl" && error?.message.contains("directory") == true)
  }

  @Test("off the caller's executor the answer is the same")
  func concurrent() async throws {
    let given = try Authorities()
    let evaluator = TrustEvaluator(anchors: try TrustAnchors.only([given.root.read]))
    let chain = try PresentedChain([given.leaf().read, given.authority.read])
    let path = try await evaluator.evaluateConcurrently(
      chain, host: HostName("a.test"), at: TestTime.now)
    #expect(path.certificates.count == 3 && path.time == TestTime.now)
    await #expect(throws: TrustFailure.self) {
      try await evaluator.evaluateConcurrently(
        chain, host: HostName("b.test"), at: TestTime.now)
    }
  }
}

@Suite("Concurrency of trust evaluation")
struct TrustConcurrencyTests {
  @Test("many threads share an evaluator, its lists, and certificates")
  func evaluator() throws {
    let given = try Authorities()
    let other = try TestCertificate.root("Other Root")
    let cross = try given.authority.crossSigned(by: other)
    let (good, revoked) = (try given.leaf(), try given.leaf())
    let list = try RevocationList(der: given.authority.revocationList(revoking: [revoked]))
    let evaluator = TrustEvaluator(
      anchors: try TrustAnchors.only([given.root.read, other.read]),
      revocation: .lists([list], scope: .leaf))
    let chains = try [good, revoked].map {
      try PresentedChain([$0.read, given.authority.read, cross.read])
    }
    let host = try HostName("a.test")
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      for _ in 0..<10 {
        do {
          let path = try evaluator.evaluate(
            chains[index % 2], host: host, at: TestTime.now)
          #expect(index % 2 == 0 && path.certificates.count == 3)
          #expect(path.alternatives().count == 1)
          #expect(path.certificates[1].pathCertificate.commonName.readable == "Trust CA 1")
        } catch {
          #expect(index % 2 == 1 && (error as? TrustFailure)?.reason == .revoked)
        }
      }
    }
  }
}
