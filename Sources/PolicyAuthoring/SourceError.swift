public import PinPolicy
public import StrictJSON

/// Why a source document is bad, and where in it.
public struct SourceError: Refusal, Equatable {
  public enum Reason: Equatable, Sendable {
    /// A rule that holds for payloads too, or the text is no JSON.
    case rule(PolicyDecodingError.Reason)
    /// A key of `hosts` that is no host, before conversion or after.
    case host(HostAuthoringError)
    /// A name of a pin or set that is not 1 to 64 of `a-z A-Z 0-9 . _ -`.
    case badName
    /// A pin and a set have one name, so that `"@name"` would mean two things.
    case sameName
    /// A set that stands for itself, by whatever way round.
    case cyclicName(String)
    /// Names that stand for more pins than a signed policy within the limits can hold.
    case expansionTooLarge(most: Int)
    /// An accepted finding names a host that is none of `hosts`.
    case hostWithoutRule
    /// An accepted finding without a word on what or why.
    case emptyText
  }

  public let reason: Reason
  /// Where, with host keys as written; for a missing member the path that it would have.
  public let path: JSONPath?
  /// Where in the text, from 1, in lines and Unicode scalars.
  public let line: Int
  public let column: Int

  public init(reason: Reason, path: JSONPath?, line: Int, column: Int) {
    self.reason = reason
    self.path = path
    self.line = line
    self.column = column
  }

  init(_ error: JSONError) {
    self.init(
      reason: .rule(.json(error.reason)), path: error.path, line: error.line, column: error.column)
  }

  init(_ fault: SourceFault, in document: JSONDocument) {
    let path = document.path(to: fault.node)
    let position = document.position(of: fault.node)
    self.init(
      reason: fault.reason, path: fault.missing.map { path.member($0) } ?? path,
      line: position.line, column: position.column)
  }

  public var category: FailureCategory {
    switch reason {
    case .rule: asPayload?.category == .limit ? .limit : .input
    case .expansionTooLarge: .limit
    case .host, .badName, .sameName, .cyclicName, .hostWithoutRule, .emptyText: .input
    }
  }

  public var code: String {
    switch reason {
    case .rule: asPayload?.code ?? ""
    case .host(let error): error.code
    case .badName: "bad-name"
    case .sameName: "same-name"
    case .cyclicName: "cyclic-name"
    case .expansionTooLarge: "too-many-pins"
    case .hostWithoutRule: "host-without-rule"
    case .emptyText: "empty-text"
    }
  }

  public var message: String {
    let place = path.map { PrintableText.cut(PrintableText.escape($0.description)) + ": " } ?? ""
    return "line \(line), column \(column): \(place)\(reason.message)"
  }

  public var detail: [JSONMember] {
    if let asPayload { return asPayload.detail }
    var detail = [
      JSONMember("line", .integer(Int64(line))), JSONMember("column", .integer(Int64(column))),
    ]
    if let path { detail.insert(JSONMember("path", .string(path.description)), at: 0) }
    switch reason {
    case .host(let error): detail += error.detail
    case .cyclicName(let name): detail.append(JSONMember("name", .string(name)))
    case .expansionTooLarge(let most): detail.append(JSONMember("limit", .integer(Int64(most))))
    case .rule, .badName, .sameName, .hostWithoutRule, .emptyText: break
    }
    return detail
  }

  /// The same fault in a payload, where there is such a one.
  private var asPayload: PolicyDecodingError? {
    guard case .rule(let reason) = reason else { return nil }
    return PolicyDecodingError(reason: reason, path: path, line: line, column: column)
  }
}

extension SourceError.Reason {
  fileprivate var message: String {
    switch self {
    case .rule(let reason): reason.message
    case .host(let error): error.message
    case .badName: "a name of a pin or set has 1 to 64 of a-z A-Z 0-9 . _ -"
    case .sameName: "a pin has this name already: rename one of the two, and what refers to it"
    case .cyclicName(let name):
      "the set \(PrintableText.quoted(name)) stands for itself: take one of the names on the way out"
    case .expansionTooLarge(let most):
      "names stand for more than \(most) pins in all, which no signed policy can hold: write fewer "
        + "rules, or shorter sets"
    case .hostWithoutRule: "no rule is for this host: write one of hosts, or leave host out"
    case .emptyText: "say which finding is accepted, and why"
    }
  }
}

/// A broken rule and the node that breaks it, from which ``SourceError`` finds the place.
struct SourceFault: Error {
  let reason: SourceError.Reason
  let node: JSONDocument.Node
  /// The member that the node lacks.
  let missing: String?

  init(_ reason: SourceError.Reason, at node: JSONDocument.Node) {
    self.reason = reason
    self.node = node
    self.missing = nil
  }

  init(_ fault: PolicyFault) {
    self.reason = .rule(fault.reason)
    self.node = fault.node
    self.missing = fault.missing
  }
}
