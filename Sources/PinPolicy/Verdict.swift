/// What a policy says to a validated path.
///
/// Pins only add to trust evaluation: a path that fails trust has no verdict to hope for.
public enum Verdict: String, Sendable, CaseIterable {
  /// The path satisfies the pins of the rule.
  case accepted
  /// It does not, or every path holds a denied key.
  case rejected
  /// It does not, and the rule only reports.
  case reported
  /// The rule asks for no pins.
  case exempt
  /// No rule governs the host.
  case notPinned
}

/// A kind of pin, spelt as in `evaluate --json`.
public enum PinKind: String, Sendable, CaseIterable {
  case chains
  case any = "spki.any"
  case leaf = "spki.leaf"
  case ca = "spki.ca"
  case anchor = "spki.anchor"
}

/// A kind of pin that a path satisfies.
public struct SatisfiedKind: Equatable, Sendable {
  public let kind: PinKind
  /// The first entry of the kind's list that matches, from 0.
  public let index: Int
}

/// How the mode of a rule is read.
public enum ModeReading: Sendable {
  case asWritten
  /// A rule that reports counts as one that enforces: a rehearsal.
  case reportAsEnforce
  /// Every rule counts as one that enforces, and an exempt one, which has no pins, rejects: the
  /// service's own floor under what a policy may loosen.
  case alwaysEnforce

  /// What the mode counts as.
  func effective(_ mode: HostRule.Mode) -> HostRule.Mode {
    switch (self, mode) {
    case (.alwaysEnforce, _), (.reportAsEnforce, .report): .enforce
    default: mode
    }
  }
}
