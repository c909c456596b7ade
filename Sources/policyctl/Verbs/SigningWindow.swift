import PinPolicy
import PinVerifier
import StrictJSON

/// When a policy that is being signed is in force.
enum SigningWindow {
  /// Clients have clocks that lag: a policy issued now is in the future to some of them.
  static let lag: Int64 = 60

  /// `--iat`, else a minute ago, but after the policy that is replaced; and what `--exp` or
  /// `--valid-for` say.
  ///
  /// - Throws: exit 2 for options that contradict each other, or that make a policy which has expired
  ///   already; exit 1, `rollback`, for an `--iat`
  ///   that is not after that of the policy to be replaced.
  /// - Parameter audience: that of the policy; nil in a profile that has none.
  static func window(
    _ arguments: Arguments, audience: String?, profile: Profile, key: SigningKey,
    _ output: Output
  ) throws(Failure) -> ValidityWindow {
    let now = Clock.now(arguments)
    var issuedAt = arguments.number(.issuedAt) ?? max(0, now - lag)
    if let path = arguments.text(.replacing) {
      let older = try replaced(
        path, arguments, audience: audience, profile: profile, key: key, output)
      if arguments.has(.issuedAt), issuedAt <= older.issuedAt {
        throw Failure(
          .rollback, code: "not-newer",
          "--iat is \(TimeText.text(of: issuedAt)), and the policy to be replaced was issued at "
            + "\(TimeText.text(of: older.issuedAt)): a service that has seen it would refuse the "
            + "new one; leave --iat out",
          detail: [
            JSONMember("iat", .integer(issuedAt)),
            JSONMember("newestIat", .integer(older.issuedAt)),
          ], status: .refused, about: path)
      }
      issuedAt = max(issuedAt, older.issuedAt + 1)
    }
    let expiresAt = arguments.number(.expiry) ?? issuedAt + (arguments.number(.validFor) ?? 0)
    // Both terms are below 2^38: times and durations end with the year 9999.
    guard expiresAt <= ValidityWindow.latestTime, issuedAt <= ValidityWindow.latestTime else {
      throw .usage("out-of-range", "the policy would expire after the year 9999")
    }
    guard issuedAt < expiresAt else {
      throw .usage(
        "empty-window",
        "the policy would never be in force: iat is \(TimeText.text(of: issuedAt)), exp is "
          + "\(TimeText.text(of: expiresAt))",
        detail: [JSONMember("iat", .integer(issuedAt)), JSONMember("exp", .integer(expiresAt))])
    }
    // iat lies a minute back, so a duration below that would sign what nobody can use. Who states
    // iat has the past in mind.
    guard expiresAt > now || arguments.has(.issuedAt) else {
      throw .usage(
        "born-expired",
        "the policy would expire at \(TimeText.text(of: expiresAt)), and it is "
          + "\(TimeText.text(of: now)); let it last longer",
        detail: [JSONMember("exp", .integer(expiresAt)), JSONMember("at", .integer(now))])
    }
    let window = ValidityWindow(issuedAt: issuedAt, expiresAt: expiresAt)
    if let fault = WindowText.fault(of: window, at: now) { output.warning("the policy \(fault)") }
    return window
  }

  /// The window of the policy to be replaced, which must be signed by the same key or by one that
  /// `--old-key` names: its `iat` moves that of the new one.
  private static func replaced(
    _ path: String, _ arguments: Arguments, audience: String?, profile: Profile,
    key: SigningKey, _ output: Output
  ) throws(Failure) -> ValidityWindow {
    let verifier = try key.verifier(
      besides: arguments.texts(.oldKey), profiles: Set(Profile.allCases), audience: .unchecked,
      arguments, output)
    let older: VerifiedPolicy
    let bytes = try SignedPolicyFile.read(path)
    do { older = try verifier.verifyIgnoringWindow(bytes) } catch {
      throw Failure(
        error, status: .refused, about: path,
        hint: error.category == .key
          ? "when another key signed it, name that key with --old-key"
          : SourceFile.looksUnsigned(bytes) ? SourceFile.hintToSign : nil)
    }
    try PolicyOrder.checkComparable(older.policy, path, with: audience, profile)
    return older.policy.window
  }
}
