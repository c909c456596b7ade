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
    if let numbers = PublicKeyNumbers(spki: bytes), let key = unsafe numbers.makeKey() {
      try unsafe self.init(adopting: key, spki: bytes)
      return
    }
    try self.init(spki: bytes)
    // libcrypto reads BER too, and bytes behind the numbers inside the BIT STRING.
    let encoded = try unsafe withPointer { key throws(KeyError) in unsafe try Self.encode(key) }
    guard encoded == bytes else { throw KeyError.notDER }
  }

  /// Makes an RSA key of its numbers, without leading zeros or with.
  package convenience init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyError) {
    try self.init(.rsa(modulus: modulus, exponent: exponent))
  }

  /// Makes an EC key of its point's coordinates, each of the curve's length.
  ///
  /// - Throws: ``KeyError/pointNotOnCurve``.
  package convenience init(
    curve: SignatureAlgorithm.Curve, x: [UInt8], y: [UInt8]
  ) throws(KeyError) {
    do { try self.init(.ec(curve, x: x, y: y)) } catch KeyError.unreadable {
      // All else is as it should be.
      throw KeyError.pointNotOnCurve
    }
  }

  /// Makes an Edwards-curve key of its encoded point.
  package convenience init(curve: EdwardsCurve, point: [UInt8]) throws(KeyError) {
    try self.init(spki: PublicKeyNumbers.edwards(curve, point: point).spki ?? [])
  }

  private convenience init(_ numbers: PublicKeyNumbers) throws(KeyError) {
    OpenSSLError.clear()
    guard let spki = numbers.spki, let key = unsafe numbers.makeKey() else {
      throw KeyError.unreadable(OpenSSLError.drained())
    }
    try unsafe self.init(adopting: key, spki: spki)
  }
}
