package import PinPolicy

/// What a policy's signature is made over: ASCII(BASE64URL(header) ‖ '.' ‖ BASE64URL(payload))
/// (RFC 7515 §5.1).
///
/// The same key, profile and payload always give the same bytes, so that it can be signed on
/// another machine: by a KMS, or where the key is.
package struct SigningInput: Equatable, Sendable {
  package let bytes: [UInt8]
  package let algorithm: SignatureAlgorithm
  package let profile: Profile

  /// - Parameters:
  ///   - keyIdentifier: the signing key's thumbprint; profile `cnpinning` leaves it out.
  ///   - registeredToken: write `ES256` in profile `cnpinning` too, where `es256` is the default:
  ///     CNPinning-Apple 1.2 crashes on any other.
  package init(
    payload: [UInt8], algorithm: SignatureAlgorithm, profile: Profile, keyIdentifier: String,
    registeredToken: Bool = false
  ) {
    // Members in the order of RFC 8785; nothing in them needs an escape.
    let header =
      switch profile {
      case .standard:
        #"{"alg":"\#(algorithm.rawValue)","kid":"\#(keyIdentifier)","typ":"\#(profile.type)"}"#
      case .cnpinning:
        #"{"alg":"\#(registeredToken ? algorithm.rawValue : algorithm.lowercaseToken)","#
          + #""typ":"\#(profile.type)"}"#
      }
    bytes = Base64URL.encode(header.utf8) + [UInt8(ascii: ".")] + Base64URL.encode(payload)
    self.algorithm = algorithm
    self.profile = profile
  }

  /// Takes a signing input that was written out before.
  ///
  /// - Throws: the ``JWSError`` of steps 1 to 3.
  package init(_ bytes: [UInt8], limits: Limits = .standard) throws(JWSError) {
    let message = try CompactJWS(bytes + [UInt8(ascii: ".")], limits: limits)
    let header = try ProtectedHeader(
      decoding: message.header, accepting: Set(Profile.allCases), limits: limits)
    self.bytes = bytes
    algorithm = header.algorithm
    profile = header.profile
  }

  /// The digest that the signature is made over, for signers that take no more.
  package func digest() throws(OpenSSLError) -> [UInt8] { try algorithm.digest.hash(bytes) }

  /// The compact form, when the signature is the key's.
  ///
  /// - Parameters:
  ///   - signature: as the other side made it: ECDSA in DER or raw, whichever it has the form of.
  ///   - encoding: how the policy is to carry it.
  /// - Throws: the ``JWSError`` of a verifier that trusts this key alone.
  package func attaching(
    _ signature: [UInt8], of key: TrustedKeys, encoding: ECDSAEncoding = .der,
    limits: Limits = .standard
  ) throws(JWSError) -> [UInt8] {
    var signature = signature
    if case .ecdsa(let curve) = algorithm.scheme {
      let given: ECDSAEncoding =
        ECDSASignature.hasShape(of: .der, signature, curve) ? .der : .jose
      do {
        signature = try ECDSASignature(signature, encoding: given, curve: curve).bytes(encoding)
      } catch {
        throw error.jwsError
      }
    }
    let compact = bytes + [UInt8(ascii: ".")] + Base64URL.encode(signature)
    let verifier = JWSVerifier(
      trustedKeys: key, profiles: [profile], ecdsa: encoding, limits: limits)
    _ = try verifier.verify(compact)
    return compact
  }
}
