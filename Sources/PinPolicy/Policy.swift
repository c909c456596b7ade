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
  /// The rules in the order of the document, no two for one pattern.
  public let rules: [HostRule]
  let resolver: PolicyResolver

  /// Takes members that a reader of documents has checked.
  package init(
    profile: Profile, audience: String?, issuer: String? = nil, window: ValidityWindow,
    refreshHint: Int64? = nil, reportTo: [String] = [], denied: [SPKIPin] = [],
    rules: [HostRule]
  ) {
    self.init(
      profile: profile, audience: audience, issuer: issuer, window: window,
      refreshHint: refreshHint, reportTo: reportTo, denied: denied, rules: rules,
      resolver: PolicyResolver(rules))
  }

  init(
    profile: Profile, audience: String?, issuer: String?, window: ValidityWindow,
    refreshHint: Int64?, reportTo: [String], denied: [SPKIPin], rules: [HostRule],
    resolver: PolicyResolver
  ) {
    self.profile = profile
    self.audience = audience
    self.issuer = issuer
    self.window = window
    self.refreshHint = refreshHint
    self.reportTo = reportTo
    self.denied = denied
    self.rules = rules
    self.resolver = resolver
  }
}
