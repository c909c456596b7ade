import PinCrypto
import PinPolicy
import PinVerifier

/// Keys that are trusted and one that is not, messages that they signed, and the verifiers.
struct Forge: Sendable {
  /// Every verifier was told the same but for how ECDSA signatures are written.
  let verifiers: [PolicyVerifier]
  let signers: [JWSSigner]
  /// Signers whose key is not trusted.
  let strangers: [JWSSigner]
  /// Messages of all signers that are trusted, each of which its verifier accepts.
  let originals: [[UInt8]]
  private let signed: Set<[UInt8]>
  /// Inside the window of every original.
  let time: Int64 = 1_764_600_000

  init() throws {
    let curves: [SignatureAlgorithm] = [.es256, .es384, .es512]
    let keys = try curves.map { (try PrivateKey.generate(for: $0), [$0]) }
    let rsa = (try PrivateKey.generate(for: .rs256), [SignatureAlgorithm.rs256, .ps256, .ps512])
    let trusted = try TrustedKeys(
      (keys + [rsa]).map { try TrustedKey($0.0.publicKey, algorithms: $0.1) })
    verifiers = [ECDSAEncoding.der, .jose].map {
      PolicyVerifier(
        trustedKeys: trusted, audience: .unchecked, profiles: [.standard, .cnpinning],
        maximumLifetime: nil, ecdsa: $0)
    }
    signers = try (keys + [rsa]).flatMap { try Self.signers($0.0, $0.1) }
    strangers = try Self.signers(PrivateKey.generate(for: .es256), [.es256])

    var random = SplitMix(seed: 0)
    var originals: [[UInt8]] = []
    for signer in signers {
      var grammar = PolicyGrammar(random: random, oddity: 0)
      originals.append(try signer.sign(payload: grammar.payload(signer.profile)))
      random = grammar.random
    }
    self.originals = originals
    signed = Set(originals)
    for (signer, original) in zip(signers, originals) {
      _ = try verifier(for: signer).verify(original, at: time)
    }
  }

  func verifier(for signer: JWSSigner) -> PolicyVerifier { verifiers[signer.ecdsa == .der ? 0 : 1] }

  /// Whether a trusted key signed this, signature and all.
  func isOriginal(_ message: [UInt8]) -> Bool { signed.contains(message) }

  private static func signers(
    _ key: PrivateKey, _ algorithms: [SignatureAlgorithm]
  ) throws -> [JWSSigner] {
    try algorithms.flatMap { algorithm in
      try [
        JWSSigner(key: key, algorithm: algorithm),
        JWSSigner(key: key, algorithm: algorithm, ecdsa: .jose),
        JWSSigner(key: key, algorithm: algorithm, profile: .cnpinning),
      ]
    }
  }
}
