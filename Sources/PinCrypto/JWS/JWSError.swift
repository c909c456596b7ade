public import PinPolicy
public import StrictJSON

/// Why a compact JWS was refused.
///
/// Of the message it carries `alg`, `typ` and `kid` at most: nobody has vouched for the rest.
public enum JWSError: Refusal, Equatable {
  // Step 1: size.
  /// The compact form is longer than `Limits.policyBytes`.
  case tooLong(bytes: Int, limit: Int)
  /// The decoded protected header is longer than `Limits.headerBytes`.
  case headerTooLong(bytes: Int, limit: Int)

  // Step 2: encoding.
  /// Not header, payload and signature with two full stops between them (RFC 7515 §7.1).
  case notThreeSegments(found: Int)
  /// Padding, another alphabet, white space or unused bits that are not zero (RFC 7515 §2).
  case notBase64URL(Segment)

  // Step 3: protected header.
  /// Not the JSON that is read here, or more of it than the limits grant, which makes the category
  /// `limit`. The path is left out: it could hold names of the message.
  case headerJSON(JSONError)
  /// A second member of one name (RFC 7515 §4).
  case duplicateHeaderMember(line: Int, column: Int)
  /// JSON, but no object.
  case headerNotObject
  case missingHeaderMember(HeaderMember)
  /// A value that is no string.
  case headerMemberNotText(HeaderMember)
  /// A member other than `alg`, `typ`, `kid`: `crit` (RFC 7515 §4.1.11), `b64` (RFC 7797), and
  /// `jwk`, `jku`, `x5u`, `x5c`, which would let the message choose its key, among them.
  case unknownHeaderMember(line: Int, column: Int)
  /// A `typ` that names no profile.
  case unknownType(String)
  /// A profile that this verifier was not told to accept.
  case profileNotAccepted(Profile)
  /// An `alg` that the profile does not have: `none`, HS256, mixed case.
  case unknownAlgorithm(String, Profile)

  // Step 4: key.
  /// Profile `standard` without `kid`.
  case missingKeyIdentifier(trusted: [String])
  /// Profile `standard` with a `kid` that names no trusted key.
  case unknownKeyIdentifier(String, trusted: [String])
  /// `kid` names a trusted key that can't do, or may not do, this `alg`.
  case keyNotForAlgorithm(String, SignatureAlgorithm, allowed: [SignatureAlgorithm])
  /// `kid` names a trusted key that is bound to another profile.
  case keyNotForProfile(String, Profile)
  /// Profile `cnpinning`, and no trusted key can do this `alg` in it.
  case noKey(SignatureAlgorithm, Profile)

  // Step 5: signature.
  case emptySignature
  /// An ECDSA signature that is not strict DER.
  case notDER
  /// An ECDSA signature that is not r‖s of this many bytes.
  case notRaw(expectedBytes: Int)
  /// The ECDSA signature has exactly the shape of the other encoding.
  case otherECDSAEncoding(ECDSAEncoding)
  /// r or s is 0, or not below the order of the curve's base point.
  case numberOutOfRange
  /// The signature does not verify under any candidate key.
  case badSignature(keys: [String])

  /// libcrypto failed at something that should have worked: memory, a provider.
  case openSSL(OpenSSLError)

  public enum Segment: String, Sendable {
    case header, payload, signature
  }

  public enum HeaderMember: String, Sendable {
    case alg, typ, kid
  }
}
