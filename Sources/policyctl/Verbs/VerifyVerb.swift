import PinCrypto
import PinPolicy
import PinVerifier
import StrictJSON

extension Verb {
  /// Checks a signed policy as a service would.
  static let verify = Verb(
    name: "verify",
    summary: "check a signed policy as a service would",
    explanation: [
      "Prints who signed it, for whom, how long it is in force, and its hosts. A policy that is "
        + "refused ends with exit status 1 and the reason. Without --audience and --profile any "
        + "is accepted, and the output says which it was. With --quiet nothing is printed of a "
        + "policy that is accepted: the exit status says it."
    ],
    operands: [.init(name: "FILE")],
    options: Trust.options + [
      .at, .skew, .newerThan, .minRemaining, .maxLifetime, .maxBytes, .maxHosts,
    ],
    rules: [.required("key")],
    examples: [
      .init(
        command: "policyctl verify policy.jws --key signing.pub.pem --audience payments-prod",
        meaning: "is this what the payments service would take?")
    ],
    run: VerifyVerb.run)
}

enum VerifyVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    LibraryStart.withoutCiphers()
    var limits = Limits.standard
    if let most = arguments.number(.maxBytes) { limits.policyBytes = Int(most) }
    if let most = arguments.number(.maxHosts) { limits.hosts = Int(most) }
    let trust = try Trust(arguments, limits: limits, output)
    let path = arguments.operands[0]
    let now = Clock.now(arguments)
    let verified = try trust.verify(
      SignedPolicyFile.read(path, limits: limits), from: path, at: now)
    try checkRemaining(verified.policy.window, arguments, at: now, path)
    if let older = arguments.text(.newerThan) {
      try checkNewer(
        verified.policy, path,
        than: trust.verifyIgnoringWindow(
          SignedPolicyFile.read(older, limits: limits), from: older
        ).policy, older)
    }
    report(verified, trust, arguments, at: now, output)
    return .success
  }

  /// A policy must be in force for a while yet.
  private static func checkRemaining(
    _ window: ValidityWindow, _ arguments: Arguments, at now: Int64, _ path: String
  ) throws(Failure) {
    guard let least = arguments.number(.minRemaining) else { return }
    let left = window.expiresAt - now
    guard left < least else { return }
    throw Failure(
      .time, code: "expires-too-soon",
      "the policy expires at \(TimeText.text(of: window.expiresAt)), in "
        + "\(WindowText.length(left)), and --min-remaining asks for "
        + "\(WindowText.length(least)); sign a new one",
      detail: [
        JSONMember("exp", .integer(window.expiresAt)), JSONMember("at", .integer(now)),
        JSONMember("remaining", .integer(left)), JSONMember("minimum", .integer(least)),
      ], status: .refused, about: path)
  }

  /// The mark of a roll-back: marks are kept by audience and profile.
  private static func checkNewer(
    _ policy: Policy, _ path: String, than older: Policy, _ olderPath: String
  ) throws(Failure) {
    try PolicyOrder.checkComparable(older, olderPath, with: policy.audience, policy.profile)
    guard policy.window.issuedAt <= older.window.issuedAt else { return }
    throw Failure(
      .rollback, code: "not-newer",
      "the policy was issued at \(TimeText.text(of: policy.window.issuedAt)), not after "
        + "\(PrintableText.cut(olderPath)) (\(TimeText.text(of: older.window.issuedAt))): a service "
        + "that has seen the other refuses it; sign it again",
      detail: [
        JSONMember("iat", .integer(policy.window.issuedAt)),
        JSONMember("newestIat", .integer(older.window.issuedAt)),
        JSONMember("olderFile", .string(olderPath)),
      ], status: .refused, about: path)
  }

  private static func report(
    _ verified: VerifiedPolicy, _ trust: Trust, _ arguments: Arguments, at now: Int64,
    _ output: Output
  ) {
    let policy = verified.policy
    output.json(
      .object([
        JSONMember("verified", .bool(true)),
        JSONMember("profile", .string(policy.profile.rawValue)),
        JSONMember("alg", .string(verified.algorithm)),
        JSONMember("keyID", .string(verified.keyIdentifier)),
        JSONMember("audience", policy.audience.map { .string($0) } ?? .null),
        JSONMember("issuer", policy.issuer.map { .string($0) } ?? .null),
        JSONMember("iat", .integer(policy.window.issuedAt)),
        JSONMember("exp", .integer(policy.window.expiresAt)),
        JSONMember("hosts", .integer(Int64(policy.rules.count))),
      ]))
    // Who asks quietly reads the exit status.
    guard !output.isQuiet else { return }
    output.line("\("VERIFIED", .good) \(arguments.operands[0])")
    let origin = trust.origins[verified.keyIdentifier].map { " (\($0))" } ?? ""
    let audience: Line =
      switch (policy.audience, arguments.has(.audience)) {
      case (let audience?, true): "\(audience), as asked for"
      case (let audience?, false): "\(audience), \("not checked: no --audience", .warning)"
      case (nil, _): "none: profile cnpinning has no audience"
      }
    let profile: Line =
      arguments.has(.acceptedProfile)
      ? "\(policy.profile.rawValue), as asked for"
      : "\(policy.profile.rawValue), not checked: no --profile"
    output.fields([
      ("signed by", "\(verified.keyIdentifier)\(origin), \(verified.algorithm)"),
      ("profile", profile), ("audience", audience), ("issuer", Line(policy.issuer ?? "none")),
      ("in force", WindowText.line(policy.window, at: now)),
      ("hosts", "\(policy.rules.count)"),
    ])
    HostTable.lines(policy.rules, to: output)
  }
}
