internal import COpenSSL
public import StrictJSON

extension PublicKey {
  /// The SubjectPublicKeyInfo, byte for byte as it was read, as PEM `PUBLIC KEY` (RFC 7468 §13).
  ///
  /// - Throws: ``KeyError/openSSL(_:)``.
  public func spkiPEM() throws(KeyError) -> String {
    let text = try unsafe SecretBytes.collect { output in
      unsafe PEM_write_bio(output, "PUBLIC KEY", "", spkiBytes, spkiBytes.count)
    }
    return String(decoding: text.copied(), as: UTF8.self)
  }

  /// The key as a JWK (RFC 7517) whose `kid` is its thumbprint; nil for a key that has no such form.
  ///
  /// It says nothing of `alg` or `use`: those bind a key, and binding is its owner's to do.
  public var jwk: JSONValue? {
    var members: [JSONMember]
    switch numbers {
    case .rsa(let modulus, let exponent):
      members = [
        JSONMember("kty", .string("RSA")), JSONMember("n", .string(Base64URL.text(modulus))),
        JSONMember("e", .string(Base64URL.text(exponent))),
      ]
    case .ec(let curve, let x, let y):
      members = [
        JSONMember("kty", .string("EC")), JSONMember("crv", .string(curve.rawValue)),
        JSONMember("x", .string(Base64URL.text(x))), JSONMember("y", .string(Base64URL.text(y))),
      ]
    case .edwards(let curve, let point):
      members = [
        JSONMember("kty", .string("OKP")), JSONMember("crv", .string(curve.rawValue)),
        JSONMember("x", .string(Base64URL.text(point))),
      ]
    case .other: return nil
    }
    if let thumbprint { members.append(JSONMember("kid", .string(thumbprint))) }
    return .object(members)
  }
}
