public import PinPolicy
internal import StrictJSON

/// The keys that a verifier trusts, each under its ids. Never empty.
public struct TrustedKeys: Sendable {
  public let keys: [TrustedKey]
  /// Where in ``keys`` each id stands: thumbprints, and the `kid` of JWKs.
  private let places: [Identifier: Int]

  /// By its bytes: equal strings may differ in them (KELVIN SIGN equals `K`). A type of its own, since
  /// the runtime looks long for how arrays hash.
  private struct Identifier: Hashable {
    let bytes: [UInt8]
    init(_ text: String) { bytes = Array(text.utf8) }
  }

  /// - Parameter allowDemoKeys: take keys whose private half everyone has.
  /// - Throws: ``KeyError/noKeys``, ``KeyError/duplicateIdentifier(_:)`` for two keys with one id,
  ///   one key given twice among them, ``KeyError/demoKey(_:)``.
  public init(_ keys: [TrustedKey], allowDemoKeys: Bool = false) throws(KeyError) {
    guard !keys.isEmpty else { throw .noKeys }
    var places: [Identifier: Int] = [:]
    for (index, key) in keys.enumerated() {
      if !allowDemoKeys { try DemoKeys.refuse(key.identifier) }
      for identifier in [key.identifier, key.alias].compactMap({ $0 }) {
        guard places.updateValue(index, forKey: Identifier(identifier)) == nil else {
          throw .duplicateIdentifier(identifier)
        }
      }
    }
    self.keys = keys
    self.places = places
  }

  /// Every id, in the order in which the keys were given.
  public var identifiers: [String] {
    keys.flatMap { [$0.identifier, $0.alias].compactMap { $0 } }
  }

  /// The keys that may have signed: step 4 of a policy's verification.
  ///
  /// - Returns: at least one.
  func candidates(for header: ProtectedHeader) throws(JWSError) -> [Candidate] {
    let algorithm = header.algorithm
    let profile = header.profile
    let named = header.keyIdentifier.flatMap { places[Identifier($0)] }
    if let named, keys.indices.contains(named) {
      let key = keys[named]
      guard let context = key.context(for: algorithm) else {
        throw .keyNotForAlgorithm(
          header.keyIdentifier ?? key.identifier, algorithm, allowed: key.algorithms)
      }
      guard key.maySign(profile) else {
        throw .keyNotForProfile(header.keyIdentifier ?? key.identifier, profile)
      }
      return [Candidate(key: key, context: context)]
    }
    switch profile {
    case .standard:
      guard let identifier = header.keyIdentifier else {
        throw .missingKeyIdentifier(trusted: identifiers)
      }
      throw .unknownKeyIdentifier(identifier, trusted: identifiers)
    case .cnpinning:
      // Here `kid` is a hint: those clients write none, or one that means nothing to us.
      let candidates = keys.compactMap { key in
        key.maySign(profile)
          ? key.context(for: algorithm).map { Candidate(key: key, context: $0) } : nil
      }
      guard !candidates.isEmpty else { throw .noKey(algorithm, profile) }
      return candidates
    }
  }

  struct Candidate {
    let key: TrustedKey
    let context: SignatureContext
  }
}

extension TrustedKeys {
  /// Trusts the keys of a JWK Set (RFC 7517 §5).
  ///
  /// - Parameter skippingUnusable: leave out what can't be used instead of failing.
  /// - Returns: the keys, and what was left out.
  /// - Throws: ``KeyError/unusableKeys(_:)`` with every key that can't be used and why;
  ///   ``KeyError/json(_:)``, ``KeyError/jwk(member:_:)`` for what is no set; and what
  ///   ``init(_:allowDemoKeys:)`` throws.
  public static func load(
    jwks: [UInt8], algorithms: [SignatureAlgorithm]? = nil, profile: Profile? = nil,
    issuedBefore: Int64? = nil, skippingUnusable: Bool = false, allowDemoKeys: Bool = false,
    limits: Limits = .standard
  ) throws(KeyError) -> (keys: TrustedKeys, skipped: [UnusableKey]) {
    let (keys, unusable) = try TrustedKey.all(
      inJWKS: jwks, algorithms: algorithms, profile: profile, issuedBefore: issuedBefore,
      limits: limits)
    guard unusable.isEmpty || skippingUnusable else { throw .unusableKeys(unusable) }
    return (try TrustedKeys(keys, allowDemoKeys: allowDemoKeys), unusable)
  }
}

extension TrustedKey {
  /// The keys of a JWK Set, and those that can't be used.
  ///
  /// - Throws: ``KeyError/json(_:)``, ``KeyError/jwk(member:_:)`` for what is no set.
  public static func all(
    inJWKS bytes: [UInt8], algorithms: [SignatureAlgorithm]? = nil, profile: Profile? = nil,
    issuedBefore: Int64? = nil, limits: Limits = .standard
  ) throws(KeyError) -> (keys: [TrustedKey], unusable: [UnusableKey]) {
    let document = try JWK.document(bytes, limits)
    guard let list = document.member("keys", of: document.root) else {
      throw .jwk(member: "keys", .missing)
    }
    guard document.kind(of: list) == .array else { throw .jwk(member: "keys", .wrongType) }
    var keys: [TrustedKey] = []
    var unusable: [UnusableKey] = []
    for (index, element) in document.elements(of: list).enumerated() {
      do {
        keys.append(
          try TrustedKey(
            JWK(document, element), algorithms: algorithms, profile: profile,
            issuedBefore: issuedBefore))
      } catch {
        unusable.append(UnusableKey(index: index, reason: error))
      }
    }
    return (keys, unusable)
  }
}
