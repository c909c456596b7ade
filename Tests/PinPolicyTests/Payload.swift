import PinPolicy
import StrictJSON
import Testing

/// Payloads for tests, of which one member at a time is wrong.
enum Payload {
  static let pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
  /// A list of one pin.
  static let pins = "[\"\(pin)\"]"
  static let spki = "\"spki\": {\"any\": \(pins)}"
  static let chain = "[{\"type\": \"exact\", \"value\": \"CA\"}]"

  /// A payload of profile `standard`; a nil leaves its member out.
  static func standard(
    version: String? = "1", aud: String? = "\"a\"", iat: String? = "1", exp: String? = "2",
    hosts: String? = "{}", more: String? = nil
  ) -> String {
    let members = [
      version.map { "\"version\": " + $0 }, aud.map { "\"aud\": " + $0 },
      iat.map { "\"iat\": " + $0 }, exp.map { "\"exp\": " + $0 },
      hosts.map { "\"hosts\": " + $0 }, more,
    ]
    return "{" + members.compactMap { $0 }.joined(separator: ", ") + "}"
  }

  /// A payload with one rule, for `h.example`.
  static func rule(_ members: String) -> String {
    standard(hosts: "{\"h.example\": {\(members)}}")
  }

  /// A payload with one chain, for `h.example`.
  static func chain(_ links: String) -> String { rule("\"chains\": [[\(links)]]") }

  /// A payload of profile `cnpinning`.
  static func cnpinning(_ hosts: String, iat: String? = "1", exp: String? = "2") -> String {
    let members = [
      iat.map { "\"iat\": " + $0 }, exp.map { "\"exp\": " + $0 }, hosts.isEmpty ? nil : hosts,
    ]
    return "{" + members.compactMap { $0 }.joined(separator: ", ") + "}"
  }

  static func decode(
    _ text: String, profile: Profile = .standard, audience: String? = nil,
    limits: Limits = .standard
  ) throws(PolicyDecodingError) -> Policy {
    try Policy(
      decoding: VerifiedPayload(
        bytes: Array(text.utf8), profile: profile, algorithm: "ES256", keyIdentifier: "k",
        issuedBefore: nil),
      audience: audience, limits: limits)
  }

  /// Expects a refusal with this very reason at this very path.
  static func expectRefusal(
    _ text: String, profile: Profile = .standard, _ reason: PolicyDecodingError.Reason,
    at path: String, limits: Limits = .standard, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try decode(text, profile: profile, limits: limits)
      Issue.record("taken: \(text.prefix(300))", sourceLocation: sourceLocation)
    } catch {
      #expect(error.reason == reason, sourceLocation: sourceLocation)
      #expect(error.path?.description == path, sourceLocation: sourceLocation)
    }
  }
}
