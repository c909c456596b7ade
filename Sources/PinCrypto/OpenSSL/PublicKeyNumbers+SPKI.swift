internal import COpenSSL

extension PublicKeyNumbers {
  /// Takes apart the DER of an RSA key, or of an EC key on a named curve with its point uncompressed.
  ///
  /// libcrypto's own decoder reads many formats and costs four times a whole verification to set
  /// up, and it reads BER and trailing bytes. This reads what ``spki`` writes and nothing else.
  /// - Returns: nil for any other bytes, which may still be a key.
  init?(spki bytes: [UInt8]) {
    guard let numbers = Self.read(bytes.span), numbers.spki == bytes else { return nil }
    self = numbers
  }

  private static func read(_ bytes: Span<UInt8>) -> PublicKeyNumbers? {
    guard let whole = DERElement(at: 0, in: bytes) else { return nil }
    let parts = whole.children(in: bytes, atMost: 2)
    guard parts.count == 2, parts[1].tag == 0x03, parts[1].contents.count > 2 else { return nil }
    // The first byte of a BIT STRING counts its unused bits.
    let key = (parts[1].contents.lowerBound + 1)..<parts[1].contents.upperBound
    if bytes[key.lowerBound] == 0x04 {
      guard
        let curve = SignatureAlgorithm.Curve.allCases.first(where: {
          $0.coordinateBytes * 2 + 1 == key.count
        })
      else { return nil }
      let middle = key.lowerBound + 1 + curve.coordinateBytes
      return .ec(
        curve, x: copy(bytes, (key.lowerBound + 1)..<middle),
        y: copy(bytes, middle..<key.upperBound))
    }
    guard let pair = DERElement(at: key.lowerBound, in: bytes) else { return nil }
    let integers = pair.children(in: bytes, atMost: 2)
    guard integers.count == 2 else { return nil }
    return .rsa(
      modulus: copy(bytes, integers[0].contents), exponent: copy(bytes, integers[1].contents)
    ).withoutLeadingZeros
  }

  private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    range.map { bytes[$0] }
  }

  private var withoutLeadingZeros: PublicKeyNumbers {
    guard case .rsa(let modulus, let exponent) = self else { return self }
    return .rsa(
      modulus: Array(modulus.drop { $0 == 0 }), exponent: Array(exponent.drop { $0 == 0 }))
  }

  /// The SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7); nil for ``other``.
  var spki: [UInt8]? {
    switch self {
    case .rsa(let modulus, let exponent):
      // RFC 8017 appendix A.1: rsaEncryption, parameters NULL.
      let algorithm: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
      ]
      let key = DER.sequence(DER.integer(modulus), DER.integer(exponent))
      return DER.sequence(algorithm, DER.element(0x03, [0] + key))
    case .ec(let curve, let x, let y):
      // RFC 5480 §2.1.1 and §2.2: id-ecPublicKey, a named curve, an uncompressed point.
      let identifier: [UInt8] = [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
      let name: [UInt8] =
        switch curve {
        case .p256: [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        case .p384: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23]
        }
      return DER.sequence(
        DER.sequence(identifier, name), DER.element(0x03, [0x00, 0x04] + x + y))
    case .edwards(let curve, let point):
      // RFC 8410 §4.
      let identifier: [UInt8] =
        switch curve {
        case .ed25519: [0x06, 0x03, 0x2b, 0x65, 0x70]
        case .ed448: [0x06, 0x03, 0x2b, 0x65, 0x71]
        }
      return DER.sequence(DER.sequence(identifier), DER.element(0x03, [0x00] + point))
    case .other: return nil
    }
  }

  /// Hands the numbers to libcrypto.
  ///
  /// - Returns: an `EVP_PKEY` for the caller to adopt; nil for ``other``, an Edwards key, a point
  ///   that is not on its curve, and whatever else libcrypto refuses.
  @unsafe
  func makeKey() -> OpaquePointer? {
    do throws(KeyError) {
      var material = try KeyMaterial()
      switch self {
      case .rsa(let modulus, let exponent):
        try material.add(OSSL_PKEY_PARAM_RSA_N, number: SecretBytes(copying: modulus))
        try material.add(OSSL_PKEY_PARAM_RSA_E, number: SecretBytes(copying: exponent))
        return unsafe try material.key(type: "RSA", withPrivateHalf: false)
      case .ec(let curve, let x, let y):
        try material.add(OSSL_PKEY_PARAM_GROUP_NAME, text: curve.groupName)
        try material.add(OSSL_PKEY_PARAM_PUB_KEY, octets: [0x04] + x + y)
        return unsafe try material.key(type: "EC", withPrivateHalf: false)
      case .edwards, .other: return nil
      }
    } catch { return nil }
  }
}
