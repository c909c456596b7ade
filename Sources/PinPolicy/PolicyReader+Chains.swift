import StrictJSON

extension PolicyReader {
  /// Reads a list of chains, which is never empty.
  func chains(_ list: Node) throws(PolicyFault) -> [ChainPattern] {
    try expect(.array, at: list)
    let count = try count(
      list, of: .chains, most: limits.chainsPerHost)
    var chains: [ChainPattern] = []
    chains.reserveCapacity(count)
    var cursor = document.cursor(in: list)
    while let chain = document.next(&cursor) { chains.append(try self.chain(chain)) }
    return chains
  }

  private func chain(_ list: Node) throws(PolicyFault) -> ChainPattern {
    try expect(.array, at: list)
    let count = try count(list, of: .links, most: limits.linksPerChain)
    var links: [LinkPattern] = []
    links.reserveCapacity(count)
    var cursor = document.cursor(in: list)
    while let link = document.next(&cursor) { links.append(try self.link(link)) }
    return ChainPattern(links)
  }

  private func count(
    _ list: Node, of countable: PolicyDecodingError.Countable, most: Int
  ) throws(PolicyFault) -> Int {
    let count = document.count(of: list)
    guard count > 0 else { throw PolicyFault(.emptyList, at: list) }
    guard count <= most else { throw PolicyFault(.limit(countable, most: most), at: list) }
    return count
  }

  private func link(_ object: Node) throws(PolicyFault) -> LinkPattern {
    try expect(.object, at: object)
    var type: Node?
    var value: Node?
    var cursor = document.cursor(in: object)
    while let name = document.next(&cursor) {
      if document.matches(name, "type") {
        type = document.value(of: name)
      } else if document.matches(name, "value") {
        value = document.value(of: name)
      } else {
        // A constraint that is not understood must not be dropped: that would loosen the pin.
        throw PolicyFault(.unknownMember, at: name)
      }
    }
    guard let type else {
      guard Dialect.profile == .cnpinning else { throw .missing("type", in: object) }
      return .exact(try self.value(value, of: object))
    }
    try expect(.string, at: type)
    if Dialect.profile == .standard, document.matches(type, "any") {
      if let value { throw PolicyFault(.notAllowed(.valueOfAny), at: value) }
      return .any
    }
    let text = try self.value(value, of: object)
    if document.matches(type, "exact") { return .exact(text) }
    if document.matches(type, "prefixWithNumber") { return .prefixWithNumber(text) }
    if document.matches(type, "prefix") { return .prefix(text) }
    if document.matches(type, "suffix") { return .suffix(text) }
    let words = ["exact", "prefix", "prefixWithNumber", "suffix"]
    throw PolicyFault(
      .unknownWord(allowed: Dialect.profile == .standard ? words + ["any"] : words), at: type)
  }

  private func value(_ value: Node?, of link: Node) throws(PolicyFault) -> String {
    guard let value else { throw .missing("value", in: link) }
    try expect(.string, at: value)
    let (count, forbidden) = document.withUTF8(of: value) { PolicyText.scan($0) }
    if let forbidden { throw PolicyFault(.forbiddenCharacter(forbidden), at: value) }
    guard count > 0 else { throw PolicyFault(.emptyValue, at: value) }
    guard count <= limits.linkValueScalars else {
      throw PolicyFault(.limit(.characters, most: limits.linkValueScalars), at: value)
    }
    return document.string(value)
  }
}
