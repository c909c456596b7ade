public import PinCrypto
public import PinPolicy

/// Checks signed policies: bytes and a time in, a ``VerifiedPolicy`` or the reason out.
///
/// Pure: it has no clock of its own and touches no file and no network. Make one, keep it, and use
/// it from any number of threads: loading a key costs more than checking a signature.
public struct PolicyVerifier: Sendable {
  /// 90 days, in seconds: one stolen signature can't last for ever.
  public static let standardLifetime: Int64 = 90 * 86_400
  /// The most that ``init(trustedKeys:audience:profiles:maximumLifetime:limits:ecdsa:issuedAtTolerance:)``
  /// takes as a tolerance, in seconds.
  public static let greatestTolerance: Int64 = 300

  public let audience: AudienceExpectation
  public let profiles: Set<Profile>
  public let maximumLifetime: Int64?
  public let limits: Limits
  public let issuedAtTolerance: Int64
  private let signatures: JWSVerifier

  /// - Parameters:
  ///   - trustedKeys: the only keys whose signatures count; a message can't add to them.
  ///   - audience: which `aud` is asked for.
  ///   - profiles: the profiles that are accepted.
  ///   - maximumLifetime: the most that `exp − iat` may be, in seconds; nil for no maximum.
  ///   - limits: what is spent at most on one policy.
  ///   - ecdsa: how ECDSA signatures are encoded; never guessed from the message.
  ///   - issuedAtTolerance: seconds that `iat` may lie in the future, brought into 0 … 300; nothing
  ///     stretches `exp`.
  public init(
    trustedKeys: TrustedKeys,
    audience: AudienceExpectation,
    profiles: Set<Profile> = [.standard],
    maximumLifetime: Int64? = PolicyVerifier.standardLifetime,
    limits: Limits = .standard,
    ecdsa: ECDSAEncoding = .der,
    issuedAtTolerance: Int64 = 0
  ) {
    self.audience = audience
    self.profiles = profiles
    self.maximumLifetime = maximumLifetime
    self.limits = limits
    self.issuedAtTolerance = min(max(issuedAtTolerance, 0), Self.greatestTolerance)
    signatures = JWSVerifier(
      trustedKeys: trustedKeys, profiles: profiles, ecdsa: ecdsa, limits: limits)
  }

  /// Checks a signed policy and returns it.
  ///
  /// - Parameters:
  ///   - bytes: the compact serialization (RFC 7515 §3.1), at most `Limits.policyBytes`, without
  ///     white space around it.
  ///   - time: the time of the check, whole seconds since 1970-01-01T00:00:00Z.
  /// - Throws: ``PolicyVerificationError``, the first step that failed.
  public func verify(
    _ bytes: [UInt8], at time: Int64
  ) throws(PolicyVerificationError) -> VerifiedPolicy {
    let verified = try authenticate(bytes)
    try checkWindow(of: verified, at: time)
    try checkLifetime(of: verified)
    return verified
  }

  /// All steps but the window, for rehearsals and for comparing with an older policy. What it
  /// returns need not be in force.
  package func verifyIgnoringWindow(
    _ bytes: [UInt8]
  ) throws(PolicyVerificationError) -> VerifiedPolicy {
    let verified = try authenticate(bytes)
    try checkLifetime(of: verified)
    return verified
  }

  private func authenticate(
    _ bytes: [UInt8]
  ) throws(PolicyVerificationError) -> VerifiedPolicy {
    let payload: VerifiedPayload
    do {
      payload = try signatures.verify(bytes)
    } catch {
      throw .message(error)
    }
    let policy: Policy
    do {
      policy = try Policy(decoding: payload, audience: expectedAudience, limits: limits)
    } catch {
      throw .payload(error)
    }
    return VerifiedPolicy(policy: policy, payload: payload)
  }

  private var expectedAudience: String? {
    switch audience {
    case .exactly(let audience): audience
    case .unchecked: nil
    }
  }

  /// The window at `time` (RFC 7519 §4.1.4: on or after `exp` is refused).
  private func checkWindow(
    of verified: VerifiedPolicy, at time: Int64
  ) throws(PolicyVerificationError) {
    let window = verified.policy.window
    let (latest, overflows) = time.addingReportingOverflow(issuedAtTolerance)
    guard overflows || window.issuedAt <= latest else {
      throw .notYetValid(window, at: time, tolerance: issuedAtTolerance)
    }
    guard time < window.expiresAt else { throw .expired(window, at: time) }
  }

  /// The lifetime and the key's cut-off, which do not depend on the time of the check.
  private func checkLifetime(of verified: VerifiedPolicy) throws(PolicyVerificationError) {
    let window = verified.policy.window
    let lifetime = window.expiresAt - window.issuedAt
    if let maximumLifetime, lifetime > maximumLifetime {
      throw .lifetimeTooLong(seconds: lifetime, maximum: maximumLifetime)
    }
    if let issuedBefore = verified.issuedBefore, window.issuedAt > issuedBefore {
      throw .issuedAfterCutOff(
        issuedAt: window.issuedAt, issuedBefore: issuedBefore,
        keyIdentifier: verified.keyIdentifier)
    }
  }
}
