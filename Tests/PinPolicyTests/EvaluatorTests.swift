import StrictJSON
import Testing

@testable import PinPolicy

private let leaf = certificate("api.example", key: 1)
private let issuer = certificate("Issuing CA 7", key: 2)
private let root = certificate("Root CA", key: 3)
private let path = [leaf, issuer, root]

/// Links that fit ``path``.
private let fitting = ChainPattern([
  .exact("Root CA"), .prefixWithNumber("Issuing CA "), .suffix(".example"),
])
private let foreign = ChainPattern([.exact("Other CA"), .any, .any])

private func certificate(_ names: String?..., key: UInt64) -> PathCertificate {
  PathCertificate(commonName: CommonName(names), spki: pin(key))
}

private func pin(_ key: UInt64) -> SPKIPin { SPKIPin(words: (key, 0, 0, 0)) }

private func judge(
  _ pinSet: PinSet, mode: HostRule.Mode = .enforce, denied: [UInt64] = [],
  paths: [[PathCertificate]] = [path], asIf reading: ModeReading = .asWritten
) throws -> Judgement {
  let host = try HostName("api.example")
  let rule = HostRule(pattern: .host(host), mode: mode, pinSet: pinSet)
  return PinEvaluator.evaluate(
    host: host, resolution: Resolution(step: .exact, rules: [rule], ruleIndex: 0),
    denied: denied.map(pin), paths: paths,
    asIf: reading)
}

private func judgeUnpinned(denied: [UInt64], paths: [[PathCertificate]]) throws -> Judgement {
  PinEvaluator.evaluate(
    host: try HostName("api.example"),
    resolution: Resolution(step: .none, rules: [], ruleIndex: nil),
    denied: denied.map(pin), paths: paths)
}

@Suite("kinds of pins and what they look at")
struct PinKindTests {
  @Test(
    "each kind looks at its own certificates",
    arguments: [
      (.any, [1, 2, 3]), (.leaf, [1]), (.ca, [2, 3]), (.anchor, [3]),
    ] as [(PinKind, [UInt64])])
  func positions(kind: PinKind, seen: [UInt64]) throws {
    for key in 1...4 as ClosedRange<UInt64> {
      let judgement = try judge(pinSet(kind, [9, key]))
      let isSeen = seen.contains(key)
      #expect(judgement.verdict == (isSeen ? .accepted : .rejected))
      #expect(judgement.by == (isSeen ? [SatisfiedKind(kind: kind, index: 1)] : []))
      let certificates = path.filter { seen.contains($0.spki.words.0) }
      #expect(judgement.diagnostics == (isSeen ? [] : [.spki(kind: kind, seen: certificates)]))
    }
  }

  @Test(
    "a path of one is leaf and anchor at once and has no ca",
    arguments: [
      (.any, .accepted, []), (.leaf, .accepted, []), (.anchor, .accepted, []),
      (.ca, .rejected, [.spki(kind: .ca, seen: [])]),
    ] as [(PinKind, Verdict, [Diagnostic])])
  func pathOfOne(kind: PinKind, verdict: Verdict, diagnostics: [Diagnostic]) throws {
    let judgement = try judge(pinSet(kind, [1]), paths: [[leaf]])
    #expect(judgement.verdict == verdict)
    #expect(judgement.diagnostics == diagnostics)
  }

  @Test("a digest matches whole: the last bit counts")
  func lastBit() throws {
    let near = SPKIPin(words: (1, 0, 0, 1))
    #expect(try judge(PinSet(leaf: [near])).verdict == .rejected)
  }

  @Test("by tells each satisfied kind and the first entry that matches, in the order of the list")
  func firstEntries() throws {
    let pins = PinSet(
      chains: [foreign, fitting, fitting], any: [pin(9), pin(3), pin(1)], leaf: [pin(1)],
      ca: [pin(8), pin(9), pin(2)], anchor: [pin(3), pin(3)])
    let judgement = try judge(pins)
    #expect(judgement.verdict == .accepted)
    #expect(
      judgement.by == [
        SatisfiedKind(kind: .chains, index: 1), SatisfiedKind(kind: .any, index: 1),
        SatisfiedKind(kind: .leaf, index: 0), SatisfiedKind(kind: .ca, index: 2),
        SatisfiedKind(kind: .anchor, index: 0),
      ])
    // The chain that did not match is told even so.
    #expect(
      judgement.diagnostics == [
        .link(chain: 0, link: 0, value: "Other CA", commonName: "Root CA")
      ])
  }

  /// Each row: kinds that match, kinds that do not, and the verdict under `all` and under `any`.
  @Test(
    "all wants every listed kind, any wants one",
    arguments: [
      ([.leaf, .anchor], [], .accepted, .accepted),
      ([.leaf], [.anchor], .rejected, .accepted),
      ([.chains], [.leaf], .rejected, .accepted),
      ([.ca], [.chains], .rejected, .accepted),
      ([.anchor], [.any], .rejected, .accepted),
      ([.any], [.ca], .rejected, .accepted),
      ([], [.chains, .ca], .rejected, .rejected),
      ([], [], .rejected, .rejected),  // no policy can hold it; nothing satisfies it
    ] as [([PinKind], [PinKind], Verdict, Verdict)])
  func requirement(good: [PinKind], bad: [PinKind], all: Verdict, any: Verdict) throws {
    for (requirement, verdict) in [(PinSet.Requirement.all, all), (.any, any)] {
      func pins(_ kind: PinKind, _ key: UInt64) -> [SPKIPin] {
        good.contains(kind) ? [pin(key)] : bad.contains(kind) ? [pin(9)] : []
      }
      let chains = good.contains(.chains) ? [fitting] : bad.contains(.chains) ? [foreign] : []
      let set = PinSet(
        chains: chains, any: pins(.any, 2), leaf: pins(.leaf, 1), ca: pins(.ca, 2),
        anchor: pins(.anchor, 3), requirement: requirement)
      let judgement = try judge(set)
      #expect(judgement.verdict == verdict)
      // What is satisfied is told whatever the verdict, what it was accepted by only then.
      #expect(Set(judgement.satisfied.map(\.kind)) == Set(good))
      #expect(judgement.by == (verdict == .accepted ? judgement.satisfied : []))
    }
  }
}

@Suite("a chain matches link by link, and says where it does not")
struct ChainMatchingTests {
  @Test(
    "one diagnostic a chain that does not match",
    arguments: [
      (
        [], path, .lengths(chain: 0, expected: [], met: ["Root CA", "Issuing CA 7", "api.example"])
      ),
      (
        [.exact("Root CA"), .any], path,
        .lengths(
          chain: 0, expected: ["Root CA", nil], met: ["Root CA", "Issuing CA 7", "api.example"])
      ),
      (
        [.exact("Root CA"), .prefix("I"), .any], [certificate(key: 1), root],
        .lengths(chain: 0, expected: ["Root CA", "I", nil], met: ["Root CA", nil])
      ),
      (
        [.exact("Root CA"), .prefix("issuing"), .suffix("x")], path,
        .link(chain: 0, link: 1, value: "issuing", commonName: "Issuing CA 7")
      ),
      (
        [.any, .any, .suffix(".test")], path,
        .link(chain: 0, link: 2, value: ".test", commonName: "api.example")
      ),
      // Unreadable is told before any link that failed, and only where a name was asked for.
      (
        [.exact("x"), .prefix("Issuing"), .exact("y")],
        [certificate("a", "a", key: 1), issuer, root],
        .unreadable(chain: 0, certificate: 2)
      ),
      (
        [.exact("x"), .any, .exact("y")], [leaf, certificate(nil, key: 2), root],
        .link(chain: 0, link: 0, value: "x", commonName: "Root CA")
      ),
      (
        [.any, .exact("x"), .exact("y")],
        [certificate("\u{0}", key: 1), certificate("", key: 2), certificate(key: 3)],
        .unreadable(chain: 0, certificate: 1)
      ),
    ] as [([LinkPattern], [PathCertificate], Diagnostic)])
  func mismatch(links: [LinkPattern], path: [PathCertificate], diagnostic: Diagnostic) throws {
    let judgement = try judge(PinSet(chains: [ChainPattern(links)]), paths: [path])
    #expect(judgement.verdict == .rejected)
    #expect(judgement.diagnostics == [diagnostic])
  }

  @Test("any takes a certificate without a name, and one certificate only")
  func anyLink() throws {
    let chain = ChainPattern([.exact("Root CA"), .any, .any])
    let nameless = [certificate(key: 1), certificate("a", "b", key: 2), root]
    let judgement = try judge(PinSet(chains: [chain]), paths: [nameless])
    #expect(judgement.verdict == .accepted)
    #expect(judgement.diagnostics == [])
  }

  @Test("links are written root first: the same names the other way round do not match")
  func order() throws {
    let turned = ChainPattern(fitting.links.reversed())
    #expect(try judge(PinSet(chains: [fitting])).verdict == .accepted)
    #expect(
      try judge(PinSet(chains: [turned])).diagnostics == [
        .link(chain: 0, link: 0, value: ".example", commonName: "Root CA")
      ])
  }

  @Test("each chain that does not match has its diagnostic, under its own number")
  func severalChains() throws {
    let judgement = try judge(PinSet(chains: [foreign, ChainPattern([.any])], leaf: [pin(9)]))
    #expect(
      judgement.diagnostics == [
        .link(chain: 0, link: 0, value: "Other CA", commonName: "Root CA"),
        .lengths(chain: 1, expected: [nil], met: ["Root CA", "Issuing CA 7", "api.example"]),
        .spki(kind: .leaf, seen: [leaf]),
      ])
  }
}

@Suite("the order of judgement: denial, rule, exempt, pins, mode")
struct VerdictTests {
  private let matching = PinSet(anchor: [pin(3), pin(4)])
  private let failing = PinSet(anchor: [pin(4), pin(5)])

  @Test(
    "mode by pins",
    arguments: [
      (.enforce, true, .accepted), (.enforce, false, .rejected),
      (.report, true, .accepted), (.report, false, .reported),
    ] as [(HostRule.Mode, Bool, Verdict)])
  func modes(mode: HostRule.Mode, fits: Bool, verdict: Verdict) throws {
    let judgement = try judge(fits ? matching : failing, mode: mode)
    #expect(judgement.verdict == verdict)
    #expect(judgement.reason == (fits ? nil : .pins))
  }

  @Test("an exempt rule and no rule have a verdict without diagnostics")
  func withoutPins() throws {
    let exempt = try judge(.empty, mode: .exempt)
    #expect(exempt.verdict == .exempt)
    let notPinned = try judgeUnpinned(denied: [], paths: [path])
    #expect(notPinned.verdict == .notPinned)
    for judgement in [exempt, notPinned] {
      #expect(judgement.reason == nil)
      #expect(judgement.by == [])
      #expect(judgement.diagnostics == [])
      #expect(judgement.path == path)
    }
  }

  @Test("a denied key anywhere in the path rejects, whatever the rule", arguments: [1, 2, 3])
  func denied(key: UInt64) throws {
    let judgements = try HostRule.Mode.allCases.map { mode in
      try judge(mode == .exempt ? .empty : matching, mode: mode, denied: [8, key])
    }
    for judgement in judgements + [try judgeUnpinned(denied: [8, key], paths: [path])] {
      #expect(judgement.verdict == .rejected)
      #expect(judgement.reason == .denied)
      #expect(judgement.by == [])
      #expect(judgement.diagnostics == [.denied(pin(key))])
      #expect(judgement.pathIndex == nil)
      #expect(judgement.path == path)
    }
  }

  @Test("denied keys that are not in the path change nothing")
  func deniedElsewhere() throws {
    #expect(try judge(matching, denied: [4, 8]).verdict == .accepted)
  }

  @Test(
    "a rehearsal enforces what reports; a floor enforces what is exempt, too",
    arguments: [
      (.report, .asWritten, .reported), (.report, .reportAsEnforce, .rejected),
      (.report, .alwaysEnforce, .rejected), (.enforce, .reportAsEnforce, .rejected),
      (.exempt, .reportAsEnforce, .exempt), (.exempt, .alwaysEnforce, .rejected),
    ] as [(HostRule.Mode, ModeReading, Verdict)])
  func readings(mode: HostRule.Mode, reading: ModeReading, verdict: Verdict) throws {
    let pins = mode == .exempt ? .empty : failing
    #expect(try judge(pins, mode: mode, asIf: reading).verdict == verdict)
  }
}

@Suite("alternative paths: the first that is accepted, or else the first not discarded")
struct AlternativePathTests {
  private let other = [leaf, certificate("Cross CA", key: 5), certificate("Old Root", key: 6)]
  private let third = [leaf, issuer, certificate("Third Root", key: 7)]

  @Test("the first path that is accepted decides")
  func firstAccepted() throws {
    let judgement = try judge(PinSet(anchor: [pin(3), pin(7)]), paths: [other, path, third])
    #expect(judgement.verdict == .accepted)
    #expect(judgement.pathIndex == 1)
    #expect(judgement.path == path)
    #expect(judgement.by == [SatisfiedKind(kind: .anchor, index: 0)])
    #expect(judgement.diagnostics == [])
  }

  @Test(
    "when none is accepted, the first not discarded is told",
    arguments: [(.enforce, .rejected), (.report, .reported)] as [(HostRule.Mode, Verdict)])
  func noneAccepted(mode: HostRule.Mode, verdict: Verdict) throws {
    let judgement = try judge(
      PinSet(anchor: [pin(9)]), mode: mode, denied: [6], paths: [other, path, third])
    #expect(judgement.verdict == verdict)
    #expect(judgement.reason == .pins)
    #expect(judgement.pathIndex == 1)
    #expect(judgement.diagnostics == [.denied(pin(6)), .spki(kind: .anchor, seen: [root])])
  }

  @Test("a path with a denied key is passed over, for every host")
  func denied() throws {
    let pinned = try judge(PinSet(leaf: [pin(1)]), denied: [5, 6], paths: [other, path])
    #expect(pinned.verdict == .accepted)
    let exempt = try judge(.empty, mode: .exempt, denied: [5, 6], paths: [other, path])
    #expect(exempt.verdict == .exempt)
    let unpinned = try judgeUnpinned(denied: [5, 6], paths: [other, path])
    #expect(unpinned.verdict == .notPinned)
    for judgement in [pinned, exempt, unpinned] {
      #expect(judgement.pathIndex == 1)
      #expect(judgement.diagnostics == [.denied(pin(5)), .denied(pin(6))])
    }
  }

  @Test("when every path has a denied key, each of those keys is told once")
  func allDenied() throws {
    let judgement = try judge(
      PinSet(leaf: [pin(1)]), denied: [7, 2, 6], paths: [path, other, third])
    #expect(judgement.verdict == .rejected)
    #expect(judgement.reason == .denied)
    #expect(judgement.diagnostics == [.denied(pin(2)), .denied(pin(6)), .denied(pin(7))])
  }

  @Test("a path after the accepted one is not looked at")
  func laterPaths() throws {
    let judgement = try judge(PinSet(leaf: [pin(1)]), denied: [6], paths: [path, other])
    #expect(judgement.verdict == .accepted)
    #expect(judgement.diagnostics == [])
  }

  @Test("no path, or one without certificates, is rejected: there is nothing to accept")
  func noPath() throws {
    for paths in [[], [[]], [[], []]] as [[[PathCertificate]]] {
      for judgement in [
        try judge(PinSet(leaf: [pin(1)]), paths: paths),
        try judge(.empty, mode: .exempt, paths: paths),
        try judgeUnpinned(denied: [], paths: paths),
      ] {
        #expect(judgement.verdict == .rejected)
        #expect(judgement.reason == .noPath)
        #expect(judgement.path == [])
        #expect(judgement.diagnostics == [])
      }
    }
    #expect(try judge(PinSet(leaf: [pin(1)]), paths: [[], path]).pathIndex == 1)
  }
}

private func pinSet(_ kind: PinKind, _ keys: [UInt64]) -> PinSet {
  let pins = keys.map(pin)
  return switch kind {
  case .chains: .empty
  case .any: PinSet(any: pins)
  case .leaf: PinSet(leaf: pins)
  case .ca: PinSet(ca: pins)
  case .anchor: PinSet(anchor: pins)
  }
}
