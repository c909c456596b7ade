import StrictJSON

/// The payload of profile `standard`.
struct StandardDialect: PolicyDialect {
  static let profile = Profile.standard

  private var issuedAt: Int64?
  private var expiresAt: Int64?

  mutating func take(
    _ name: JSONDocument.Node, in document: JSONDocument
  ) throws(PolicyFault) -> Bool {
    let value = document.value(of: name)
    if document.matches(name, "iat") {
      issuedAt = try document.policyInteger(value, in: ValidityWindow.times)
    } else if document.matches(name, "exp") {
      expiresAt = try document.policyInteger(value, in: ValidityWindow.times)
    } else {
      // Judged before every other member.
      return document.matches(name, "version")
    }
    return true
  }

  func canonicalize(
    _ key: Span<UInt8>, into buffer: inout HostBuffer
  ) throws(HostNameError) -> Int {
    try HostSyntax.canonicalize(key, as: .payload, into: &buffer)
  }

  /// The window, once all members have been taken.
  func window(of document: JSONDocument) throws(PolicyFault) -> ValidityWindow {
    guard let issuedAt else { throw .missing("iat", in: document.root) }
    guard let expiresAt else { throw .missing("exp", in: document.root) }
    return ValidityWindow(issuedAt: issuedAt, expiresAt: expiresAt)
  }
}

extension PolicyReader<StandardDialect> {
  /// Reads a payload of profile `standard`.
  mutating func policy() throws(PolicyFault) -> Policy {
    let root = document.root
    try expect(.object, at: root)
    // Before every other member, so that a newer policy is refused as such.
    guard let version = document.member("version", of: root) else {
      throw .missing("version", in: root)
    }
    guard document.integer(version) == 1 else {
      throw PolicyFault(.version(document.integer(version)), at: version)
    }
    let body = try body()
    return body.policy(window: try dialect.window(of: document))
  }
}

/// The payload of profile `cnpinning`: chains by host, beside `iat` and `exp`.
struct CNPinningDialect: PolicyDialect {
  static let profile = Profile.cnpinning

  private var times = StandardDialect()

  /// Registered claims (RFC 7519 §4.1), none of which is a host, however it is spelt.
  private static let reservedNames: [StaticString] = [
    "iat", "exp", "iss", "sub", "aud", "nbf", "jti",
  ]

  mutating func take(
    _ name: JSONDocument.Node, in document: JSONDocument
  ) throws(PolicyFault) -> Bool {
    guard document.matches(name, "iat") || document.matches(name, "exp") else { return false }
    return try times.take(name, in: document)
  }

  func canonicalize(
    _ key: Span<UInt8>, into buffer: inout HostBuffer
  ) throws(HostNameError) -> Int {
    try times.canonicalize(key, into: &buffer)
  }

  func window(of document: JSONDocument) throws(PolicyFault) -> ValidityWindow {
    try times.window(of: document)
  }

  /// Whether a canonical host is a registered claim's name.
  static func isReserved(_ host: Span<UInt8>) -> Bool {
    guard host.count == 3 else { return false }
    return reservedNames.contains { name in
      for index in 0..<3 where unsafe name.utf8Start[index] != host[index] { return false }
      return true
    }
  }
}

extension PolicyReader<CNPinningDialect> {
  /// Reads a payload of profile `cnpinning`.
  mutating func policy() throws(PolicyFault) -> Policy {
    let root = document.root
    try expect(.object, at: root)
    var claims = 0
    if document.member("iat", of: root) != nil { claims += 1 }
    if document.member("exp", of: root) != nil { claims += 1 }
    let count = document.count(of: root) - claims
    guard count <= limits.hosts else {
      throw PolicyFault(.limit(.hosts, most: limits.hosts), at: root)
    }
    var rules: [HostRule] = []
    rules.reserveCapacity(count)
    var builder = PolicyResolver.Builder(capacity: count)
    var keys: [Node] = []
    var buffer = HostBuffer(repeating: 0)
    var cursor = document.cursor(in: root)
    while let key = document.next(&cursor) {
      if try dialect.take(key, in: document) { continue }
      let length = try canonicalize(key, into: &buffer)
      let host = buffer.span.extracting(first: length)
      guard !CNPinningDialect.isReserved(host) else {
        throw PolicyFault(.reservedName, at: key)
      }
      let pinSet = PinSet(chains: try chains(document.value(of: key)))
      if length == 0 {
        rules.append(HostRule(pattern: .wildcard, pinSet: pinSet))
        builder.addWildcard()
      } else {
        rules.append(HostRule(pattern: .host(HostName(canonical: host)), pinSet: pinSet))
        builder.add(host, includesSubdomains: false)
      }
      keys.append(key)
    }
    let (resolver, repetition) = builder.build()
    if let repetition { throw sameHost(repetition, keys: keys) }
    return Policy(
      profile: .cnpinning, audience: nil, issuer: nil, window: try dialect.window(of: document),
      refreshHint: nil, reportTo: [], denied: [], rules: rules, resolver: resolver)
  }
}

extension HostName {
  /// Whether this is a registered claim's name, which profile `cnpinning` takes for no host.
  package var isReservedInCNPinning: Bool {
    CNPinningDialect.isReserved(description.utf8Span.span)
  }
}
