public import PinPolicy
public import StrictJSON

/// Everything in a source document that a profile cannot say.
public struct ProfileMisfits: Refusal, Equatable {
  /// In the order of members, then of rules; never empty.
  public let misfits: [ProfileMisfit]

  public var category: FailureCategory { .input }
  public var code: String { "profile-misfit" }

  /// The first places; ``misfits`` and ``detail`` have all.
  public var message: String {
    let shown = misfits.prefix(3).map(\.message).joined(separator: "; ")
    let more = misfits.count > 3 ? "; and \(misfits.count - 3) more" : ""
    return "the policy needs what profile cnpinning cannot say: \(shown)\(more)"
  }

  public var detail: [JSONMember] {
    [
      JSONMember(
        "misfits",
        .array(
          misfits.map { misfit in
            .object([
              JSONMember("path", .string(misfit.path.description)),
              JSONMember("reason", .string(misfit.kind.message)),
            ])
          }))
    ]
  }
}

/// One place in a source document that a profile cannot say.
public struct ProfileMisfit: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A member of the document that changes what clients do.
    case member
    case mode, subdomains, digests, anyLink
    /// A host whose name is a registered claim there.
    case reservedName

    fileprivate var message: String {
      switch self {
      case .member: "clients refuse a policy with this member"
      case .mode: "every rule is enforced"
      case .subdomains: "a rule is for one host"
      case .digests: "there are no pins of keys, only chains of names"
      case .anyLink: "every link has a value"
      case .reservedName: "a host cannot have the name of a registered claim"
      }
    }
  }

  /// Host keys as written.
  public let path: JSONPath
  public let kind: Kind

  /// The place and what does not fit, in one line.
  public var message: String {
    "\(PrintableText.cut(PrintableText.escape(path.description))): \(kind.message)"
  }
}
