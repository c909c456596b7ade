/// Judges paths by a policy: values in, a verdict out, no clock and no trust evaluation.
///
/// It is no public API, because nothing here says that a path is validated; the public one takes a
/// type that does.
package enum PinEvaluator {
  /// Resolves the host and judges the paths that trust evaluation found for it.
  ///
  /// - Parameters:
  ///   - paths: each leaf first. One that holds a denied key is discarded. The first that is
  ///     accepted decides; without one, the first that was not discarded.
  /// - Complexity: O(pins × certificates); an accepted path is judged without allocation.
  package static func evaluate(
    policy: Policy, host: HostName, paths: [[PathCertificate]],
    asIf reading: ModeReading = .asWritten
  ) -> Judgement {
    evaluate(
      host: host, resolution: policy.resolve(host), denied: policy.denied, paths: paths,
      asIf: reading)
  }

  /// Judges paths by a rule that was looked up before.
  ///
  /// - Parameter denied: may be those of another, newer policy.
  package static func evaluate(
    host: HostName, resolution: Resolution, denied: [SPKIPin], paths: [[PathCertificate]],
    asIf reading: ModeReading = .asWritten
  ) -> Judgement {
    var first: Judgement?
    for index in paths.indices where !paths[index].isEmpty {
      // Denial comes before the rule: it holds for hosts that are exempt or not pinned, too.
      if contains(denied, paths[index]) { continue }
      let judgement = judge(host, resolution, denied, paths, index, reading)
      switch judgement.verdict {
      case .accepted, .exempt, .notPinned: return judgement
      case .rejected, .reported: if first == nil { first = judgement }
      }
    }
    return first
      ?? Judgement(
        verdict: .rejected, reason: paths.allSatisfy(\.isEmpty) ? .noPath : .denied,
        host: host, resolution: resolution, paths: paths, pathIndex: nil, found: Satisfaction(),
        denied: denied)
  }

  private static func judge(
    _ host: HostName, _ resolution: Resolution, _ denied: [SPKIPin],
    _ paths: [[PathCertificate]], _ index: Int, _ reading: ModeReading
  ) -> Judgement {
    var found = Satisfaction()
    let verdict: Verdict
    if let rule = resolution.rule {
      let mode = reading.effective(rule.mode)
      if mode != .exempt { found = rule.pinSet.satisfaction(by: paths[index]) }
      verdict =
        switch mode {
        case .exempt: .exempt
        case _ where rule.pinSet.isSatisfied(found): .accepted
        case .report: .reported
        case .enforce: .rejected
        }
    } else {
      verdict = .notPinned
    }
    let reason: Judgement.Reason? = verdict == .rejected || verdict == .reported ? .pins : nil
    return Judgement(
      verdict: verdict, reason: reason, host: host, resolution: resolution, paths: paths,
      pathIndex: index, found: found, denied: denied)
  }

  private static func contains(_ denied: [SPKIPin], _ path: [PathCertificate]) -> Bool {
    denied.contains { pin in path.contains { $0.spki == pin } }
  }
}
