public import PinPolicy

/// Checks compact JWS against trusted keys. The only maker of a ``VerifiedPayload``.
///
/// May be used from any number of threads at once.
public struct JWSVerifier: Sendable {
  public let trustedKeys: TrustedKeys
  public let profiles: Set<Profile>
  public let ecdsa: ECDSAEncoding
  public let limits: Limits

  /// - Parameters:
  ///   - profiles: those that are accepted; the header's `typ` says which one a message has.
  ///   - ecdsa: how ECDSA signatures are written; the other form is refused.
  public init(
    trustedKeys: TrustedKeys, profiles: Set<Profile> = [.standard], ecdsa: ECDSAEncoding = .der,
    limits: Limits = .standard
  ) {
    self.trustedKeys = trustedKeys
    self.profiles = profiles
    self.ecdsa = ecdsa
    self.limits = limits
  }

  /// Checks a message and returns its payload: steps 1 to 5 of a policy's verification, in order.
  ///
  /// The trusted key decides the algorithm, never the header alone (RFC 8725 §3.1).
  /// - Parameter compact: ASCII `header.payload.signature`, without a line end.
  /// - Throws: the ``JWSError`` of the first step that fails: size (`limit`), segments and base64url
  ///   (`encoding`), protected header (`header`), choice of the key (`key`), signature
  ///   (`signature`).
  /// - Complexity: linear in the text; one public-key operation a candidate, and only a message of
  ///   profile `cnpinning` can have more than one.
  public func verify(_ compact: [UInt8]) throws(JWSError) -> VerifiedPayload {
    let message = try CompactJWS(compact, limits: limits)
    let header = try ProtectedHeader(
      decoding: message.header, accepting: profiles, limits: limits)
    let candidates = try trustedKeys.candidates(for: header)
    let signature = try PreparedSignature(
      message.signature, algorithm: header.algorithm, ecdsa: ecdsa)
    for candidate in candidates {
      let accepted: Bool
      do {
        accepted = try candidate.context.accepts(signature, over: message.signingInput)
      } catch {
        throw .openSSL(error)
      }
      guard accepted else { continue }
      return VerifiedPayload(
        bytes: message.unverifiedPayload, profile: header.profile,
        algorithm: header.algorithm.rawValue, keyIdentifier: candidate.key.identifier,
        issuedBefore: candidate.key.issuedBefore)
    }
    throw signature.refusal(keys: candidates.map(\.key.identifier))
  }
}
