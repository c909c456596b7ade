/// Host rules inside a validity window, for one audience.
///
/// A plain value: that it was signed is said by `VerifiedPolicy`, never by this type.
public struct Policy: Sendable {
  public let profile: Profile
  /// Who the policy is for; nil in profile `cnpinning`, which has no audience.
  public let audience: String?
  public let issuer: String?
  public let window: ValidityWindow
  /// Seconds after which a client should look for a newer policy.
  public let refreshHint: Int64?
  public let reportTo: [String]
  /// Digests that no path may contain, for any host.
  public let denied: [SPKIPin]
  /// The rules in the order of the document.
  public let rules: [HostRule]
}
