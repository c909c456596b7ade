import StrictJSON

/// The rules of a document and the table that finds them.
package struct HostTable: Sendable {
  package let rules: [HostRule]
  let resolver: PolicyResolver
}

extension PolicyReader {
  /// Reads `hosts`.
  func hosts(_ object: Node) throws(PolicyFault) -> HostTable {
    try expect(.object, at: object)
    let count = document.count(of: object)
    guard count <= limits.hosts else {
      throw PolicyFault(.limit(.hosts, most: limits.hosts), at: object)
    }
    var rules: [HostRule] = []
    rules.reserveCapacity(count)
    var builder = PolicyResolver.Builder(capacity: count)
    var buffer = HostBuffer(repeating: 0)
    var cursor = document.cursor(in: object)
    while let key = document.next(&cursor) {
      let length = try canonicalize(key, into: &buffer)
      let value = document.value(of: key)
      if length == 0 {
        rules.append(try rule(value, pattern: .wildcard, isName: false))
        builder.addWildcard()
      } else {
        let host = buffer.span.extracting(first: length)
        let rule = try rule(
          value, pattern: .host(HostName(canonical: host)),
          isName: !HostSyntax.isAddress(canonical: host))
        builder.add(host, includesSubdomains: rule.includesSubdomains)
        rules.append(rule)
      }
    }
    let (resolver, repetition) = builder.build()
    if let repetition { throw sameHost(repetition, keys: hostKeys(object)) }
    return HostTable(rules: rules, resolver: resolver)
  }

  private func hostKeys(_ object: Node) -> [Node] {
    document.members(of: object).map(\.name)
  }

  /// The fault of a key that names the host of an earlier one.
  func sameHost(_ repetition: PolicyResolver.Repetition, keys: [Node]) -> PolicyFault {
    PolicyFault(
      .sameHost(document.path(to: keys[repetition.earlier])), at: keys[repetition.later])
  }

  /// Writes a host key's canonical form to `buffer`: nothing for `*`.
  func canonicalize(
    _ key: Node, into buffer: inout HostBuffer
  ) throws(PolicyFault) -> Int {
    do throws(HostNameError) {
      return try document.withUTF8(of: key) { text throws(HostNameError) in
        if text.count == 1, text[0] == UInt8(ascii: "*") { return 0 }
        return try dialect.canonicalize(text, into: &buffer)
      }
    } catch {
      throw PolicyFault(.host(error), at: key)
    }
  }

  /// Reads a rule of profile `standard`.
  private func rule(
    _ object: Node, pattern: HostPattern, isName: Bool
  ) throws(PolicyFault) -> HostRule {
    try expect(.object, at: object)
    var mode = HostRule.Mode.enforce
    var includesSubdomains = false
    var requirement = PinSet.Requirement.all
    var chains: [ChainPattern] = []
    var spki = SPKILists()
    var note: String?
    /// The first member that a rule of mode `exempt` has no use for.
    var pinMember: Node?
    var cursor = document.cursor(in: object)
    while let name = document.next(&cursor) {
      let value = document.value(of: name)
      if document.matches(name, "spki") {
        spki = try self.spki(value)
        pinMember = pinMember ?? name
      } else if document.matches(name, "chains") {
        chains = try self.chains(value)
        pinMember = pinMember ?? name
      } else if document.matches(name, "includesSubdomains") {
        guard isName else { throw PolicyFault(.notAllowed(.subdomainsOfNoName), at: name) }
        try expect(.boolean, at: value)
        includesSubdomains = document.kind(of: value) == .true
      } else if document.matches(name, "mode") {
        mode = try word(
          value, of: [("enforce", .enforce), ("report", .report), ("exempt", .exempt)])
      } else if document.matches(name, "require") {
        requirement = try word(value, of: [("all", .all), ("any", .any)])
        pinMember = pinMember ?? name
      } else if document.matches(name, "note") {
        note = try self.note(value)
      } else {
        throw PolicyFault(.unknownMember, at: name)
      }
    }
    let pinSet = PinSet(
      chains: chains, any: spki.any, leaf: spki.leaf, ca: spki.ca, anchor: spki.anchor,
      requirement: requirement)
    if mode == .exempt {
      if let pinMember { throw PolicyFault(.notAllowed(.pinsOfExempt), at: pinMember) }
    } else if pinSet.isEmpty {
      throw PolicyFault(.noPins, at: object)
    }
    return HostRule(
      pattern: pattern, mode: mode, includesSubdomains: includesSubdomains, pinSet: pinSet,
      note: note)
  }

  private struct SPKILists {
    var any: [SPKIPin] = []
    var leaf: [SPKIPin] = []
    var ca: [SPKIPin] = []
    var anchor: [SPKIPin] = []
  }

  private func spki(_ object: Node) throws(PolicyFault) -> SPKILists {
    try expect(.object, at: object)
    var lists = SPKILists()
    guard document.count(of: object) > 0 else { throw PolicyFault(.emptyList, at: object) }
    var cursor = document.cursor(in: object)
    while let name = document.next(&cursor) {
      let value = document.value(of: name)
      if document.matches(name, "any") {
        lists.any = try pins(value)
      } else if document.matches(name, "leaf") {
        lists.leaf = try pins(value)
      } else if document.matches(name, "ca") {
        lists.ca = try pins(value)
      } else if document.matches(name, "anchor") {
        lists.anchor = try pins(value)
      } else {
        throw PolicyFault(.unknownMember, at: name)
      }
    }
    return lists
  }

  private func note(_ value: Node) throws(PolicyFault) -> String {
    try expect(.string, at: value)
    let most = 1024
    let (bytes, forbidden) = document.withUTF8(of: value) {
      ($0.count, PolicyText.scan($0).forbidden)
    }
    guard bytes <= most else { throw PolicyFault(.textTooLong(most: most), at: value) }
    if let forbidden { throw PolicyFault(.forbiddenCharacter(forbidden), at: value) }
    return document.string(value)
  }

  /// Reads one of a few words.
  private func word<Word, let count: Int>(
    _ value: Node, of words: InlineArray<count, (text: StaticString, word: Word)>
  ) throws(PolicyFault) -> Word {
    try expect(.string, at: value)
    for index in words.indices where document.matches(value, words[index].text) {
      return words[index].word
    }
    let allowed = words.indices.map { words[$0].text.description }
    throw PolicyFault(.unknownWord(allowed: allowed), at: value)
  }
}
