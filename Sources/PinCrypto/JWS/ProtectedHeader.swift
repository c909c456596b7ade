package import PinPolicy
internal import StrictJSON

/// What the protected header may say: how the policy is signed, and perhaps by which key.
package struct ProtectedHeader: Equatable, Sendable {
  package let algorithm: SignatureAlgorithm
  package let profile: Profile
  /// `kid`: opaque text that names a key and is one nowhere else.
  package let keyIdentifier: String?

  /// Judges a decoded header: step 3 of a policy's verification.
  ///
  /// - Throws: the ``JWSError`` of category `header` (or `limit`) for the first fault.
  package init(
    decoding bytes: [UInt8], accepting profiles: Set<Profile>, limits: Limits = .standard
  ) throws(JWSError) {
    let document = try Self.document(bytes, limits)
    guard document.kind(of: document.root) == .object else { throw .headerNotObject }
    var algorithm: JSONDocument.Node?
    var type: JSONDocument.Node?
    var identifier: JSONDocument.Node?
    var cursor = document.cursor(in: document.root)
    while let name = document.next(&cursor) {
      let value = document.value(of: name)
      if document.matches(name, "alg") {
        algorithm = value
      } else if document.matches(name, "typ") {
        type = value
      } else if document.matches(name, "kid") {
        identifier = value
      } else {
        // RFC 7515 §4.1.11: what `crit` names must be understood, and nothing is. Keys that the
        // message brings along (jwk, jku, x5u, x5c) would make anyone a signer.
        let place = document.position(of: name)
        throw .unknownHeaderMember(line: place.line, column: place.column)
      }
    }
    guard let type else { throw .missingHeaderMember(.typ) }
    guard let algorithm else { throw .missingHeaderMember(.alg) }
    let typeText = try Self.text(type, .typ, document)
    let token = try Self.text(algorithm, .alg, document)
    keyIdentifier = if let identifier { try Self.text(identifier, .kid, document) } else { nil }

    // RFC 8725 §3.11: the explicit type keeps a token of another kind from passing for a policy.
    guard let profile = Profile.allCases.first(where: { $0.type == typeText }) else {
      throw .unknownType(typeText)
    }
    guard profiles.contains(profile) else { throw .profileNotAccepted(profile) }
    guard let known = SignatureAlgorithm(token: token, profile: profile) else {
      throw .unknownAlgorithm(token, profile)
    }
    self.profile = profile
    self.algorithm = known
  }

  private static func document(
    _ bytes: [UInt8], _ limits: Limits
  ) throws(JWSError) -> JSONDocument {
    var json = limits.json
    json.bytes = limits.headerBytes
    do {
      return try JSONDocument(parsing: bytes, limits: json)
    } catch {
      if case .duplicateMember = error.reason {
        throw .duplicateHeaderMember(line: error.line, column: error.column)
      }
      throw .headerJSON(
        JSONError(
          reason: error.reason, byteOffset: error.byteOffset, line: error.line,
          column: error.column, path: nil))
    }
  }

  private static func text(
    _ value: JSONDocument.Node, _ member: JWSError.HeaderMember, _ document: JSONDocument
  ) throws(JWSError) -> String {
    guard document.kind(of: value) == .string else { throw .headerMemberNotText(member) }
    return document.string(value)
  }
}
