public import PinPolicy
import StrictJSON

/// A finding of lint that a source document accepts: an entry of `lint`.
public struct AcceptedFinding: Hashable, Sendable {
  /// The code of the finding: `cn-only`.
  public let code: String
  /// The rule it is accepted for; nil for the whole document.
  public let pattern: HostPattern?
  public let reason: String

  /// Reads the member `lint`; hosts may be spelt as the keys of `hosts` may.
  ///
  /// A host must be one of `hosts`, or `*`, which documents without such a rule may name too. That
  /// is judged when every entry is known to be whole.
  static func read(
    from document: JSONDocument, rules: [HostRule]
  ) throws(SourceFault) -> [AcceptedFinding] {
    guard let list = document.member("lint", of: document.root) else { return [] }
    try document.require(.array, at: list)
    guard document.count(of: list) > 0 else { throw SourceFault(.rule(.emptyList), at: list) }
    var findings: [AcceptedFinding] = []
    for entry in document.elements(of: list) {
      findings.append(try Self.entry(entry, of: document))
    }

    let patterns = Set(rules.map(\.pattern)).union([.wildcard])
    for (entry, finding) in zip(document.elements(of: list), findings) {
      guard let pattern = finding.pattern, !patterns.contains(pattern) else { continue }
      throw SourceFault(.hostWithoutRule, at: document.member("host", of: entry) ?? entry)
    }
    return findings
  }

  private static func entry(
    _ entry: JSONDocument.Node, of document: JSONDocument
  ) throws(SourceFault) -> AcceptedFinding {
    try document.require(.object, at: entry)
    var code: String?
    var reason: String?
    var pattern: HostPattern?
    for (name, value) in document.members(of: entry) {
      if document.matches(name, "allow") {
        code = try text(value, of: document)
      } else if document.matches(name, "reason") {
        reason = try text(value, of: document)
      } else if document.matches(name, "host") {
        pattern = try Self.pattern(value, of: document)
      } else {
        throw SourceFault(.rule(.unknownMember), at: name)
      }
    }
    guard let code else { throw SourceFault(.missing("allow", in: entry)) }
    guard let reason else { throw SourceFault(.missing("reason", in: entry)) }
    return AcceptedFinding(code: code, pattern: pattern, reason: reason)
  }

  private static func text(
    _ value: JSONDocument.Node, of document: JSONDocument
  ) throws(SourceFault) -> String {
    try document.require(.string, at: value)
    let text = document.string(value)
    guard !text.isEmpty else { throw SourceFault(.emptyText, at: value) }
    return text
  }

  private static func pattern(
    _ value: JSONDocument.Node, of document: JSONDocument
  ) throws(SourceFault) -> HostPattern {
    try document.require(.string, at: value)
    let text = document.string(value)
    do throws(HostAuthoringError) {
      return text == "*" ? .wildcard : .host(try HostName(sourceKey: text))
    } catch {
      throw SourceFault(.host(error), at: value)
    }
  }
}
