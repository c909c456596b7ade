internal import COpenSSL
public import PinPolicy

/// A path from a server's certificate to a trust anchor, validated for one host at one time.
///
/// Only ``TrustEvaluator`` makes one, and there is no way to judge it under another host.
public struct ValidatedPath: Sendable {
  /// Shared by all copies: a path is handed on several times in a handshake.
  private final class Contents: Sendable {
    let host: HostName
    let time: Int64
    let certificates: [Certificate]
    let pathCertificates: [PathCertificate]
    let evaluator: TrustEvaluator
    let presented: PresentedChain

    init(
      _ host: HostName, _ time: Int64, _ certificates: [Certificate], _ evaluator: TrustEvaluator,
      _ presented: PresentedChain
    ) {
      self.host = host
      self.time = time
      self.certificates = certificates
      pathCertificates = certificates.map(\.pathCertificate)
      self.evaluator = evaluator
      self.presented = presented
    }
  }

  private let contents: Contents

  init(
    host: HostName, time: Int64, certificates: [Certificate], evaluator: TrustEvaluator,
    presented: PresentedChain
  ) {
    contents = Contents(host, time, certificates, evaluator, presented)
  }

  /// The host that the leaf was checked against.
  public var host: HostName { contents.host }
  /// The time of the check, in seconds since 1970.
  public var time: Int64 { contents.time }
  /// Leaf → anchor, as trust evaluation built it; never the list that the server sent.
  public var certificates: [Certificate] { contents.certificates }
  /// What pins see, leaf → anchor.
  package var pathCertificates: [PathCertificate] { contents.pathCertificates }
  /// What was looked up in revocation lists; nothing beyond it was.
  public var revocation: Revocation.Scope { contents.evaluator.revocation.scope }

  /// The lists in force of the authorities whose certificates were looked up: what the answer is from.
  public var revocationLists: [RevocationList] {
    let lookedUp =
      switch revocation {
      case .none: 0
      case .leaf: 1
      case .chain: certificates.count
      }
    return contents.evaluator.revocation.lists.filter { list in
      list.isInForce(at: time) && certificates.prefix(lookedUp).contains(where: list.isByIssuer)
    }
  }

  /// The other paths by which the same server can be trusted, within
  /// ``TrustEvaluator/Options/pathBudget``: a cross-signed authority, a root of the same name.
  ///
  /// Searched when asked for, since most verdicts need the first path alone.
  package func alternatives() -> [ValidatedPath] {
    contents.evaluator.paths(
      of: contents.presented, host: host, at: time, butFor: certificates)
  }

  /// A new `STACK_OF(X509) *` that owns a reference to each certificate; nil for want of memory.
  @unsafe
  package func newStack() -> OpaquePointer? {
    guard let stack = unsafe OPENSSL_sk_new_null() else { return nil }
    for certificate in contents.certificates {
      unsafe certificate.withPointer { pointer in
        if unsafe X509_up_ref(pointer) == 1 {
          _ = unsafe OPENSSL_sk_push(stack, UnsafeRawPointer(pointer))
        }
      }
    }
    return unsafe stack
  }
}
