import PinPolicy

/// How many hosts of a check came out in which way.
struct CheckTally {
  private(set) var count = 0
  private var verdicts: [Verdict: Int] = [:]
  private var unreachable = 0
  private var internalFaults = 0
  private var refused = 0
  private var expired = 0
  private var expiring = 0
  private var withoutBackup = 0
  private let allowingUnpinned: Bool

  init(allowingUnpinned: Bool) { self.allowingUnpinned = allowingUnpinned }

  mutating func add(_ host: CheckedHost) {
    count += 1
    if let verdict = host.verdict { verdicts[verdict, default: 0] += 1 }
    if let failure = host.failure {
      if failure.status == .internal { internalFaults += 1 } else { unreachable += 1 }
    }
    if isRefused(host) { refused += 1 }
    for warning in host.warnings {
      switch warning {
      case .noBackup: withoutBackup += 1
      case .expiresSoon, .clientCertificateRefused: break
      }
    }
    let left = host.warnings.compactMap {
      if case .expiresSoon(_, let left) = $0 { left } else { nil }
    }
    if left.contains(where: { $0 < 0 }) { expired += 1 } else if !left.isEmpty { expiring += 1 }
  }

  /// Whether clients that enforce would not go on.
  func isRefused(_ host: CheckedHost) -> Bool {
    guard let verdict = host.verdict else { return false }
    return Evaluation.status(of: verdict, allowingUnpinned: allowingUnpinned) == .refused
  }

  /// A host that would be rejected outweighs all that could not be reached.
  var status: ExitStatus {
    if refused > 0 { return .refused }
    if internalFaults > 0 { return .internal }
    return unreachable > 0 ? .unreachable : .success
  }

  /// What stands behind a progress bar.
  var troubles: String {
    (refused > 0 ? "  \(refused) rejected" : "")
      + (unreachable > 0 ? "  \(unreachable) unreachable" : "")
  }

  /// `12 hosts: 9 accepted, 1 rejected, 2 unreachable; 1 expires soon, 3 without a backup`.
  var summary: String {
    var parts = Verdict.allCases.compactMap { verdict in
      verdicts[verdict].map { "\($0) \(verdict.rawValue)" }
    }
    if unreachable + internalFaults > 0 {
      parts.append("\(unreachable + internalFaults) unreachable")
    }
    var rest: [String] = []
    if expired > 0 { rest.append("\(expired) with a certificate that has expired") }
    if expiring > 0 { rest.append("\(expiring) with a certificate that expires soon") }
    if withoutBackup > 0 { rest.append("\(withoutBackup) without a backup") }
    let hosts = count == 1 ? "1 host" : "\(count) hosts"
    return ([hosts + (parts.isEmpty ? "" : ": ") + parts.joined(separator: ", ")] + rest)
      .joined(separator: "; ")
  }
}
