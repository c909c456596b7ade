/// The half-open interval `[iat, exp)` in which a policy is in force.
///
/// Whole seconds since 1970-01-01T00:00:00Z, 0 … 253402300799.
public struct ValidityWindow: Hashable, Sendable {
  public let issuedAt: Int64
  public let expiresAt: Int64

  /// The last second of the year 9999, which also catches milliseconds.
  public static let latestTime: Int64 = 253_402_300_799

  /// The times that a policy may name.
  package static let times = 0...latestTime

  /// - Precondition: none; a window with `issuedAt >= expiresAt` contains no time.
  public init(issuedAt: Int64, expiresAt: Int64) {
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  public func contains(_ time: Int64) -> Bool { issuedAt <= time && time < expiresAt }
}
