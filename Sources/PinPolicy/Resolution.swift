/// Which rule of a policy governs a host, and how it was found.
public struct Resolution: Sendable {
  /// The step that decided.
  public enum Step: String, Sendable, CaseIterable {
    /// A rule's pattern is the host.
    case exact
    /// A rule that includes subdomains has the longest name above the host.
    case subdomain
    /// The rule for `*`.
    case wildcard
    /// No rule governs the host: the policy does not pin it.
    case none
  }

  public let step: Step
  /// The policy's rules, whole: copying a rule would touch a reference count for each list in it.
  private let rules: [HostRule]
  /// The governing rule's place among the policy's rules; nil at step `none`.
  public let ruleIndex: Int?

  init(step: Step, rules: [HostRule], ruleIndex: Int?) {
    self.step = step
    self.rules = rules
    self.ruleIndex = ruleIndex
  }

  /// The governing rule; nil at step `none`.
  public var rule: HostRule? { ruleIndex.map { rules[$0] } }

  /// The governing rule's pattern; nil at step `none`.
  public var pattern: HostPattern? { ruleIndex.map { rules[$0].pattern } }
}

extension Policy {
  /// Finds the rule that governs a host: its own, else that of the longest name above it whose rule
  /// includes subdomains, else that of `*`.
  ///
  /// - Complexity: One probe of a table for each label at most, whatever the number of rules, and no
  ///   allocation.
  public func resolve(_ host: HostName) -> Resolution {
    resolution(resolver.resolve(host.description.utf8Span.span))
  }

  /// Finds the rule that governs a host as somebody spells it.
  ///
  /// - Throws: ``HostNameError``: an invalid host is an error, never "not pinned".
  /// - Complexity: As ``resolve(_:)-(HostName)``, without allocation too.
  public func resolve(_ host: String) throws(HostNameError) -> Resolution {
    let text = host.utf8Span.span
    if HostSyntax.isCanonicalName(text) { return resolution(resolver.resolve(text)) }
    var buffer = HostBuffer(repeating: 0)
    let count = try HostSyntax.canonicalize(text, as: .lookup, into: &buffer)
    return resolution(resolver.resolve(buffer.span.extracting(first: count)))
  }

  private func resolution(_ answer: PolicyResolver.Answer) -> Resolution {
    Resolution(step: answer.step, rules: rules, ruleIndex: answer.rule)
  }

  /// How many texts a look-up looks for, and how many records of hosts it reads for that.
  package func lookupCost(_ host: HostName) -> (probes: Int, records: Int) {
    let answer = resolver.resolve(host.description.utf8Span.span)
    return (answer.probes, answer.records)
  }
}
