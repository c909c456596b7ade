import PinCrypto
import PinPolicy
import PinVerifier

/// Whom the options say to trust, and for what.
struct Trust {
  let verifier: PolicyVerifier
  /// The file that each trusted key came from, by key identifier.
  let origins: [String: String]

  /// The options that say it.
  static let options: [Option] = [
    .trustedKey, .trustedAlgorithm, .audience, .acceptedProfile, .ecdsa, .allowDemoKey,
  ]

  /// Loads the keys and makes a verifier that goes by the options.
  ///
  /// - Throws: category `key`, exit 3, for a key that is not taken (step 0 of a verification).
  init(
    _ arguments: Arguments, limits: Limits = .standard, _ output: Output
  ) throws(Failure) {
    let files = TrustedKeyFiles(arguments, output)
    let keys = try files.load(arguments.texts(.trustedKey))
    origins = keys.origins
    let profiles = arguments.texts(.acceptedProfile).compactMap(Profile.init(rawValue:))
    let audience = arguments.text(.audience)
    if audience != nil, profiles == [.cnpinning] {
      output.note("policies of profile cnpinning have no audience: with --audience all are refused")
    }
    verifier = PolicyVerifier(
      trustedKeys: keys.trusted,
      audience: audience.map(AudienceExpectation.exactly) ?? .unchecked,
      profiles: profiles.isEmpty ? Set(Profile.allCases) : Set(profiles),
      maximumLifetime: arguments.number(.maxLifetime), limits: limits,
      ecdsa: arguments.text(.ecdsa).flatMap(ECDSAEncoding.init(rawValue:)) ?? .der,
      issuedAtTolerance: arguments.number(.skew) ?? 0)
  }

  /// Verifies a file.
  ///
  /// - Throws: exit 1 for a policy that is refused.
  func verify(
    _ bytes: [UInt8], from path: String, at time: Int64
  ) throws(Failure) -> VerifiedPolicy {
    do { return try verifier.verify(bytes, at: time) } catch {
      throw refusal(error, bytes, path)
    }
  }

  /// Verifies a file whatever its window.
  func verifyIgnoringWindow(
    _ bytes: [UInt8], from path: String
  ) throws(Failure) -> VerifiedPolicy {
    do { return try verifier.verifyIgnoringWindow(bytes) } catch {
      throw refusal(error, bytes, path)
    }
  }

  private func refusal(
    _ error: PolicyVerificationError, _ bytes: [UInt8], _ path: String
  ) -> Failure {
    // A libcrypto that fails has refused nothing.
    let status: ExitStatus = error.category == .internal ? .internal : .refused
    return Failure(
      error.category, code: error.code, Self.message(error), detail: error.detail, status: status,
      about: path, hint: SourceFile.looksUnsigned(bytes) ? SourceFile.hintToSign : nil)
  }

  /// The library counts seconds; people read calendars.
  private static func message(_ error: PolicyVerificationError) -> String {
    switch error {
    case .expired(let window, let time), .notYetValid(let window, let time, _):
      guard let fault = WindowText.fault(of: window, at: time) else { return error.message }
      return "the policy \(fault) (it is \(TimeText.text(of: time))); "
        + (time < window.issuedAt
          ? "check this clock and the signer's" : "get a newer one, or check this clock")
    case .lifetimeTooLong(let seconds, let maximum):
      return "the policy is in force for \(WindowText.length(seconds)), and at most "
        + "\(WindowText.length(maximum)) are allowed; sign it for less"
    default: return error.message
    }
  }
}
