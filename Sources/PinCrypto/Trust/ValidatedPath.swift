public import PinPolicy

/// A path from a server's certificate to a trust anchor, validated for one host at one time.
///
/// Only ``TrustEvaluator`` makes one, and there is no way to judge it under another host.
public struct ValidatedPath: Sendable {
  /// The host that the leaf was checked against.
  public let host: HostName
  /// The time of the check, in seconds since 1970.
  public let time: Int64
  /// Leaf → anchor, as trust evaluation built it; never the list that the server sent.
  public let certificates: [Certificate]
  /// What pins see, leaf → anchor.
  package let pathCertificates: [PathCertificate]
  /// What was looked up in revocation lists; nothing beyond it was.
  public let revocation: Revocation.Scope
  private let evaluator: TrustEvaluator
  private let presented: PresentedChain

  init(
    host: HostName, time: Int64, certificates: [Certificate], evaluator: TrustEvaluator,
    presented: PresentedChain
  ) {
    self.host = host
    self.time = time
    self.certificates = certificates
    pathCertificates = certificates.map(\.pathCertificate)
    revocation = evaluator.revocation.scope
    self.evaluator = evaluator
    self.presented = presented
  }

  /// The lists in force of the authorities whose certificates were looked up: what the answer is from.
  public var revocationLists: [RevocationList] {
    let lookedUp =
      switch revocation {
      case .none: 0
      case .leaf: 1
      case .chain: certificates.count
      }
    return evaluator.revocation.lists.filter { list in
      list.isInForce(at: time) && certificates.prefix(lookedUp).contains(where: list.isByIssuer)
    }
  }

  /// The other paths by which the same server can be trusted, within
  /// ``TrustEvaluator/Options/pathBudget``: a cross-signed authority, a root of the same name.
  ///
  /// Searched when asked for, since most verdicts need the first path alone.
  package func alternatives() -> [ValidatedPath] {
    evaluator.paths(of: presented, host: host, at: time, butFor: certificates)
  }
}
