public import PinPolicy

/// Makes compact JWS, and lets none out of its hands that does not verify.
public struct JWSSigner: Sendable {
  private let key: PrivateKey
  private let trustedKeys: TrustedKeys
  private let registeredToken: Bool
  public let algorithm: SignatureAlgorithm
  public let profile: Profile
  public let ecdsa: ECDSAEncoding
  public let limits: Limits

  /// - Parameters:
  ///   - registeredToken: write the registered `ES256` in profile `cnpinning`, too. The default
  ///     there is `es256`: CNPinning-Apple 1.2 crashes on any other.
  ///   - limits: those of the policy's readers.
  ///   - allowDemoKeys: sign with a key whose private half everyone has.
  /// - Throws: what ``PublicKey/checkFitForPolicies()`` throws for its public half,
  ///   ``KeyError/algorithmsNotPossible(_:possible:)``, ``KeyError/demoKey(_:)``.
  public init(
    key: PrivateKey, algorithm: SignatureAlgorithm, profile: Profile = .standard,
    ecdsa: ECDSAEncoding = .der, registeredToken: Bool = false, limits: Limits = .standard,
    allowDemoKeys: Bool = false
  ) throws(KeyError) {
    let trusted = try TrustedKey(key.publicKey, algorithms: [algorithm], profile: profile)
    trustedKeys = try TrustedKeys([trusted], allowDemoKeys: allowDemoKeys)
    self.key = key
    self.algorithm = algorithm
    self.profile = profile
    self.ecdsa = ecdsa
    self.registeredToken = registeredToken
    self.limits = limits
  }

  /// The RFC 7638 thumbprint of the signing key.
  public var keyIdentifier: String { trustedKeys.keys.first?.identifier ?? "" }

  /// Signs a payload, and verifies the result with the public half.
  ///
  /// - Parameter payload: UTF-8, signed as it is.
  /// - Returns: ASCII `header.payload.signature`.
  /// - Throws: ``JWSError/openSSL(_:)`` when libcrypto or a token does not sign,
  ///   ``JWSError/tooLong(bytes:limit:)`` for what no reader would take, and any other when the
  ///   signature that was made does not verify.
  public func sign(payload: [UInt8]) throws(JWSError) -> [UInt8] {
    let input = signingInput(payload: payload)
    let signature: [UInt8]
    do {
      signature = try key.sign(input.bytes, algorithm: algorithm)
    } catch {
      throw .openSSL(error)
    }
    return try input.attaching(signature, of: trustedKeys, encoding: ecdsa, limits: limits)
  }

  /// What ``sign(payload:)`` signs.
  package func signingInput(payload: [UInt8]) -> SigningInput {
    SigningInput(
      payload: payload, algorithm: algorithm, profile: profile, keyIdentifier: keyIdentifier,
      registeredToken: registeredToken)
  }
}
