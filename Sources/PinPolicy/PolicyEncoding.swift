package import StrictJSON

extension Policy {
  /// The payload to sign, in the policy's profile: RFC 8785, members at their default left out,
  /// lists with their order and repeats.
  ///
  /// The same policy always gives the same bytes. In profile `cnpinning` only the chains and the
  /// window are written: whether a policy says more than that is judged before.
  /// - Parameter keepNotes: Whether notes, which only people read, are signed along.
  public func payloadBytes(keepNotes: Bool = false) -> [UInt8] {
    let members =
      switch profile {
      case .standard: standardMembers(keepNotes: keepNotes)
      case .cnpinning: window.members + rules.map(\.cnpinningMember)
      }
    return JSONWriter.bytes(.object(members), order: .canonical)
  }

  private func standardMembers(keepNotes: Bool) -> [JSONMember] {
    var members = [JSONMember("version", .integer(1))] + window.members
    members.append("aud", audience.map { .string($0) })
    members.append("iss", issuer.map { .string($0) })
    members.append("refreshHint", refreshHint.map { .integer($0) })
    members.append("reportTo", .strings(reportTo))
    members.append("denied", .strings(denied.map(\.description)))
    let hosts = rules.map {
      JSONMember($0.pattern.description, $0.standardValue(keepNote: keepNotes))
    }
    members.append("hosts", .object(hosts))
    return members
  }
}

extension ValidityWindow {
  fileprivate var members: [JSONMember] {
    [JSONMember("iat", .integer(issuedAt)), JSONMember("exp", .integer(expiresAt))]
  }
}

extension HostRule {
  /// The rule as a member of `hosts`, in a payload and in a source document alike.
  package func standardValue(keepNote: Bool = false) -> JSONValue {
    var members: [JSONMember] = []
    members.append("mode", mode == .enforce ? nil : .string(mode.rawValue))
    members.append("includesSubdomains", includesSubdomains ? .bool(true) : nil)
    members.append("chains", pinSet.chains.isEmpty ? nil : pinSet.chainsValue)
    let kinds: [JSONMember] = [
      ("any", pinSet.any), ("leaf", pinSet.leaf), ("ca", pinSet.ca), ("anchor", pinSet.anchor),
    ].compactMap { name, pins in
      JSONValue.strings(pins.map(\.description)).map { JSONMember(name, $0) }
    }
    members.append("spki", kinds.isEmpty ? nil : .object(kinds))
    members.append("require", pinSet.requirement == .all ? nil : .string("any"))
    members.append("note", keepNote ? note.map { .string($0) } : nil)
    return .object(members)
  }

  fileprivate var cnpinningMember: JSONMember {
    JSONMember(pattern.description, pinSet.chainsValue)
  }
}

extension PinSet {
  fileprivate var chainsValue: JSONValue {
    .array(chains.map { chain in .array(chain.links.map(\.jsonValue)) })
  }
}

extension LinkPattern {
  /// The link's `type`, as policies spell it.
  public var type: String {
    switch self {
    case .exact: "exact"
    case .prefix: "prefix"
    case .prefixWithNumber: "prefixWithNumber"
    case .suffix: "suffix"
    case .any: "any"
    }
  }

  /// An element of a chain in a policy.
  package var jsonValue: JSONValue {
    .object(
      [JSONMember("type", .string(type))]
        + (value.map { [JSONMember("value", .string($0))] } ?? []))
  }
}

extension JSONValue {
  /// A list of strings; nil for an empty one, which a policy leaves out.
  fileprivate static func strings(_ strings: [String]) -> JSONValue? {
    strings.isEmpty ? nil : .array(strings.map { .string($0) })
  }
}

extension [JSONMember] {
  /// Appends a member that has a value.
  fileprivate mutating func append(_ name: String, _ value: JSONValue?) {
    if let value { append(JSONMember(name, value)) }
  }
}
