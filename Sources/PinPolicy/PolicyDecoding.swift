import StrictJSON

extension Policy {
  /// Reads the policy in a payload whose signature was checked.
  ///
  /// Judged in this order: JSON and its limits, `version`, everything else in the order of the
  /// document, what is missing, the audience, and that the window holds a time at all.
  /// - Parameters:
  ///   - audience: Who the policy must be for, compared byte for byte; nil leaves that unchecked.
  ///   - limits: What to spend on it.
  /// - Throws: ``PolicyDecodingError`` of category `payload`, `limit`, `audience` or `time`.
  public init(
    decoding payload: VerifiedPayload, audience: String? = nil, limits: Limits = .standard
  ) throws(PolicyDecodingError) {
    self = try Policy.decode(
      payload.bytes, profile: payload.profile, audience: audience, limits: limits)
  }

  fileprivate static func decode(
    _ bytes: [UInt8], profile: Profile, audience: String?, limits: Limits
  ) throws(PolicyDecodingError) -> Policy {
    let policy = try read(bytes, profile: profile, limits: limits)
    if let audience {
      guard let found = policy.audience, found.utf8.elementsEqual(audience.utf8) else {
        throw PolicyDecodingError(
          reason: .audience(expected: audience, found: policy.audience),
          path: profile == .standard ? JSONPath.root.member("aud") : nil)
      }
    }
    guard policy.window.issuedAt < policy.window.expiresAt else {
      throw PolicyDecodingError(
        reason: .emptyWindow(policy.window), path: JSONPath.root.member("exp"))
    }
    return policy
  }

  private static func read(
    _ bytes: [UInt8], profile: Profile, limits: Limits
  ) throws(PolicyDecodingError) -> Policy {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes, limits: limits.json)
    } catch {
      throw PolicyDecodingError(error)
    }
    do throws(PolicyFault) {
      switch profile {
      case .standard:
        var reader = PolicyReader(document, limits: limits, dialect: StandardDialect())
        return try reader.policy()
      case .cnpinning:
        var reader = PolicyReader(document, limits: limits, dialect: CNPinningDialect())
        return try reader.policy()
      }
    } catch {
      throw PolicyDecodingError(error, in: document)
    }
  }
}

/// A policy in a payload that nobody vouches for: to be looked at, never to be enforced.
public struct UnverifiedPolicy: Sendable {
  /// What the payload says.
  public let policy: Policy

  /// Reads a payload as ``Policy/init(decoding:audience:limits:)`` does.
  public init(
    decoding bytes: [UInt8], profile: Profile, limits: Limits = .standard
  ) throws(PolicyDecodingError) {
    policy = try Policy.decode(bytes, profile: profile, audience: nil, limits: limits)
  }
}
