import PinCrypto
import PinPolicy
import PinProbe
import PinVerifier
import StrictJSON

/// What a check found out about one host: texts and numbers alone, so that what a thousand hosts
/// leave behind stays small.
struct CheckedHost: Sendable {
  let endpoint: Endpoint
  let pattern: String?
  /// One for each certificate that the server has.
  var chains: [Chain] = []
  /// Why the server could not be asked, or not for everything.
  var failure: Failure?
  /// Whether the rule has a pin, or without digests a chain, that the server does not use now; nil
  /// where there is no rule with pins, or none that is satisfied.
  var backup: Bool?
  var warnings: [Warning] = []
  /// The line of JSON, where one is wanted.
  var json: [UInt8] = []

  struct Chain: Sendable {
    let key: String
    let protocolVersion: String
    /// One for each trust store.
    let answers: [Answer]
    /// Days until the first certificate of the paths expires.
    let daysLeft: Int64?
  }

  /// What one trust store and the pins say.
  struct Answer: Sendable {
    let store: String
    let verdict: Verdict
    /// The reason's name where trust failed.
    let trustReason: String?
    /// For people, when the verdict needs explaining.
    let why: [String]
  }

  enum Warning: Sendable {
    case expiresSoon(name: String, seconds: Int64)
    case noBackup
    case clientCertificateRefused(TLSAlert)

    var code: String {
      switch self {
      case .expiresSoon: "expires-soon"
      case .noBackup: "no-backup"
      case .clientCertificateRefused: "client-certificate-refused"
      }
    }

    var message: String {
      switch self {
      case .expiresSoon(let name, let seconds):
        seconds < 0
          ? "\(name) has expired" : "\(name) expires in \(WindowText.length(seconds))"
      case .noBackup:
        "no backup: every pin of the rule is in use, so that losing a key loses the host"
      case .clientCertificateRefused(let alert): alert.story
      }
    }
  }

  /// The worst of all answers; nil when there is none.
  var verdict: Verdict? {
    chains.flatMap(\.answers).map(\.verdict).max { $0.badness < $1.badness }
  }
}

extension Verdict {
  fileprivate var badness: Int {
    switch self {
    case .accepted: 0
    case .exempt: 1
    case .reported: 2
    case .notPinned: 3
    case .rejected: 4
    }
  }
}

/// Asks hosts and judges what they show; shared by all threads.
struct HostCheck: Sendable {
  let policy: Policy
  let servers: ServerOptions
  let stores: [TrustStore]
  let now: Int64
  let reading: ModeReading
  let warnWithin: Int64
  let wantsJSON: Bool
  /// What every JSON result carries.
  let resultMembers: [JSONMember]

  /// Nil when it was stopped.
  func check(_ endpoint: Endpoint, until cancellation: Cancellation) -> CheckedHost? {
    let resolution = policy.resolve(endpoint.host)
    var host = CheckedHost(endpoint: endpoint, pattern: resolution.pattern?.description)
    do throws(ProbeFailure) {
      judge(try servers.ask(endpoint, until: cancellation), resolution, &host)
    } catch {
      guard error != .cancelled else { return nil }
      host.failure = ServerOptions.failure(error)
      if wantsJSON { host.json = Output.line(of: json(host, resolution, [])) }
    }
    return host
  }

  /// A host that was not asked, because the run was stopped.
  func unasked(_ endpoint: Endpoint) -> CheckedHost {
    let resolution = policy.resolve(endpoint.host)
    var host = CheckedHost(endpoint: endpoint, pattern: resolution.pattern?.description)
    host.failure = ServerOptions.failure(.cancelled)
    if wantsJSON { host.json = Output.line(of: json(host, resolution, [])) }
    return host
  }

  private func judge(
    _ answer: TLSProbe.Answer, _ resolution: Resolution, _ host: inout CheckedHost
  ) {
    var paths: [[PathCertificate]] = []
    var documents: [JSONValue] = []
    for handshake in answer.handshakes {
      let evaluations = stores.map { store in
        Evaluation(
          handshake.chain, of: host.endpoint.host, by: policy, store.evaluator, at: now,
          asIf: reading)
      }
      let presented = (try? handshake.chain.get())?.certificates ?? []
      let trusted = evaluations.compactMap { $0.path?.certificates }
      let used = trusted.isEmpty ? [presented] : trusted
      paths += used.map { $0.map(\.pathCertificate) }
      // Of all stores, each certificate once: any client may go by any of the paths.
      var certificates: [Certificate] = []
      for certificate in used.joined() where !certificates.contains(certificate) {
        certificates.append(certificate)
      }
      warn(of: certificates, handshake, &host)
      host.chains.append(
        CheckedHost.Chain(
          key: handshake.leafKey,
          protocolVersion: handshake.protocolVersion,
          answers: zip(stores, evaluations).map { store, evaluation in
            CheckedHost.Answer(
              store: store.name, verdict: evaluation.verdict, trustReason: evaluation.trustReason,
              why: BriefReason.lines(evaluation, at: now))
          },
          daysLeft: certificates.compactMap { PinText.daysLeft($0, at: now) }.min()))
      if wantsJSON { documents.append(json(handshake, certificates, evaluations)) }
    }
    // Of a rule that nothing satisfies no pin is in use, so that none is a backup either.
    if host.chains.flatMap(\.answers).contains(where: { $0.verdict == .accepted }) {
      host.backup = resolution.rule.flatMap { backup($0, paths) }
    }
    if host.backup == false { host.warnings.append(.noBackup) }
    host.failure = answer.failures.first
    if wantsJSON { host.json = Output.line(of: json(host, resolution, documents)) }
  }

  private func warn(
    of certificates: [Certificate], _ handshake: Handshake, _ host: inout CheckedHost
  ) {
    for certificate in certificates {
      guard let left = PinText.secondsLeft(certificate, at: now), left < warnWithin else {
        continue
      }
      host.warnings.append(
        .expiresSoon(name: PinText.name(certificate.commonName), seconds: left))
    }
    if let refusal = handshake.refusal {
      host.warnings.append(.clientCertificateRefused(refusal))
    }
  }

  /// Whether something in the rule would still match if all keys in use had to go.
  private func backup(_ rule: HostRule, _ paths: [[PathCertificate]]) -> Bool? {
    guard rule.mode != .exempt else { return nil }
    let pinSet = rule.pinSet
    let digests = pinSet.any + pinSet.leaf + pinSet.ca + pinSet.anchor
    guard digests.isEmpty else {
      let served = Set(paths.joined().map(\.spki)).union(policy.denied)
      return digests.contains { !served.contains($0) }
    }
    return pinSet.chains.contains { chain in !paths.contains { chain.matches($0) } }
  }

  // MARK: JSON

  private func json(
    _ host: CheckedHost, _ resolution: Resolution, _ chains: [JSONValue]
  ) -> JSONValue {
    let rule = resolution.rule
    var members = [
      JSONMember("pattern", host.pattern.map(JSONValue.string) ?? .null),
      JSONMember("step", .string(resolution.step.rawValue)),
      JSONMember("mode", rule.map { .string($0.mode.rawValue) } ?? .null),
      JSONMember("verdict", host.verdict.map { .string($0.rawValue) } ?? .null),
      JSONMember("chains", .array(chains)),
      JSONMember("backup", host.backup.map(JSONValue.bool) ?? .null),
      JSONMember("warnings", .array(host.warnings.map { .string($0.code) })),
    ]
    if let failure = host.failure { members.append(JSONMember("error", failure.json)) }
    return .object(host.endpoint.members + members + resultMembers)
  }

  private func json(
    _ handshake: Handshake, _ certificates: [Certificate], _ evaluations: [Evaluation]
  ) -> JSONValue {
    .object(
      handshake.members + [
        JSONMember(
          "certificates",
          .array(
            certificates.map { certificate in
              let left = PinText.daysLeft(certificate, at: now)
              return .object(
                certificate.members
                  + [JSONMember("daysLeft", left.map(JSONValue.integer) ?? .null)])
            })),
        JSONMember(
          "stores",
          .array(
            zip(stores, evaluations).map { store, evaluation in
              let judged = [
                "trust", "revocation", "revocationLists", "verdict", "by", "diagnostics",
              ]
              return .object(
                [JSONMember("anchors", .string(store.name))]
                  + evaluation.members.filter { judged.contains($0.name) })
            })),
      ])
  }
}
