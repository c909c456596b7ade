/// Names keys by their RFC 7638 JWK thumbprints.
package enum KeyIdentifier {
  /// SHA-256 over the required members in lexicographic order without white space (RFC 7638 §3),
  /// in base64url.
  package static func thumbprint(of numbers: PublicKeyNumbers) throws(KeyError) -> String? {
    let text: String
    switch numbers {
    case .rsa(let modulus, let exponent):
      text =
        #"{"e":""# + Base64URL.text(exponent) + #"","kty":"RSA","n":""#
        + Base64URL.text(modulus) + #""}"#
    case .ec(let curve, let x, let y):
      text =
        #"{"crv":""# + curve.rawValue + #"","kty":"EC","x":""# + Base64URL.text(x)
        + #"","y":""# + Base64URL.text(y) + #""}"#
    case .edwards(let curve, let point):
      // RFC 8037 §2.
      text =
        #"{"crv":""# + curve.rawValue + #"","kty":"OKP","x":""# + Base64URL.text(point)
        + #""}"#
    case .other:
      return nil
    }
    do {
      return Base64URL.text(try Digest.sha256.hash(text.utf8))
    } catch {
      throw .openSSL(error)
    }
  }
}
