import PinPolicy

/// A validity window and a clock, told to a person.
enum WindowText {
  /// `2026-01-01T00:00:00Z until 2026-01-08T00:00:00Z, 3 d 4 h left`.
  static func line(_ window: ValidityWindow, at now: Int64) -> Line {
    let times = "\(TimeText.text(of: window.issuedAt)) until \(TimeText.text(of: window.expiresAt))"
    switch state(of: window, at: now) {
    case .inForce(let left): return "\(times), \(length(left) + " left", .good)"
    case .notYet(let wait): return "\(times), \("only in " + length(wait), .bad)"
    case .expired(let age): return "\(times), \("expired \(length(age)) ago", .bad)"
    case .never: return "\(times), \("never in force", .bad)"
    }
  }

  /// Why the policy is not in force at a time, as the end of a sentence; nil when it is.
  static func fault(of window: ValidityWindow, at now: Int64) -> String? {
    switch state(of: window, at: now) {
    case .inForce: nil
    case .notYet(let wait):
      "is not in force before \(TimeText.text(of: window.issuedAt)), in \(length(wait))"
    case .expired(let age):
      "expired at \(TimeText.text(of: window.expiresAt)), \(length(age)) ago"
    case .never: "is never in force: its iat is not before its exp"
    }
  }

  /// The two largest units of a number of seconds: `3 d 4 h`.
  static func length(_ seconds: Int64) -> String {
    let units: [(name: String, seconds: Int64)] = [
      ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1),
    ]
    guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0 s" }
    var rest = seconds
    var parts: [String] = []
    for unit in units[first...].prefix(2) {
      if rest >= unit.seconds { parts.append("\(rest / unit.seconds) \(unit.name)") }
      rest %= unit.seconds
    }
    return parts.joined(separator: " ")
  }

  private enum State {
    case inForce(left: Int64)
    case notYet(wait: Int64)
    case expired(age: Int64)
    case never
  }

  // All times are between the years 1970 and 9999, so that no difference overflows.
  private static func state(of window: ValidityWindow, at now: Int64) -> State {
    if window.issuedAt >= window.expiresAt { return .never }
    if now < window.issuedAt { return .notYet(wait: window.issuedAt &- now) }
    if now >= window.expiresAt { return .expired(age: now &- window.expiresAt) }
    return .inForce(left: window.expiresAt &- now)
  }
}
