import PinCrypto
import PinPolicy
import PinVerifier

/// The key that the options name, ready to sign in one way.
struct SigningKey {
  let path: String
  let publicKey: PublicKey
  let signer: JWSSigner

  /// Loads the private key and settles how it signs.
  ///
  /// - Throws: category `key`, exit 3, for a key that may not sign policies, not in this way, or not
  ///   at all without `--allow-demo-key`.
  init(_ arguments: Arguments, profile: Profile) throws(Failure) {
    let path = arguments.text(.signingKey) ?? "-"
    self.path = path
    let passphrase = PassphraseSource(
      arguments, file: .passphraseFile, variable: .passphraseVariable)
    let key = try KeyFile.privateKey(path, asking: passphrase)
    publicKey = key.publicKey
    do throws(KeyError) {
      try publicKey.checkFitForPolicies()
      signer = try JWSSigner(
        key: key, algorithm: Self.algorithm(of: key.publicKey, arguments, profile),
        profile: profile,
        ecdsa: arguments.text(.ecdsa).flatMap(ECDSAEncoding.init(rawValue:)) ?? .der,
        registeredToken: arguments.text(.algorithmCase) == "upper",
        allowDemoKeys: arguments.has(.allowDemoKey))
    } catch {
      var hint: String?
      if case .demoKey = error { hint = TrustedKeyFiles.demoHint }
      throw Failure(error, status: .badInput, about: path, hint: hint)
    }
  }

  /// `--alg`, else the only one that the key can do, else the profile's own for RSA.
  private static func algorithm(
    of key: PublicKey, _ arguments: Arguments, _ profile: Profile
  ) throws(KeyError) -> SignatureAlgorithm {
    if let token = arguments.text(.signingAlgorithm),
      let algorithm = SignatureAlgorithm(rawValue: token)
    {
      return algorithm
    }
    let possible = key.supportedAlgorithms
    let preferred: SignatureAlgorithm = profile == .standard ? .ps256 : .rs256
    if possible.contains(preferred) { return preferred }
    guard let first = possible.first else { throw .unfitKind(key.kind) }
    return first
  }

  /// A verifier that trusts this key, and the public keys of some files besides.
  ///
  /// - Throws: category `key`, exit 3, for a file that is no key.
  func verifier(
    besides paths: [String] = [], profiles: Set<Profile>, audience: AudienceExpectation,
    _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> PolicyVerifier {
    let allowDemoKeys = arguments.has(.allowDemoKey)
    let others = try TrustedKeyFiles(allowDemoKeys: allowDemoKeys, output).keys(paths)
    let trusted: TrustedKeys
    do throws(KeyError) {
      let own = try TrustedKey(publicKey, algorithms: SignatureAlgorithm.allCases)
      var seen: Set = [own.identifier]
      trusted = try TrustedKeys(
        [own] + others.filter { seen.insert($0.identifier).inserted }, allowDemoKeys: allowDemoKeys)
    } catch { throw Failure(error, status: .badInput, about: path) }
    return PolicyVerifier(
      trustedKeys: trusted, audience: audience, profiles: profiles, maximumLifetime: nil,
      ecdsa: signer.ecdsa)
  }
}
