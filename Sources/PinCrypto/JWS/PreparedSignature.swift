/// A signature whose form has been judged: what libcrypto may see.
package struct PreparedSignature: Equatable, Sendable {
  /// ECDSA in DER, RSA as it is.
  package let bytes: [UInt8]
  /// The encoding that the signature has the shape of besides the expected one.
  private let otherEncoding: ECDSAEncoding?

  /// - Throws: ``JWSError/emptySignature``, ``JWSError/notDER``,
  ///   ``JWSError/notRaw(expectedBytes:)``, ``JWSError/otherECDSAEncoding(_:)``,
  ///   ``JWSError/numberOutOfRange``.
  package init(
    _ signature: [UInt8], algorithm: SignatureAlgorithm, ecdsa: ECDSAEncoding
  ) throws(JWSError) {
    guard !signature.isEmpty else { throw .emptySignature }
    guard case .ecdsa(let curve) = algorithm.scheme else {
      bytes = signature
      otherEncoding = nil
      return
    }
    let other: ECDSAEncoding = ecdsa == .der ? .jose : .der
    let hasOtherShape = ECDSASignature.hasShape(of: other, signature, curve)
    do {
      let numbers = try ECDSASignature(signature, encoding: ecdsa, curve: curve)
      // Strict DER is what `der` would write: no need to write it again.
      bytes = ecdsa == .der ? signature : numbers.der
      otherEncoding = hasOtherShape ? other : nil
    } catch {
      throw hasOtherShape ? .otherECDSAEncoding(other) : error.jwsError
    }
  }

  /// Why the signature, in good form, was not accepted.
  func refusal(keys: [String]) -> JWSError {
    if let otherEncoding { .otherECDSAEncoding(otherEncoding) } else { .badSignature(keys: keys) }
  }
}

extension ECDSASignature.Fault {
  package var jwsError: JWSError {
    switch self {
    case .notDER: .notDER
    case .wrongLength(let expected): .notRaw(expectedBytes: expected)
    case .outOfRange: .numberOutOfRange
    }
  }
}

extension PublicKey {
  /// Checks a signature and nothing else: no header, no profile, no fitness of the key.
  ///
  /// - Throws: ``JWSError/keyNotForAlgorithm(_:_:allowed:)`` and the errors of category
  ///   `signature`.
  package func verify(
    _ signature: [UInt8], over input: [UInt8], algorithm: SignatureAlgorithm,
    ecdsa: ECDSAEncoding = .der
  ) throws(JWSError) {
    let identifier = thumbprint ?? kind.description
    guard supportedAlgorithms.contains(algorithm) else {
      throw .keyNotForAlgorithm(identifier, algorithm, allowed: supportedAlgorithms)
    }
    let prepared = try PreparedSignature(signature, algorithm: algorithm, ecdsa: ecdsa)
    let accepted: Bool
    do throws(OpenSSLError) {
      accepted = try SignatureContext(key: self, algorithm: algorithm)
        .accepts(prepared, over: input[...])
    } catch {
      throw .openSSL(error)
    }
    guard accepted else { throw prepared.refusal(keys: [identifier]) }
  }
}
