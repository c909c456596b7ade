package import PinPolicy
package import StrictJSON

/// A JSON Web Key (RFC 7517), parsed, its members still to be judged.
package struct JWK: Sendable {
  let document: JSONDocument
  let object: JSONDocument.Node

  /// - Throws: ``KeyError/json(_:)``, also for a member that stands twice (RFC 7517 §4).
  package init(parsing bytes: [UInt8], limits: Limits = .standard) throws(KeyError) {
    let document = try Self.document(bytes, limits)
    self.init(document, document.root)
  }

  package init(_ document: JSONDocument, _ object: JSONDocument.Node) {
    self.document = document
    self.object = object
  }

  package static func document(
    _ bytes: [UInt8], _ limits: Limits
  ) throws(KeyError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: bytes, limits: limits.json)
    } catch {
      throw .json(error)
    }
  }

  // MARK: Members

  package func has(_ name: String) -> Bool { document.member(name, of: object) != nil }

  package func text(_ name: String) throws(KeyError) -> String? {
    guard let value = document.member(name, of: object) else { return nil }
    guard document.kind(of: value) == .string else { throw .jwk(member: name, .wrongType) }
    return document.string(value)
  }

  package func texts(_ name: String) throws(KeyError) -> [String]? {
    guard let value = document.member(name, of: object) else { return nil }
    guard document.kind(of: value) == .array else { throw .jwk(member: name, .wrongType) }
    var texts: [String] = []
    for element in document.elements(of: value) {
      guard document.kind(of: element) == .string else { throw .jwk(member: name, .wrongType) }
      texts.append(document.string(element))
    }
    return texts
  }

  /// A Base64urlUInt (RFC 7518 §2) that must be there.
  package func bytes(_ name: String) throws(KeyError) -> [UInt8] {
    guard let text = try text(name) else { throw .jwk(member: name, .missing) }
    guard let bytes = Base64URL.decode(text) else { throw .jwk(member: name, .notBase64URL) }
    return bytes
  }

  // MARK: Keys

  package var keyType: String {
    get throws(KeyError) {
      guard document.kind(of: object) == .object else { throw .jwk(member: "kty", .missing) }
      guard let type = try text("kty") else { throw .jwk(member: "kty", .missing) }
      return type
    }
  }

  /// The public key that `kty` and its members spell (RFC 7518 §6.2.1, §6.3.1, RFC 8037 §2).
  ///
  /// - Throws: ``KeyError/jwk(member:_:)``, ``KeyError/rsaSize(bits:)``,
  ///   ``KeyError/pointNotOnCurve``.
  package func publicKey() throws(KeyError) -> PublicKey {
    switch try keyType {
    case "EC":
      guard let name = try text("crv") else { throw .jwk(member: "crv", .missing) }
      guard let curve = SignatureAlgorithm.Curve(rawValue: name) else {
        throw .jwk(member: "crv", .unsupported)
      }
      return try PublicKey(
        curve: curve, x: coordinate("x", curve), y: coordinate("y", curve))
    case "RSA":
      let modulus = try number("n")
      // libcrypto would read it; the fitness check refuses it; DER lengths here end before that.
      guard modulus.count <= 8192 / 8 else { throw .rsaSize(bits: modulus.count * 8) }
      let exponent = try number("e")
      guard exponent.count <= modulus.count else { throw .rsaExponent }
      return try PublicKey(rsaModulus: modulus, exponent: exponent)
    case "OKP":
      guard let name = try text("crv") else { throw .jwk(member: "crv", .missing) }
      guard let curve = EdwardsCurve(rawValue: name) else {
        throw .jwk(member: "crv", .unsupported)
      }
      let point = try bytes("x")
      guard point.count == curve.keyBytes else {
        throw .jwk(member: "x", .wrongLength(expectedBytes: curve.keyBytes))
      }
      return try PublicKey(curve: curve, point: point)
    default:
      throw .jwk(member: "kty", .unsupported)
    }
  }

  /// RFC 7518 §6.2.1.2: the full length of a coordinate, also when it begins with zeros.
  func coordinate(
    _ name: String, _ curve: SignatureAlgorithm.Curve
  ) throws(KeyError) -> [UInt8] {
    let bytes = try bytes(name)
    guard bytes.count == curve.coordinateBytes else {
      throw .jwk(member: name, .wrongLength(expectedBytes: curve.coordinateBytes))
    }
    return bytes
  }

  /// RFC 7518 §6.3.1.1: the fewest bytes that represent the number.
  func number(_ name: String) throws(KeyError) -> [UInt8] {
    let bytes = try bytes(name)
    guard let first = bytes.first else { throw .jwk(member: name, .missing) }
    guard first != 0 else { throw .jwk(member: name, .leadingZeros) }
    return bytes
  }
}
