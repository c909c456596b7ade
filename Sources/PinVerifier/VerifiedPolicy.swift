public import PinPolicy

/// A policy whose signature, audience, window and lifetime were checked.
///
/// Only ``PolicyVerifier`` makes one.
public struct VerifiedPolicy: Sendable {
  public let policy: Policy
  /// The RFC 7638 thumbprint of the key that signed.
  public let keyIdentifier: String
  /// The registered `alg` token (RFC 7518 §3.1).
  public let algorithm: String
  let issuedBefore: Int64?

  init(policy: Policy, payload: VerifiedPayload) {
    self.policy = policy
    keyIdentifier = payload.keyIdentifier
    algorithm = payload.algorithm
    issuedBefore = payload.issuedBefore
  }

  /// The rule that governs a host: exact host, longest suffix, wildcard, none.
  ///
  /// - Parameter host: a host name or an IP address in ASCII; one trailing dot, upper case and the
  ///   brackets of an IPv6 address are taken.
  /// - Throws: ``HostNameError``: a bad host is an error, never "not pinned".
  /// - Complexity: one probe a label at most, however many rules there are; no allocation.
  public func rule(for host: String) throws(HostNameError) -> Resolution {
    try policy.resolve(host)
  }
}
