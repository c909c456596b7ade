public import PinCrypto
public import PinPolicy

extension VerifiedPolicy {
  /// Judges a path by the rule of the host that it was validated for.
  ///
  /// Pins only add to trust evaluation, so the path has to be validated: there is no way to judge
  /// what a server merely sent, nor a path under another host than its own.
  ///
  /// - Parameters:
  ///   - path: when it fails the pins or holds a denied key, the other paths by which the same server
  ///     can be trusted are judged too, within the evaluator's budget.
  ///   - time: the time of the check, in seconds since 1970.
  /// - Throws: ``PolicyVerificationError`` when the policy is not in force at `time`: outside its
  ///   window there is no verdict.
  public func evaluate(
    _ path: ValidatedPath, at time: Int64
  ) throws(PolicyVerificationError) -> Judgement {
    try judged(path, at: time).judgement
  }

  /// ``evaluate(_:at:)``, and the path that was judged: the given one or an alternative.
  package func judged(
    _ path: ValidatedPath, at time: Int64
  ) throws(PolicyVerificationError) -> JudgedPath {
    let window = policy.window
    guard time >= window.issuedAt else {
      throw .notYetValid(window, at: time, tolerance: 0)
    }
    guard time < window.expiresAt else { throw .expired(window, at: time) }
    return policy.judged(path)
  }
}

/// A judgement, and the path that it is about.
package struct JudgedPath: Sendable {
  package let judgement: Judgement
  package let path: ValidatedPath
}

extension Policy {
  /// Judges a validated path and, where it fails, its alternatives; looks at no clock.
  package func judged(
    _ path: ValidatedPath, asIf reading: ModeReading = .asWritten
  ) -> JudgedPath {
    let first = path.pathCertificates
    let judgement = PinEvaluator.evaluate(
      policy: self, host: path.host, paths: [first], asIf: reading)
    guard judgement.reason != nil else { return JudgedPath(judgement: judgement, path: path) }
    let others = path.alternatives()
    guard !others.isEmpty else { return JudgedPath(judgement: judgement, path: path) }
    let second = PinEvaluator.evaluate(
      policy: self, host: path.host, paths: [first] + others.map(\.pathCertificates),
      asIf: reading)
    return JudgedPath(judgement: second, path: ([path] + others)[second.pathIndex ?? 0])
  }
}
