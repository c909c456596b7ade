public import PinPolicy
internal import StrictJSON

/// A public key that a service trusts to sign policies, and for what.
///
/// The key decides the algorithm, never the header (RFC 8725 §3.1).
public struct TrustedKey: Sendable {
  public let publicKey: PublicKey
  /// The algorithms it may be used with, in the order of RFC 7518.
  public let algorithms: [SignatureAlgorithm]
  /// The only profile that it may sign; nil for any that the verifier accepts.
  public let profile: Profile?
  /// Policies with a later `iat` are refused, in seconds since 1970: a retired or stolen key.
  public let issuedBefore: Int64?
  /// The RFC 7638 thumbprint.
  public let identifier: String
  /// The JWK's own `kid`, where it has one: another name for the key.
  public let alias: String?
  /// One for each of ``algorithms``.
  private let contexts: [SignatureContext]

  /// Trusts a key.
  ///
  /// - Parameters:
  ///   - algorithms: what it may be used with, of what it can do; nil when the key can do but one.
  ///     `SignatureAlgorithm.allCases` takes all that it can do.
  ///   - profile: the only profile that it may sign.
  ///   - issuedBefore: the latest `iat` of a policy that it may have signed, in seconds since 1970.
  /// - Throws: what ``PublicKey/checkFitForPolicies()`` throws,
  ///   ``KeyError/algorithmsNotStated(_:)``, ``KeyError/algorithmsNotPossible(_:possible:)``,
  ///   ``KeyError/openSSL(_:)``.
  public init(
    _ key: PublicKey, algorithms: [SignatureAlgorithm]? = nil, profile: Profile? = nil,
    issuedBefore: Int64? = nil
  ) throws(KeyError) {
    try self.init(
      key, alias: nil, bound: nil, algorithms: algorithms, profile: profile,
      issuedBefore: issuedBefore)
  }

  /// Trusts the key in exactly one PEM block `PUBLIC KEY`.
  ///
  /// - Throws: what ``PublicKey/init(trustedPEM:)`` throws, and the others.
  public init(
    pem: [UInt8], algorithms: [SignatureAlgorithm]? = nil, profile: Profile? = nil,
    issuedBefore: Int64? = nil
  ) throws(KeyError) {
    try self.init(
      PublicKey(trustedPEM: pem), algorithms: algorithms, profile: profile,
      issuedBefore: issuedBefore)
  }

  /// Trusts the key in a SubjectPublicKeyInfo in DER.
  ///
  /// - Throws: what ``PublicKey/init(trustedDER:)`` throws, and the others.
  public init(
    der: [UInt8], algorithms: [SignatureAlgorithm]? = nil, profile: Profile? = nil,
    issuedBefore: Int64? = nil
  ) throws(KeyError) {
    try self.init(
      PublicKey(trustedDER: der), algorithms: algorithms, profile: profile,
      issuedBefore: issuedBefore)
  }

  /// Trusts the key in a public JWK. Its `alg` binds it; its `kid` names it too.
  ///
  /// - Throws: ``KeyError/json(_:)``, ``KeyError/jwk(member:_:)``, and the others.
  public init(
    jwk: [UInt8], algorithms: [SignatureAlgorithm]? = nil, profile: Profile? = nil,
    issuedBefore: Int64? = nil, limits: Limits = .standard
  ) throws(KeyError) {
    try self.init(
      JWK(parsing: jwk, limits: limits), algorithms: algorithms, profile: profile,
      issuedBefore: issuedBefore)
  }

  init(
    _ jwk: JWK, algorithms: [SignatureAlgorithm]?, profile: Profile?, issuedBefore: Int64?
  ) throws(KeyError) {
    let bound = try jwk.trustedAlgorithm()
    try self.init(
      jwk.publicKey(), alias: jwk.text("kid"), bound: bound, algorithms: algorithms,
      profile: profile, issuedBefore: issuedBefore)
  }

  private init(
    _ key: PublicKey, alias: String?, bound: SignatureAlgorithm?,
    algorithms stated: [SignatureAlgorithm]?, profile: Profile?, issuedBefore: Int64?
  ) throws(KeyError) {
    try key.checkFitForPolicies()
    guard let identifier = key.thumbprint else { throw .unfitKind(key.kind) }
    var possible = key.supportedAlgorithms
    if let bound {
      guard possible.contains(bound) else {
        throw .algorithmsNotPossible([bound], possible: possible)
      }
      possible = [bound]
    }
    if let stated {
      let allowed = possible.filter(stated.contains)
      guard !allowed.isEmpty else { throw .algorithmsNotPossible(stated, possible: possible) }
      possible = allowed
    } else if possible.count > 1 {
      throw .algorithmsNotStated(key.kind)
    }
    publicKey = key
    self.algorithms = possible
    self.profile = profile
    self.issuedBefore = issuedBefore
    self.identifier = identifier
    self.alias = alias == identifier ? nil : alias
    contexts = try possible.map { algorithm throws(KeyError) in
      do throws(OpenSSLError) {
        return try SignatureContext(key: key, algorithm: algorithm)
      } catch {
        throw .openSSL(error)
      }
    }
  }

  /// The context that checks signatures of this algorithm; nil when the key may not do it.
  func context(for algorithm: SignatureAlgorithm) -> SignatureContext? {
    guard let index = algorithms.firstIndex(of: algorithm), contexts.indices.contains(index)
    else { return nil }
    return contexts[index]
  }

  func maySign(_ profile: Profile) -> Bool { self.profile == nil || self.profile == profile }
}

extension JWK {
  /// Judges what a trusted JWK says about itself, and gives the algorithm that it is bound to.
  fileprivate func trustedAlgorithm() throws(KeyError) -> SignatureAlgorithm? {
    guard ["EC", "RSA"].contains(try keyType) else { throw .jwk(member: "kty", .unsupported) }
    // RFC 7518 §6.2.2, §6.3.2, §6.4.1: a verifier that holds a signer's secret is one thief closer.
    for secret in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] where has(secret) {
      throw .jwk(member: secret, .secret)
    }
    // RFC 7517 §4.2, §4.3: the key's owner says what it is for.
    if let use = try text("use"), use != "sig" { throw .jwk(member: "use", .unsupported) }
    if let operations = try texts("key_ops"), !operations.contains("verify") {
      throw .jwk(member: "key_ops", .unsupported)
    }
    guard let token = try text("alg") else { return nil }
    guard let algorithm = SignatureAlgorithm(rawValue: token) else {
      throw .jwk(member: "alg", .unsupported)
    }
    return algorithm
  }
}
