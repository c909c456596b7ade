public import PinPolicy

/// A policy whose signature, audience, window and lifetime were checked.
///
/// Only ``PolicyVerifier`` makes one.
public struct VerifiedPolicy: Sendable {
  /// Shared by all copies: one is handed to every handshake.
  private final class Contents: Sendable {
    let policy: Policy
    let keyIdentifier: String
    let algorithm: String
    let issuedBefore: Int64?

    init(_ policy: Policy, _ payload: VerifiedPayload) {
      self.policy = policy
      keyIdentifier = payload.keyIdentifier
      algorithm = payload.algorithm
      issuedBefore = payload.issuedBefore
    }
  }

  private let contents: Contents

  init(policy: Policy, payload: VerifiedPayload) { contents = Contents(policy, payload) }

  public var policy: Policy { contents.policy }
  /// The RFC 7638 thumbprint of the key that signed.
  public var keyIdentifier: String { contents.keyIdentifier }
  /// The registered `alg` token (RFC 7518 §3.1).
  public var algorithm: String { contents.algorithm }
  var issuedBefore: Int64? { contents.issuedBefore }

  /// The rule that governs a host: exact host, longest suffix, wildcard, none.
  ///
  /// - Parameter host: a host name or an IP address in ASCII; one trailing dot, upper case and the
  ///   brackets of an IPv6 address are taken.
  /// - Throws: ``HostNameError``: a bad host is an error, never "not pinned".
  /// - Complexity: one probe a label at most, however many rules there are; no allocation.
  public func rule(for host: String) throws(HostNameError) -> Resolution {
    try contents.policy.resolve(host)
  }
}
