import PinCrypto
import PinPolicy
import PinProbe
import PinVerifier

/// A verdict and what led to it, told to whoever was called at night.
struct EvaluationStory {
  let evaluation: Evaluation
  let presented: Result<PresentedChain, CertificateError>
  /// Where the certificates were shown, if they were.
  let handshake: Handshake?
  let now: Int64
  /// Whether a host without a rule is well.
  let allowsUnpinned: Bool
  /// What a source document calls a pin.
  let name: (SPKIPin) -> String?

  func tell(to output: Output) {
    output.line(headline)
    if let handshake {
      output.line(
        "  asked \(handshake.address): \(handshake.leafKey), \(handshake.protocolVersion)")
    }
    switch evaluation.trust {
    case .valid(let judged):
      output.line("  trusted, by this path, root first:")
      tell(judged.path.certificates, to: output)
      output.line("  \(judged.path.revocationStory)")
      tell(judged.judgement, to: output)
      tell(
        fixes: NearestFix.lines(
          for: judged.judgement, allowingUnpinned: allowsUnpinned, name: name), to: output)
    case .invalid(let failure):
      let story = TrustStory(
        failure: failure, host: evaluation.host, now: now, lists: evaluation.lists)
      output.line("  \("not trusted", .bad) (\(failure.reason.rawValue)): \(story.sentence)")
      tellPresented(marking: failure.culprit, to: output)
      let fix =
        isInWrongOrder
        ? "The first certificate issued another one here: put the server's own first." : story.fix
      tell(fixes: fix.map { [$0] } ?? [], to: output)
    case .unreadable(let error):
      output.line("  \("not trusted", .bad) (malformed): \(error.message)")
    }
  }

  static func style(of verdict: Verdict) -> Line.Style {
    switch verdict {
    case .accepted: .good
    case .rejected: .bad
    case .reported, .exempt, .notPinned: .warning
    }
  }

  private var headline: Line {
    let verdict = evaluation.verdict
    let resolution = evaluation.resolution
    let host = evaluation.host.description
    let said: Line = "\(host, .strong): \(verdict.rawValue, Self.style(of: verdict))"
    let isTrusted = evaluation.trustReason == nil
    let denied: Line = deniedNames.map { ", for the denied key of \($0)" } ?? ""
    guard let rule = resolution.rule else {
      let isOnlyReason = isTrusted && deniedNames == nil
      return "\(said)\(denied), \(isOnlyReason ? "" : "and ")no rule governs it"
    }
    let isRehearsed = isTrusted && verdict == .rejected && rule.mode == .report
    // Trust and denials come before every rule, also before one that exempts.
    let isRuled = isTrusted && deniedNames == nil
    return "\(said)\(denied), \(isRuled ? "by" : "whatever is said by") the rule for "
      + "\(rule.pattern.description) (\(resolution.step.rawValue), \(rule.mode.rawValue)"
      + "\(isRehearsed ? " as if enforce" : ""))"
  }

  /// Whose key it is, where a denied key and nothing else decided.
  private var deniedNames: String? {
    guard case .valid(let judged) = evaluation.trust, judged.judgement.reason == .denied else {
      return nil
    }
    let keys: [SPKIPin] = judged.judgement.diagnostics.compactMap { diagnostic in
      if case .denied(let key) = diagnostic { key } else { nil }
    }
    return judged.path.certificates.filter { keys.contains($0.spki) }
      .map { PinText.name($0.commonName) }.joined(separator: ", ")
  }

  // MARK: The path

  /// RFC 8446 §4.4.2: the server's own certificate comes first.
  private var isInWrongOrder: Bool {
    guard case .success(let chain) = presented else { return false }
    return chain.certificates.contains { $0 != chain.leaf && $0.issuer == chain.leaf.subject }
  }

  private func tellPresented(marking culprit: Certificate?, to output: Output) {
    guard case .success(let chain) = presented else { return }
    output.line("  the certificates that were sent, the server's own last:")
    tell(chain.certificates, marking: culprit, to: output)
  }

  /// - Parameter certificates: leaf first; they are shown the other way round.
  private func tell(
    _ certificates: [Certificate], marking culprit: Certificate? = nil, to output: Output
  ) {
    let rows = Array(certificates.reversed())
    let names = rows.map { PinText.name($0.commonName) }
    let width = min(names.map(\.count).max() ?? 0, 40)
    for (index, certificate) in rows.enumerated() {
      let padding = String(repeating: " ", count: max(0, width - names[index].count) + 2)
      let mark: Line = certificate == culprit ? "  \("<- this one", .bad)" : ""
      output.line(
        "    \(index)  \(names[index])\(padding)\(pin(certificate.spki))  "
          + "\(certificate.keyDescription), \(PinText.expiry(of: certificate, at: now))\(mark)")
    }
  }

  private func pin(_ pin: SPKIPin) -> Line {
    guard let name = name(pin) else { return "\(pin.description)" }
    return "\(pin.description) \("@" + name, .strong)"
  }

  // MARK: The pins

  private func tell(_ judgement: Judgement, to output: Output) {
    guard let rule = judgement.resolution.rule, rule.mode != .exempt else {
      for case .denied(let key) in judgement.diagnostics { tellDenied(key, to: output) }
      return
    }
    let pinSet = rule.pinSet
    let diagnostics = judgement.diagnostics
    for case .denied(let key) in diagnostics { tellDenied(key, to: output) }
    guard judgement.pathIndex != nil else { return }
    let listed = PinKind.allCases.filter(pinSet.lists)
    if listed.count > 1 {
      let all = pinSet.requirement == .all ? "all" : "one"
      output.line(
        "  the rule asks for \(all) of: \(listed.map(\.rawValue).joined(separator: ", "))")
    }
    for kind in listed {
      if let match = judgement.satisfied.first(where: { $0.kind == kind }) {
        output.line("  \(kind.rawValue): \("matches", .good), by \(entry(match, of: pinSet))")
      } else if kind == .chains {
        tellChains(pinSet.chains, diagnostics, judgement.path, to: output)
      } else {
        tellPins(kind, pinSet.pins(kind), judgement.path, to: output)
      }
    }
  }

  private func tellDenied(_ key: SPKIPin, to output: Output) {
    output.line("  \("denied", .bad): a path was discarded for the key \(pin(key))")
  }

  private func entry(_ match: SatisfiedKind, of pinSet: PinSet) -> Line {
    guard match.kind != .chains else {
      return "chain \(match.index): \(PinText.names(pinSet.chains[match.index]))"
    }
    return pin(pinSet.pins(match.kind)[match.index])
  }

  private func tellChains(
    _ chains: [ChainPattern], _ diagnostics: [Diagnostic], _ path: [PathCertificate],
    to output: Output
  ) {
    output.line("  chains: \("none of \(chains.count) matches", .bad)")
    for diagnostic in diagnostics {
      switch diagnostic {
      case .lengths(let index, let expected, let met):
        output.line(
          "    chain \(index) has \(expected.count) links, and the path \(met.count) certificates:")
        output.line("      expected  \(PinText.names(chains[index]))")
        output.line("      met       \(PinText.names(path))")
      case .unreadable(let index, let certificate):
        let name = PinText.name(path[path.count - 1 - certificate].commonName)
        let link = PinText.expectation(chains[index].links[certificate])
        output.line(
          "    chain \(index), link \(certificate): expected \(link), met \("\(name)", .strong)")
      case .link(let index, let link, _, let name):
        let expected = PinText.expectation(chains[index].links[link])
        output.line(
          "    chain \(index), link \(link): expected \(expected), met "
            + "\(PrintableText.quoted(name), .strong)")
      case .spki, .denied: break
      }
    }
  }

  private func tellPins(
    _ kind: PinKind, _ pins: [SPKIPin], _ path: [PathCertificate], to output: Output
  ) {
    output.line("  \(kind.rawValue): \("none of \(pins.count) is there", .bad)")
    // A few say what kind of thing was expected; all are in --json and in the policy.
    for expected in pins.prefix(8) { output.line("      expected  \(pin(expected))") }
    if pins.count > 8 { output.line("      and \(pins.count - 8) more") }
    for certificate in path[kind.certificates(in: path)].reversed() {
      output.line(
        "      met       \(pin(certificate.spki))  \(PinText.name(certificate.commonName))")
    }
  }

  private func tell(fixes: [String], to output: Output) {
    guard !fixes.isEmpty else { return }
    output.line("  \("nearest fix", .strong):")
    for fix in fixes { output.line("    \(fix)") }
  }
}

extension Line {
  static func + (left: Line, right: Line) -> Line {
    var line = left
    line.pieces += right.pieces
    return line
  }
}
