import PinCrypto
import PinPolicy
import PinVerifier
import PolicyAuthoring
import StrictJSON

extension Verb {
  /// Makes a signed policy of a source document.
  static let sign = Verb(
    name: "sign",
    summary: "sign a source document",
    explanation: [
      "Reads the document, stamps iat and exp, signs, verifies what it made with the public half of "
        + "the key, and only then writes it: to FILE in one step, or to standard output."
    ],
    operands: [.init(name: "SOURCE")],
    options: [
      .signingKey, .signingAlgorithm, .signingProfile, .validFor, .expiry, .issuedAt, .replacing,
      .oldKey, .allow, .keepNotes, .ecdsa, .algorithmCase, .passphraseFile, .passphraseVariable,
      .allowDemoKey, .at, .output,
    ],
    rules: [
      .required("key"), .exactlyOne(["valid-for", "exp"]),
      .atMostOne(["passphrase-file", "passphrase-env"]), .needs("old-key", "newer-than"),
    ],
    examples: [
      .init(
        command: "policyctl sign policy.json --key signing.pem --valid-for 7d -o policy.jws",
        meaning: "a policy for a week from now")
    ],
    run: SignVerb.run)
}

enum SignVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let profile = arguments.text(.signingProfile).flatMap(Profile.init(rawValue:)) ?? .standard
    let target = arguments.text(.output) ?? "-"
    try checkOptions(arguments, profile, target, output)
    let path = arguments.operands[0]
    try OutputName.check(
      target,
      isNone: [
        (path, "the source document"), (arguments.text(.signingKey), "the signing key"),
        (arguments.text(.passphraseFile), "the passphrase"),
      ] + arguments.texts(.oldKey).map { ($0, "the old key") })
    let source = try SourceFile.read(path)
    let key = try SigningKey(arguments, profile: profile)
    let window = try SigningWindow.window(
      arguments, audience: profile == .standard ? source.audience : nil, profile: profile, key: key,
      output)
    let policy: Policy
    do { policy = try source.policy(window: window, profile: profile) } catch {
      throw misfits(error, path)
    }
    for omission in source.omissions(for: profile) { output.note(omission) }
    for finding in source.acceptedFindings where !Words.lintCodes.contains(finding.code) {
      output.note(
        "$['lint']: there is no finding \(PrintableText.quoted(finding.code))"
          + Suggestion.phrase(for: finding.code, among: Words.lintCodes))
    }
    let signed = try signed(policy, key, arguments, output)
    try write(signed, to: target, output)
    try report(policy, signed, key, arguments, target, output)
    return .success
  }

  /// Everything that does not fit the profile, a line each.
  private static func misfits(_ error: ProfileMisfits, _ path: String) -> Failure {
    let count = error.misfits.count
    var failure = Failure(
      error.category, code: error.code,
      "profile cnpinning cannot say what the policy needs, in \(count) "
        + (count == 1 ? "place" : "places"),
      detail: error.detail, status: .badInput, about: path)
    failure.list = error.misfits.map(\.message)
    return failure
  }

  /// What the profile and the options don't go together with.
  private static func checkOptions(
    _ arguments: Arguments, _ profile: Profile, _ target: String, _ output: Output
  ) throws(Failure) {
    if output.isJSON, target == "-" {
      throw .usage(
        "conflicting-options", "--json and the policy would both go to standard output",
        hint: "give --output FILE")
    }
    switch profile {
    case .standard:
      if arguments.text(.algorithmCase) == "lower" {
        throw .usage(
          "conflicting-options", "profile standard has only the registered, upper-case alg")
      }
    case .cnpinning:
      if arguments.text(.ecdsa) == "jose" {
        throw .usage(
          "conflicting-options", "the clients of profile cnpinning read DER signatures alone")
      }
      if arguments.text(.algorithmCase) == "upper" {
        output.warning("CNPinning-Apple 1.2 crashes on an upper-case alg")
      }
      if arguments.has(.keepNotes) {
        output.note("profile cnpinning has no notes: --keep-notes keeps none")
      }
    }
  }

  /// Signs the policy, and verifies what was made as a service would that trusts the key alone.
  ///
  /// - Throws: exit 3 when the document makes a policy that exceeds a limit, which only shows in its
  ///   signed form; exit 70 for anything else.
  private static func signed(
    _ policy: Policy, _ key: SigningKey, _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> [UInt8] {
    let verifier = try key.verifier(
      profiles: [policy.profile],
      audience: policy.audience.map(AudienceExpectation.exactly) ?? .unchecked, arguments, output)
    var refusal: any Refusal
    do {
      let signed = try key.signer.sign(
        payload: policy.payloadBytes(keepNotes: arguments.has(.keepNotes)))
      do {
        _ = try verifier.verify(signed, at: policy.window.issuedAt)
        return signed
      } catch { refusal = error }
    } catch { refusal = error }
    let source = arguments.operands[0]
    if refusal.category == .limit { throw Failure(refusal, status: .badInput, about: source) }
    throw Failure(
      .internal, code: "own-policy-refused",
      "the policy that was made does not verify (\(refusal.category.rawValue): "
        + "\(refusal.message)); nothing was written; please report this",
      status: .internal, about: source)
  }

  private static func write(
    _ signed: [UInt8], to target: String, _ output: Output
  ) throws(Failure) {
    guard target != "-" else {
      output.bytes(signed)
      // To a file it goes as it is, so that its digest is the policy's.
      if StandardStreams.outputIsTerminal { output.bytes([UInt8(ascii: "\n")]) }
      return
    }
    do { try AtomicFile.write(signed, to: target) } catch {
      throw Failure(error, status: .badInput)
    }
  }

  private static func report(
    _ policy: Policy, _ signed: [UInt8], _ key: SigningKey, _ arguments: Arguments,
    _ target: String, _ output: Output
  ) throws(Failure) {
    let signer = key.signer
    let digest: String
    do { digest = Hexadecimal.text(try Digest.sha256.hash(signed)) } catch {
      throw .unexpected(error)
    }
    output.json(
      .object([
        JSONMember("output", .string(target)),
        JSONMember("keyID", .string(signer.keyIdentifier)),
        JSONMember("alg", .string(signer.algorithm.rawValue)),
        JSONMember("profile", .string(policy.profile.rawValue)),
        JSONMember("iat", .integer(policy.window.issuedAt)),
        JSONMember("exp", .integer(policy.window.expiresAt)),
        JSONMember("hosts", .integer(Int64(policy.rules.count))),
        JSONMember("sha256", .string(digest)),
      ]))
    guard target != "-", !output.isQuiet else { return }
    output.line("\("SIGNED", .good) \(target)")
    output.fields([
      ("signed by", "\(signer.keyIdentifier) (\(key.path)), \(signer.algorithm.rawValue)"),
      ("profile", Line(policy.profile.rawValue)),
      ("audience", Line(policy.audience ?? "none: profile cnpinning has no audience")),
      ("in force", WindowText.line(policy.window, at: Clock.now(arguments))),
      ("hosts", "\(policy.rules.count)"), ("sha256", Line(digest)),
    ])
  }
}
