import PinCrypto
import PinPolicy
import PinVerifier
import PolicyAuthoring
import StrictJSON

/// A policy that a verb is given: signed and verified, signed and unchecked, or a source document.
///
/// The options say which it is, never the bytes: swapping a signed file for a plain one must not
/// pass.
struct PolicyInput {
  enum Kind {
    case verified(VerifiedPolicy, Trust)
    case unverified
    case source(SourceDocument)
  }

  let policy: Policy
  let kind: Kind
  let path: String
  private var isOutOfForce = false

  /// Stands before every line of an answer that does not hold at the time.
  private static let margin: Line = "\("NOT IN FORCE", .warning) | "

  /// What every JSON result of such a verb carries: `"verified"`, and `"inForce": false` where the
  /// window is passed over.
  var resultMembers: [JSONMember] {
    [JSONMember("verified", .bool(isVerified))]
      + (isOutOfForce ? [JSONMember("inForce", .bool(false))] : [])
  }

  /// What every verb that takes a policy takes with it.
  static let options: [Option] = Trust.options + [.unverified]
  static let rules: [OptionRule] =
    [.atMostOne(["key", "unverified"])]
    + [.trustedAlgorithm, .audience, .acceptedProfile, .ecdsa, .allowDemoKey].map {
      (option: Option) in .needs(option.name, "key")
    }

  /// Whether the signature was checked, for the results.
  var isVerified: Bool {
    if case .verified = kind { true } else { false }
  }

  /// What the document calls a pin; a signed policy has no names for them.
  func name(of pin: SPKIPin) -> String? {
    if case .source(let document) = kind { document.name(of: pin) } else { nil }
  }

  /// The window of a signed policy; a source document has none.
  var window: ValidityWindow? {
    if case .source = kind { nil } else { policy.window }
  }

  /// Reads the policy that stands first among the arguments, whatever its window.
  ///
  /// - Throws: exit 1 for a signed policy that is refused, and for anything else under `--key`;
  ///   exit 2 for a signed policy without `--key` and `--unverified`; exit 3 for a bad document.
  init(_ arguments: Arguments, _ output: Output) throws(Failure) {
    path = arguments.operands[0]
    if arguments.has(.trustedKey) {
      let trust = try Trust(arguments, output)
      let bytes = try SignedPolicyFile.read(path)
      let verified = try trust.verifyIgnoringWindow(bytes, from: path)
      policy = verified.policy
      kind = .verified(verified, trust)
    } else if arguments.has(.unverified) {
      policy = try UnverifiedMessage(reading: path).policy()
      kind = .unverified
    } else {
      let source = try SourceFile.read(
        path, hint: "give --key PUB to verify it, or --unverified to read it unchecked")
      // The window of a document that is not signed yet: it has none, and nothing looks at it.
      let window = ValidityWindow(issuedAt: 0, expiresAt: ValidityWindow.latestTime)
      do { policy = try source.policy(window: window) } catch {
        throw Failure(error, status: .badInput, about: path)
      }
      kind = .source(source)
    }
  }

  /// Refuses a signed policy that is not in force, unless the options say to go on.
  ///
  /// What the verb then answers says itself that it is not in force: each line to people, and each
  /// JSON document by ``resultMembers``.
  ///
  /// - Throws: category `time`, exit 1.
  mutating func checkWindow(_ arguments: Arguments, _ output: Output) throws(Failure) {
    let now = Clock.now(arguments)
    guard let window, let fault = WindowText.fault(of: window, at: now) else { return }
    isOutOfForce = true
    guard arguments.has(.ignoreWindow) else {
      throw Failure(
        .time, code: now >= window.expiresAt ? "expired" : "not-yet-valid",
        "the policy \(fault)",
        detail: [
          .init("iat", .integer(window.issuedAt)), .init("exp", .integer(window.expiresAt)),
          .init("at", .integer(now)),
        ], status: .refused, about: path,
        hint: "give --at TIME or --ignore-window to ask all the same")
    }
    output.warning("the policy \(fault), and --ignore-window goes on all the same")
  }

  /// Says on every screen what is not verified, and once what is.
  func introduce(_ output: Output) {
    if isOutOfForce { output.margin = Self.margin }
    switch kind {
    case .verified(let verified, let trust):
      let origin = trust.origins[verified.keyIdentifier].map { " (\($0))" } ?? ""
      output.note("verified: \(path), signed by \(verified.keyIdentifier)\(origin)")
    case .unverified:
      output.margin = "\(UnverifiedMessage.margin)\(output.margin ?? "")"
      output.note("NOT VERIFIED: \(path) is taken unchecked; anyone may have written it")
    case .source:
      output.note("\(path) is a source document: not signed, and not in force anywhere")
    }
  }
}
