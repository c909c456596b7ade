extension PrivateKey {
  /// The key pair as a JWK (RFC 7517): one line of JSON, its `kid` the thumbprint. It is not
  /// encrypted; a JWK can't be without another format around it.
  ///
  /// - Throws: ``KeyError/unfitKind(_:)`` for a key that is neither RSA nor on P-256, P-384 or P-521.
  public func jwk() throws(KeyError) -> SecretBytes {
    var text = Text()
    switch publicKey.numbers {
    case .rsa:
      text.add("kty", "RSA".utf8)
      for number in RSANumber.allCases {
        text.addEncoded(number.rawValue, try secret(number.parameter))
      }
    case .ec(let curve, let x, let y):
      text.add("kty", "EC".utf8)
      text.add("crv", curve.rawValue.utf8)
      text.addEncoded("x", SecretBytes(copying: x))
      text.addEncoded("y", SecretBytes(copying: y))
      // RFC 7518 §6.2.2.1: as long as the curve's order.
      text.addEncoded("d", try secret("priv", byteCount: curve.coordinateBytes))
    case .edwards, .other: throw .unfitKind(publicKey.kind)
    }
    if let thumbprint = publicKey.thumbprint { text.add("kid", thumbprint.utf8) }
    return text.finish()
  }

  private func secret(_ name: String, byteCount: Int? = nil) throws(KeyError) -> SecretBytes {
    OpenSSLError.clear()
    return try unsafe withPointer { key throws(KeyError) in
      guard let number = unsafe SecretNumber(name, of: key),
        let bytes = number.bytes(byteCount: byteCount)
      else { throw .openSSL(.drained()) }
      return bytes
    }
  }
}

/// The text of a JSON object whose names and values need no escapes.
private struct Text {
  // Room for RSA keys of `KeyLimits.rsaBits`: growing would leave copies behind.
  private var bytes: [UInt8] = {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(KeyLimits.rsaBits / 8 * 8)
    return bytes
  }()

  mutating func add(_ name: String, _ value: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
    bytes += "\"\(name)\":\"".utf8
    bytes += value
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func addEncoded(_ name: String, _ value: SecretBytes) {
    var encoded = value.withSpan { span in
      unsafe span.withUnsafeBufferPointer { unsafe Base64URL.encode($0) }
    }
    add(name, encoded)
    SecretBytes.wipe(&encoded)
  }

  consuming func finish() -> SecretBytes {
    bytes.append(UInt8(ascii: "}"))
    return SecretBytes(wiping: &bytes)
  }
}
