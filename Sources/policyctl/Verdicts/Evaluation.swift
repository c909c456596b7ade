import PinCrypto
import PinPolicy
import PinVerifier
import StrictJSON

/// What a policy and a trust store say to the certificates of a server.
struct Evaluation {
  enum Trust {
    case valid(JudgedPath)
    case invalid(TrustFailure)
    /// A certificate is not one that can be judged.
    case unreadable(CertificateError)
  }

  let host: HostName
  let resolution: Resolution
  let trust: Trust
  /// The revocation lists that there were.
  let lists: [RevocationList]

  /// - Parameters:
  ///   - chain: what the server sent, or why it can't be read.
  ///   - time: the clock of trust; whether the policy is in force is judged before.
  init(
    _ chain: Result<PresentedChain, CertificateError>, of host: HostName, by policy: Policy,
    _ evaluator: TrustEvaluator, at time: Int64, asIf reading: ModeReading
  ) {
    self.host = host
    resolution = policy.resolve(host)
    lists = evaluator.revocation.lists
    switch chain {
    case .failure(let error): trust = .unreadable(error)
    case .success(let presented):
      do throws(TrustFailure) {
        let path = try evaluator.evaluate(presented, host: host, at: time)
        trust = .valid(policy.judged(path, asIf: reading))
      } catch { trust = .invalid(error) }
    }
  }

  /// A path that fails trust is rejected, whatever the rule says.
  var verdict: Verdict {
    if case .valid(let judged) = trust { judged.judgement.verdict } else { .rejected }
  }

  /// The path that was judged, which need not be the first that trust evaluation found.
  var path: ValidatedPath? { if case .valid(let judged) = trust { judged.path } else { nil } }

  /// The reason's name when trust failed.
  var trustReason: String? {
    switch trust {
    case .valid: nil
    case .invalid(let failure): failure.reason.rawValue
    case .unreadable: TrustFailure.Reason.malformed.rawValue
    }
  }

  /// The members of `evaluate --json`.
  var members: [JSONMember] {
    let judgement: Judgement?
    let trusted: [JSONMember]
    var revocation = [JSONMember("revocation", .null)]
    switch trust {
    case .valid(let judged):
      judgement = judged.judgement
      trusted = [
        JSONMember("valid", .bool(true)),
        JSONMember("path", .array(judged.path.certificates.map { .object($0.members) })),
      ]
      revocation = judged.path.revocationMembers
    case .invalid(let failure):
      judgement = nil
      trusted = untrusted(failure.certificate)
    case .unreadable(let error):
      judgement = nil
      trusted = untrusted(error.index)
    }
    let diagnostics = (judgement?.diagnostics ?? []).map { $0.json(under: resolution.rule) }
    return resolution.members(
      for: host, trust: trusted, verdict: verdict, by: judgement?.by ?? [],
      diagnostics: diagnostics) + revocation
  }

  private func untrusted(_ certificate: Int?) -> [JSONMember] {
    [
      JSONMember("valid", .bool(false)),
      JSONMember("reason", trustReason.map(JSONValue.string) ?? .null),
      JSONMember("certificate", certificate.map { .integer(Int64($0)) } ?? .null),
    ]
  }

  /// The exit status of a verdict: whether a client would go on.
  static func status(of verdict: Verdict, allowingUnpinned: Bool) -> ExitStatus {
    switch verdict {
    case .accepted, .reported, .exempt: .success
    case .notPinned: allowingUnpinned ? .success : .refused
    case .rejected: .refused
    }
  }
}

extension Diagnostic {
  /// With the pins that were looked for beside those that were seen.
  fileprivate func json(under rule: HostRule?) -> JSONValue {
    guard case .spki(let kind, _) = self, let rule, case .object(let members) = json else {
      return json
    }
    let pins = rule.pinSet.pins(kind).map { JSONValue.string($0.description) }
    return .object(members + [JSONMember("expected", .array(pins))])
  }
}

extension CertificateError {
  /// The certificate that it is about, counted from the leaf.
  fileprivate var index: Int? {
    switch self {
    case .tooLong(let index, _), .tooManyExtensions(let index, _), .malformed(let index, _),
      .trailingBytes(let index),
      .duplicateExtension(let index), .otherBlock(_, let index):
      index
    case .empty, .tooMany, .malformedPEM: nil
    }
  }
}
