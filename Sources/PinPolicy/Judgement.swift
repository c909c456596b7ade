public import StrictJSON

/// A verdict and what led to it.
///
/// The explanation is worked out when somebody asks: most verdicts are `accepted`, on every
/// handshake, and nobody does.
public struct Judgement: Sendable {
  /// Why no path was accepted.
  public enum Reason: String, Sendable {
    /// Every path holds a denied key.
    case denied
    /// The path that was judged does not satisfy the pins.
    case pins
    /// There was no path with a certificate in it.
    case noPath
  }

  public let verdict: Verdict
  /// Set for ``Verdict/rejected`` and ``Verdict/reported``.
  public let reason: Reason?
  public let host: HostName
  public let resolution: Resolution
  /// Which of the candidate paths was judged; nil when each was discarded.
  public let pathIndex: Int?
  let paths: [[PathCertificate]]
  let found: Satisfaction
  let denied: [SPKIPin]

  init(
    verdict: Verdict, reason: Reason?, host: HostName, resolution: Resolution,
    paths: [[PathCertificate]],
    pathIndex: Int?, found: Satisfaction, denied: [SPKIPin]
  ) {
    self.verdict = verdict
    self.reason = reason
    self.host = host
    self.resolution = resolution
    self.paths = paths
    self.pathIndex = pathIndex
    self.found = found
    self.denied = denied
  }

  /// The path that was judged, leaf first; the first candidate when each was discarded.
  public var path: [PathCertificate] {
    if let pathIndex { paths[pathIndex] } else { paths.first ?? [] }
  }

  /// The kinds that the judged path satisfies, whatever the verdict.
  public var satisfied: [SatisfiedKind] {
    PinKind.allCases.compactMap { kind in
      found[kind].map { SatisfiedKind(kind: kind, index: $0) }
    }
  }

  /// What an accepted path was accepted by: every satisfied kind. Empty for other verdicts.
  public var by: [SatisfiedKind] { verdict == .accepted ? satisfied : [] }

  /// The denied keys that had paths discarded, then each chain that the judged path does not match
  /// and each listed kind of SPKI pin that it does not satisfy.
  public var diagnostics: [Diagnostic] {
    var diagnostics = deniedKeys.map(Diagnostic.denied)
    guard let pathIndex, let pinSet = resolution.rule?.pinSet else {
      return diagnostics
    }
    let path = paths[pathIndex]
    for (index, chain) in pinSet.chains.enumerated() {
      if let diagnostic = chain.mismatch(with: path, index: index) {
        diagnostics.append(diagnostic)
      }
    }
    for kind in PinKind.allCases where !pinSet.pins(kind).isEmpty && found[kind] == nil {
      diagnostics.append(.spki(kind: kind, seen: Array(path[kind.certificates(in: path)])))
    }
    return diagnostics
  }

  /// The denied keys of the paths that were discarded, each once. A path after the one that was
  /// accepted was never looked at.
  private var deniedKeys: [SPKIPin] {
    guard !denied.isEmpty else { return [] }
    let lookedAt = verdict == .rejected || verdict == .reported ? paths.count : pathIndex ?? 0
    var keys: [SPKIPin] = []
    for certificate in paths.prefix(lookedAt).joined()
    where denied.contains(certificate.spki) && !keys.contains(certificate.spki) {
      keys.append(certificate.spki)
    }
    return keys
  }

  /// The members of `evaluate --json`, for a path that trust evaluation found valid.
  public var members: [JSONMember] {
    resolution.members(
      for: host, trust: [.init("valid", .bool(true)), .init("path", .array(path.map(\.json)))],
      verdict: verdict, by: by, diagnostics: diagnostics.map(\.json))
  }
}

extension Resolution {
  /// The members of `evaluate --json`, whatever trust evaluation said.
  package func members(
    for host: HostName, trust: [JSONMember], verdict: Verdict, by: [SatisfiedKind],
    diagnostics: [JSONValue]
  ) -> [JSONMember] {
    let rule = rule
    return [
      JSONMember("host", .string(host.description)),
      JSONMember("pattern", rule.map { .string($0.pattern.description) } ?? .null),
      JSONMember("step", .string(step.rawValue)),
      JSONMember("mode", rule.map { .string($0.mode.rawValue) } ?? .null),
      JSONMember("trust", .object(trust)),
      JSONMember("verdict", .string(verdict.rawValue)),
      JSONMember("by", .array(by.map(\.json))),
      JSONMember("diagnostics", .array(diagnostics)),
    ]
  }
}

extension SatisfiedKind {
  /// An element of `by` in `evaluate --json`.
  fileprivate var json: JSONValue {
    .object([
      JSONMember("kind", .string(kind.rawValue)), JSONMember("index", .integer(Int64(index))),
    ])
  }
}

extension PathCertificate {
  /// An element of `path` in `evaluate --json`.
  public var json: JSONValue {
    .object([
      JSONMember("commonNames", .array(commonName.names.map(JSONValue.string))),
      JSONMember("spki", .string(spki.description)),
    ])
  }
}
