public import StrictJSON

/// What a verifier and a signer spend at most on one policy.
///
/// Each limit is the embedding service's to change and never the policy's. Exceeding one is a
/// refusal of category ``FailureCategory/limit``.
public struct Limits: Equatable, Sendable {
  /// Bytes of a signed policy in compact form, of a source document, of any other JSON text: a
  /// reader must bound what it holds before a signature vouches for it.
  public var policyBytes = 4 * 1024 * 1024
  /// Bytes of the protected header, decoded: it is parsed before the signature is checked.
  public var headerBytes = 4096
  /// JSON containers open at once: a policy needs 6, and recursion must end.
  public var jsonDepth = 16
  /// Characters of a JSON number: a time needs 12.
  public var jsonNumberCharacters = 32
  /// Members of `hosts`, `*` included: bounds the resolver's table.
  public var hosts = 10_000
  /// Chains in a rule: each costs a comparison a link at every handshake.
  public var chainsPerHost = 64
  /// Links in a chain: longer than any path that trust evaluation builds.
  public var linksPerChain = 32
  /// SPKI pins of a kind in a rule, and denied pins of a policy.
  public var pinsPerKind = 256
  /// Unicode scalars in a link's value: a Common Name has 64 at most (RFC 5280 appendix A).
  public var linkValueScalars = 1024
  /// Certificates in a presented chain.
  public var presentedCertificates = 32
  /// Bytes of one certificate in DER.
  public var certificateBytes = 64 * 1024
  /// Extensions in one certificate, each of which is compared with the others; public authorities
  /// write about ten.
  public var certificateExtensions = 64
  /// Trust anchors in a bundle; platforms ship a few hundred.
  public var trustAnchors = 4096
  /// Revocation lists in a file, and bytes of one in DER: authorities of millions publish some of
  /// tens of megabytes.
  public var revocationLists = 256
  public var revocationListBytes = 64 * 1024 * 1024

  public init() {}

  /// The limits that everything uses unless told otherwise; `sign` refuses what they refuse.
  public static let standard = Limits()

  /// The limits for a JSON text that stands by itself.
  public var json: JSONLimits {
    JSONLimits(bytes: policyBytes, depth: jsonDepth, numberCharacters: jsonNumberCharacters)
  }
}
