/// The payload of a message whose signature was checked.
///
/// Only PinCrypto's verifier makes one, so whoever holds it holds authentic bytes.
public struct VerifiedPayload: Sendable {
  /// The payload as it was signed: UTF-8 that nobody has parsed yet.
  public let bytes: [UInt8]
  public let profile: Profile
  /// The registered `alg` token (RFC 7518 §3.1) that the key was used with.
  public let algorithm: String
  /// The RFC 7638 thumbprint of the key that signed.
  public let keyIdentifier: String
  /// Policies that the key signed with a later `iat` are refused, in seconds since 1970.
  public let issuedBefore: Int64?

  package init(
    bytes: [UInt8], profile: Profile, algorithm: String, keyIdentifier: String,
    issuedBefore: Int64?
  ) {
    self.bytes = bytes
    self.profile = profile
    self.algorithm = algorithm
    self.keyIdentifier = keyIdentifier
    self.issuedBefore = issuedBefore
  }
}
