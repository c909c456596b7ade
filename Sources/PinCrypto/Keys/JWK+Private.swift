internal import COpenSSL
internal import StrictJSON

extension JWK {
  /// Whether it has what only secret keys have (RFC 7518 §6.2.2, §6.3.2, §6.4.1).
  var isPrivate: Bool { ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].contains(where: has) }

  /// The key pair that `kty` and its members spell, checked to be one.
  ///
  /// All numbers of an RSA key must be there: RFC 7518 §6.3.2 lets writers leave out all but `d`,
  /// but none does, and PKCS#8 has no place for such a key.
  /// - Throws: ``KeyError/jwk(member:_:)``, ``KeyFileFault/inconsistent(_:)``, and what
  ///   ``publicKey()`` throws.
  func privateKey() throws(KeyError) -> PrivateKey {
    let type = try keyType
    var material = try KeyMaterial()
    switch type {
    case "EC":
      // Judges the public half first: its faults are told as such.
      guard case .ec(let curve, let x, let y) = try publicKey().numbers else {
        throw .pointNotOnCurve
      }
      let secret = try secret("d")
      // RFC 7518 §6.2.2.1: as long as the curve's order.
      guard secret.count == curve.coordinateBytes else {
        throw .jwk(member: "d", .wrongLength(expectedBytes: curve.coordinateBytes))
      }
      try material.add(OSSL_PKEY_PARAM_GROUP_NAME, text: curve.groupName)
      try material.add(OSSL_PKEY_PARAM_PUB_KEY, octets: [0x04] + x + y)
      try material.add(OSSL_PKEY_PARAM_PRIV_KEY, number: secret)
    case "RSA":
      _ = try publicKey()
      // RFC 7518 §6.3.2.7: keys of more than two primes.
      if has("oth") { throw .jwk(member: "oth", .unsupported) }
      for number in RSANumber.allCases {
        let bytes = try secret(number.rawValue)
        // RFC 7518 §2: a Base64urlUInt has the fewest bytes.
        guard let first = bytes.withSpan({ $0.isEmpty ? nil : $0[0] }) else {
          throw .jwk(member: number.rawValue, .missing)
        }
        guard first != 0 else { throw .jwk(member: number.rawValue, .leadingZeros) }
        try material.add(number.parameter, number: bytes)
      }
    default: throw .jwk(member: "kty", .unsupported)
    }
    let key = try unsafe PrivateKey(adopting: material.key(type: type))
    try key.checkConsistency()
    return key
  }

  /// A member in base64url, decoded to memory that is wiped.
  private func secret(_ name: String) throws(KeyError) -> SecretBytes {
    guard let value = document.member(name, of: object) else {
      throw .jwk(member: name, .missing)
    }
    guard document.kind(of: value) == .string else { throw .jwk(member: name, .wrongType) }
    let decoded = document.withUTF8(of: value) { text -> [UInt8]? in
      unsafe text.withUnsafeBufferPointer { unsafe Base64URL.decode(buffer: $0) }
    }
    guard var decoded else { throw .jwk(member: name, .notBase64URL) }
    return SecretBytes(wiping: &decoded)
  }
}
