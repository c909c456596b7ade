package import StrictJSON

/// Reads what payloads and source documents have in common, the first fault first.
///
/// Passing the reader on retains nothing, so that 100 000 rules cost no reference counting but for
/// the values that are made.
package struct PolicyReader<Dialect: PolicyDialect> {
  package typealias Node = JSONDocument.Node

  package let document: JSONDocument
  package let limits: Limits
  package var dialect: Dialect

  package init(_ document: JSONDocument, limits: Limits, dialect: Dialect) {
    self.document = document
    self.limits = limits
    self.dialect = dialect
  }

  /// The members of a policy that say nothing about its profile and time.
  package struct Body {
    package var audience: String
    package var issuer: String?
    package var refreshHint: Int64?
    package var reportTo: [String]
    package var denied: [SPKIPin]
    package var hosts: HostTable

    /// The policy that these members make.
    package func policy(window: ValidityWindow) -> Policy {
      Policy(
        profile: .standard, audience: audience, issuer: issuer, window: window,
        refreshHint: refreshHint, reportTo: reportTo, denied: denied, rules: hosts.rules,
        resolver: hosts.resolver)
    }
  }

  /// Reads the whole document as profile `standard` and source documents have it.
  ///
  /// Members are judged in the order of the document, then what is missing.
  package mutating func body() throws(PolicyFault) -> Body {
    let root = document.root
    try expect(.object, at: root)
    var audience: String?
    var issuer: String?
    var refreshHint: Int64?
    var reportTo: [String] = []
    var denied: [SPKIPin] = []
    var hosts: HostTable?
    var cursor = document.cursor(in: root)
    while let name = document.next(&cursor) {
      let value = document.value(of: name)
      if document.matches(name, "aud") {
        audience = try identifier(value)
      } else if document.matches(name, "hosts") {
        hosts = try self.hosts(value)
      } else if document.matches(name, "iss") {
        issuer = try identifier(value)
      } else if document.matches(name, "denied") {
        denied = try pins(value)
      } else if document.matches(name, "refreshHint") {
        refreshHint = try integer(value, in: 60...2_592_000)
      } else if document.matches(name, "reportTo") {
        reportTo = try reportURLs(value)
      } else if try !dialect.take(name, in: document) {
        throw PolicyFault(.unknownMember, at: name)
      }
    }
    guard let audience else { throw .missing("aud", in: root) }
    guard let hosts else { throw .missing("hosts", in: root) }
    return Body(
      audience: audience, issuer: issuer, refreshHint: refreshHint, reportTo: reportTo,
      denied: denied, hosts: hosts)
  }

  /// An audience or issuer.
  private func identifier(_ value: Node) throws(PolicyFault) -> String {
    try expect(.string, at: value)
    guard document.withUTF8(of: value, { PolicyText.isIdentifier($0) }) else {
      throw PolicyFault(.identifier, at: value)
    }
    return document.string(value)
  }

  private func integer(
    _ value: Node, in range: ClosedRange<Int64>
  ) throws(PolicyFault) -> Int64 {
    try document.policyInteger(value, in: range)
  }

  private func reportURLs(_ list: Node) throws(PolicyFault) -> [String] {
    try expect(.array, at: list)
    let most = 4
    guard document.count(of: list) > 0 else { throw PolicyFault(.emptyList, at: list) }
    guard document.count(of: list) <= most else {
      throw PolicyFault(.tooManyURLs(most: most), at: list)
    }
    var urls: [String] = []
    var cursor = document.cursor(in: list)
    while let value = document.next(&cursor) {
      try expect(.string, at: value)
      do throws(ReportURLError) {
        try document.withUTF8(of: value) { text throws(ReportURLError) in
          try ReportURL.check(text)
        }
      } catch {
        throw PolicyFault(.reportURL(error), at: value)
      }
      let url = document.string(value)
      guard !urls.contains(url) else { throw PolicyFault(.repeatedURL, at: value) }
      urls.append(url)
    }
    return urls
  }

  /// Reads a list of pins, which is never empty.
  func pins(_ list: Node) throws(PolicyFault) -> [SPKIPin] {
    try expect(.array, at: list)
    let count = document.count(of: list)
    guard count > 0 else { throw PolicyFault(.emptyList, at: list) }
    let total = Dialect.expandsNames ? try expandedCount(list) : count
    guard total <= limits.pinsPerKind else {
      throw PolicyFault(.limit(.pins, most: limits.pinsPerKind), at: list)
    }
    var pins: [SPKIPin] = []
    pins.reserveCapacity(total)
    var cursor = document.cursor(in: list)
    while let value = document.next(&cursor) {
      if Dialect.expandsNames, let name = try name(value) {
        dialect.appendPins(named: name, to: &pins)
      } else {
        pins.append(try pin(value))
      }
    }
    return pins
  }

  /// Reads one digest.
  package func pin(_ value: Node) throws(PolicyFault) -> SPKIPin {
    try expect(.string, at: value)
    do throws(SPKIPinError) {
      return try document.withUTF8(of: value) { text throws(SPKIPinError) in
        try SPKIPin(text: text)
      }
    } catch {
      throw PolicyFault(.pin(error), at: value)
    }
  }

  /// How many pins a list stands for, before any name in it is expanded.
  private func expandedCount(_ list: Node) throws(PolicyFault) -> Int {
    var total = 0
    var cursor = document.cursor(in: list)
    while let value = document.next(&cursor) {
      var count = 1
      if let name = try name(value) {
        guard let pins = dialect.pinCount(named: name) else {
          throw PolicyFault(.unknownName(name), at: value)
        }
        count = pins
      }
      let (sum, overflow) = total.addingReportingOverflow(count)
      total = overflow ? .max : sum
    }
    return total
  }

  /// The name in `"@name"`; nil for a string that begins otherwise.
  private func name(_ value: Node) throws(PolicyFault) -> String? {
    try expect(.string, at: value)
    let text = document.string(value)
    return text.utf8.first == UInt8(ascii: "@") ? String(text.unicodeScalars.dropFirst()) : nil
  }

  /// Refuses a value of another type, `null` always among them.
  @inline(__always)
  package func expect(
    _ kind: PolicyDecodingError.Kind, at value: Node
  ) throws(PolicyFault) {
    try document.expect(kind, at: value)
  }
}

extension JSONDocument {
  /// Refuses a value of another type, `null` always among them.
  @inline(__always)
  package func expect(
    _ kind: PolicyDecodingError.Kind, at value: Node
  ) throws(PolicyFault) {
    let matches =
      switch (kind, self.kind(of: value)) {
      case (.object, .object), (.array, .array), (.string, .string), (.number, .number),
        (.boolean, .true), (.boolean, .false):
        true
      default: false
      }
    guard matches else { throw PolicyFault(.wrongType(expected: kind), at: value) }
  }

  /// Reads a number that is written as `0` or `[1-9][0-9]*`.
  package func policyInteger(
    _ value: Node, in range: ClosedRange<Int64>
  ) throws(PolicyFault) -> Int64 {
    try expect(.number, at: value)
    guard let integer = integer(value), range.contains(integer) else {
      throw PolicyFault(.number(range), at: value)
    }
    return integer
  }
}
