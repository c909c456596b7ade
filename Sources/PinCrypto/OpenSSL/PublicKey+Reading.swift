extension PublicKey {
  /// Reads the PEM of a trusted key: exactly one `PUBLIC KEY` block (RFC 7468 §13).
  ///
  /// - Throws: ``KeyError/notOnePEMBlock(found:)``, ``KeyError/notPublicKeyPEM(label:)`` with a
  ///   hint for private keys, PKCS#1 and certificates, ``KeyError/file(_:)`` for PEM that is broken,
  ///   ``KeyError/unreadable(_:)``, ``KeyError/trailingBytes``, ``KeyError/notDER``.
  public convenience init(trustedPEM text: [UInt8]) throws(KeyError) {
    let blocks = try PEMBlock.all(in: SecretBytes(copying: text))
    // The label of the first block helps more than the count: a certificate chain, a key pair.
    if let other = blocks.first(where: { $0.label != "PUBLIC KEY" }) {
      throw KeyError.notPublicKeyPEM(label: other.label)
    }
    guard blocks.count == 1, let block = blocks.first, block.headers.isEmpty else {
      throw KeyError.notOnePEMBlock(found: blocks.count)
    }
    try self.init(trustedDER: block.contents.copied())
  }

  /// Reads a SubjectPublicKeyInfo in DER and nothing after it.
  ///
  /// - Throws: ``KeyError/unreadable(_:)``, ``KeyError/trailingBytes``, ``KeyError/notDER``.
  public convenience init(trustedDER bytes: [UInt8]) throws(KeyError) {
    try self.init(spki: bytes)
    // libcrypto reads BER too, and bytes behind the numbers inside the BIT STRING.
    let encoded = try unsafe withPointer { key throws(KeyError) in unsafe try Self.encode(key) }
    guard encoded == bytes else { throw KeyError.notDER }
  }

  /// Makes an RSA key of its numbers, without leading zeros or with.
  package convenience init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyError) {
    let key = DER.sequence(DER.integer(modulus), DER.integer(exponent))
    // RFC 8017 appendix A.1: rsaEncryption, parameters NULL.
    let algorithm: [UInt8] = [
      0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    try self.init(spki: DER.sequence(algorithm, DER.element(0x03, [0] + key)))
  }

  /// Makes an EC key of its point's coordinates, each of the curve's length.
  ///
  /// - Throws: ``KeyError/pointNotOnCurve``.
  package convenience init(
    curve: SignatureAlgorithm.Curve, x: [UInt8], y: [UInt8]
  ) throws(KeyError) {
    // RFC 5480 §2.1.1 and §2.2: id-ecPublicKey, a named curve, an uncompressed point.
    let identifier: [UInt8] = [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
    let name: [UInt8] =
      switch curve {
      case .p256: [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
      case .p384: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22]
      case .p521: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23]
      }
    let point = DER.element(0x03, [0x00, 0x04] + x + y)
    do {
      try self.init(spki: DER.sequence(DER.sequence(identifier, name), point))
    } catch KeyError.unreadable {
      // All else is as it should be; libcrypto does not say which part it did not like.
      throw KeyError.pointNotOnCurve
    }
  }

  /// Makes an Edwards-curve key of its encoded point (RFC 8410 §4).
  package convenience init(curve: EdwardsCurve, point: [UInt8]) throws(KeyError) {
    let identifier: [UInt8] =
      switch curve {
      case .ed25519: [0x06, 0x03, 0x2b, 0x65, 0x70]
      case .ed448: [0x06, 0x03, 0x2b, 0x65, 0x71]
      }
    try self.init(
      spki: DER.sequence(DER.sequence(identifier), DER.element(0x03, [0x00] + point)))
  }
}
