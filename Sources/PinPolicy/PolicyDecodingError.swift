public import StrictJSON

/// Why a payload is no policy, and where in it.
///
/// Source documents are read by the same rules and refused for the same reasons.
public struct PolicyDecodingError: Error, Equatable {
  /// What is wrong, a case for each rule.
  public enum Reason: Equatable, Sendable {
    /// The text is no JSON, or exceeds a limit of JSON.
    case json(JSONError.Reason)
    /// `version` is not the integer 1; carries the integer where it is one.
    case version(Int64?)
    case missingMember
    /// A member that the format does not name: to ignore it might loosen a pin.
    case unknownMember
    /// A member that the format names, in a place where it means nothing.
    case notAllowed(Misplacement)
    case wrongType(expected: Kind)
    /// A string that is none of the words that may stand here.
    case unknownWord(allowed: [String])
    /// Not the literal `0` or `[1-9][0-9]*`, or outside the range.
    case number(ClosedRange<Int64>)
    /// Not 1 to 255 visible ASCII characters.
    case identifier
    /// A list, or `spki`, with nothing in it.
    case emptyList
    /// A link's value without characters would match every name.
    case emptyValue
    /// A rule of mode `enforce` or `report` without pins.
    case noPins
    /// A control character (Cc) or one of the Bidi_Control characters.
    case forbiddenCharacter(Unicode.Scalar)
    /// A text of more bytes of UTF-8 than it may have.
    case textTooLong(most: Int)
    case reportURL(ReportURLError)
    case repeatedURL
    case tooManyURLs(most: Int)
    case host(HostNameError)
    /// A host that an earlier key names too; carries where.
    case sameHost(JSONPath)
    /// A registered claim's name, which is no host in profile `cnpinning`.
    case reservedName
    case pin(SPKIPinError)
    /// `@name` in a source document that defines no such name.
    case unknownName(String)
    /// More of something than ``Limits`` grants.
    case limit(Countable, most: Int)
    /// The policy is for somebody else; `found` is nil in profile `cnpinning`, which has no audience.
    case audience(expected: String, found: String?)
    /// `iat` is not before `exp`: the policy is never in force.
    case emptyWindow(ValidityWindow)
  }

  /// Where a member means nothing.
  public enum Misplacement: String, Sendable {
    /// `includesSubdomains` on `*` or an IP address.
    case subdomainsOfNoName
    /// `chains`, `spki` or `require` in a rule of mode `exempt`.
    case pinsOfExempt
    /// `value` in a link of type `any`.
    case valueOfAny
    /// `version`, `iat` or `exp` in a source document: signing stamps them.
    case stampOfSource
  }

  /// The types of JSON values that may be expected.
  public enum Kind: String, Sendable {
    case object, array, string, number, boolean
  }

  /// What a limit counts.
  public enum Countable: String, Sendable {
    case hosts, chains, links, pins, characters
  }

  public let reason: Reason
  /// Where, with host keys as written; for a missing member the path that it would have.
  public let path: JSONPath?
  /// Where in the text, from 1, for what is no JSON.
  public let line: Int?
  public let column: Int?

  public init(reason: Reason, path: JSONPath?, line: Int? = nil, column: Int? = nil) {
    self.reason = reason
    self.path = path
    self.line = line
    self.column = column
  }

  package init(_ error: JSONError) {
    self.init(
      reason: .json(error.reason), path: error.path, line: error.line, column: error.column)
  }

  package init(_ fault: PolicyFault, in document: JSONDocument) {
    var path = document.path(to: fault.node)
    if let member = fault.missing { path = path.member(member) }
    self.init(reason: fault.reason, path: path)
  }
}

/// A broken rule and the node that breaks it: what a reader throws, small and without a path.
package struct PolicyFault: Error {
  package let reason: PolicyDecodingError.Reason
  package let node: JSONDocument.Node
  /// The member that the node lacks.
  package let missing: String?

  package init(
    _ reason: PolicyDecodingError.Reason, at node: JSONDocument.Node, missing: String? = nil
  ) {
    self.reason = reason
    self.node = node
    self.missing = missing
  }

  package static func missing(_ member: String, in node: JSONDocument.Node) -> PolicyFault {
    PolicyFault(.missingMember, at: node, missing: member)
  }
}
