public import StrictJSON

/// The kind of a failure, the same for library, command line and scripts.
public enum FailureCategory: String, Sendable, CaseIterable {
  case limit, encoding, header, key, signature, payload, audience, time, rollback
  case usage, input, network, trust, pin, lint
  case `internal`
}

/// An error that can be shown to a person and switched on by a program.
public protocol Refusal: Error, Sendable {
  var category: FailureCategory { get }
  /// The reason's name in kebab case, stable across releases: `unknown-key`.
  var code: String { get }
  /// What failed and what to do, in a sentence or two. Text from a message is escaped and cut.
  var message: String { get }
  /// The values behind ``message``, whole: `path`, `line`, `column`, `canonical`, ….
  var detail: [JSONMember] { get }
}
