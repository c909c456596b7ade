import CAllocationCount
import PinPolicy
import TestSupport
import Testing

@Suite("Resolution")
struct ResolverTests {
  static func policy(_ rules: [HostRule]) -> Policy {
    Policy(
      profile: .standard, audience: "a", window: ValidityWindow(issuedAt: 1, expiresAt: 2),
      rules: rules)
  }

  static func rule(_ pattern: String, subdomains: Bool = false) throws -> HostRule {
    HostRule(
      pattern: pattern == "*" ? .wildcard : .host(try HostName(pattern)), mode: .exempt,
      includesSubdomains: subdomains)
  }

  /// Rules as in: `example.com+` includes subdomains.
  static func policy(_ patterns: String...) throws -> Policy {
    policy(
      try patterns.map { text in
        text.hasSuffix("+")
          ? try rule(String(text.dropLast()), subdomains: true) : try rule(text)
      })
  }

  @Test(
    "the exact rule, else the longest name above, else the wildcard",
    arguments: [
      ("example.com", .exact, "example.com"),
      ("EXAMPLE.com.", .exact, "example.com"),
      ("a.example.com", .subdomain, "example.com"),
      ("c.b.a.example.com", .subdomain, "example.com"),
      ("api.example.com", .exact, "api.example.com"),
      ("v1.api.example.com", .subdomain, "api.example.com"),
      ("www.example.com", .exact, "www.example.com"),
      ("a.www.example.com", .subdomain, "example.com"),
      ("notexample.com", .wildcard, "*"),
      ("com", .wildcard, "*"),
      ("a.b.internal", .subdomain, "internal"),
      ("192.0.2.1", .exact, "192.0.2.1"),
      ("192.0.2.2", .wildcard, "*"),
      ("[2001:DB8::1]", .exact, "2001:db8::1"),
      ("2001:db8::2", .wildcard, "*"),
    ] as [(String, Resolution.Step, String)])
  func steps(host: String, step: Resolution.Step, pattern: String) throws {
    let policy = try Self.policy(
      "*", "example.com+", "api.example.com+", "www.example.com", "internal+", "192.0.2.1",
      "2001:db8::1")
    for resolution in [try policy.resolve(host), policy.resolve(try HostName(host))] {
      #expect(resolution.step == step)
      #expect(resolution.pattern?.description == pattern)
      #expect(resolution.rule?.pattern.description == pattern)
    }
  }

  @Test("without a wildcard a host that no rule governs is not pinned")
  func none() throws {
    for policy in [try Self.policy("example.com"), try Self.policy()] {
      let resolution = try policy.resolve("a.example.com")
      #expect(resolution.step == .none)
      #expect(resolution.rule == nil)
      #expect(resolution.pattern == nil)
      #expect(resolution.ruleIndex == nil)
    }
  }

  @Test("an address takes no part in the subdomain step")
  func addresses() throws {
    // Rules that no document can hold: the resolver must not rely on that.
    let policy = try Self.policy("192.0.2.1+")
    #expect(try policy.resolve("192.0.2.1").step == .exact)
    #expect(throws: HostNameError.invalidIPv4) { try policy.resolve("1.192.0.2.1") }
  }

  @Test("an invalid host is an error, with a wildcard too")
  func invalid() throws {
    let policy = try Self.policy("*")
    #expect(throws: HostNameError.empty) { try policy.resolve("") }
    #expect(throws: HostNameError.port) { try policy.resolve("example.com:443") }
  }

  @Test("the deepest name is found and costs a probe a label")
  func deep() throws {
    let host = String(repeating: "a.", count: 126) + "b"
    let policy = try Self.policy("a.b+", "c")
    #expect(try policy.resolve(host).step == .subdomain)
    #expect(policy.lookupCost(try HostName(host)).probes == 127)
    #expect(policy.lookupCost(try HostName("c")).probes == 1)
    #expect(try Self.policy("c").lookupCost(try HostName(host)).probes == 1)
  }

  @Test(
    "a look-up makes as many probes in a large policy as in a small one",
    arguments: ["h7.example.com", "x.h8.example.com", "x.y.h9.example.com", "a.b.c.d.org", "h0"])
  func probes(host: String) throws {
    func policy(_ count: Int) throws -> Policy {
      Self.policy(
        try (0..<count).map { try Self.rule("h\($0).example.com", subdomains: $0 % 2 == 0) })
    }
    let host = try HostName(host)
    let small = try policy(10).lookupCost(host).probes
    #expect(try policy(5000).lookupCost(host).probes == small)
    #expect(small <= host.description.split(separator: ".").count)
  }

  @Test("every rule of a large policy is found, and nothing beside")
  func large() throws {
    let count = 20_000
    let policy = Self.policy(
      try (0..<count).map { try Self.rule("h\($0).example.com", subdomains: $0 % 2 == 0) })
    var records = 0
    // What all the misses below share: one text that meets a record would count each time.
    let shared = policy.lookupCost(try HostName("example.org")).records
    for index in 0..<count {
      let resolution = try policy.resolve("h\(index).example.com")
      #expect(resolution.step == .exact && resolution.ruleIndex == index)
      let below = try policy.resolve("x.h\(index).example.com")
      #expect(below.ruleIndex == (index % 2 == 0 ? index : nil))
      let cost = policy.lookupCost(try HostName("x.y.h\(index).example.org"))
      #expect(cost.probes == 5)
      records += cost.records - shared
    }
    // Of two hosts' bits among 32, a miss meets one in sixteen times at most, and reads both.
    #expect(Double(records) / Double(count * 3) <= 2 / 8)
  }

  @Test(
    "a look-up allocates nothing, whatever it finds",
    arguments: [
      "h7.example.com", "H7.Example.com.", "x.y.h8.example.com", "h9.example.org", "192.0.2.1",
      "[2001:DB8:0::0:1]",
    ])
  func allocations(host: String) throws {
    var rules = try (0..<1000).map { try Self.rule("h\($0).example.com", subdomains: $0 % 2 == 0) }
    rules += [try Self.rule("192.0.2.1"), try Self.rule("2001:db8::1"), try Self.rule("*")]
    let policy = Self.policy(rules)
    let name = try HostName(host)
    #expect(Self.allocations { withExtendedLifetime([UInt8](repeating: 1, count: 99)) {} } == 1)
    #expect(Self.allocations { withExtendedLifetime(policy.resolve(name)) {} } == 0)
    #expect(try Self.allocations { withExtendedLifetime(try policy.resolve(host)) {} } == 0)
  }

  /// How often `body` allocates, once the runtime has made what it makes at the first call.
  private static func allocations(of body: () throws -> Void) rethrows -> UInt {
    try body()
    let before = allocation_count()
    try body()
    return allocation_count() - before
  }

  @Test("the first of two rules for one host governs")
  func repeated() throws {
    let policy = try Self.policy("a.example", "a.example+", "*", "*")
    #expect(try policy.resolve("a.example").ruleIndex == 0)
    #expect(try policy.resolve("b").ruleIndex == 2)
  }

  @Test("the outside cases resolve as expected")
  func vectors() throws {
    let file = "policies/resolve.jsonl"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    let cases = try Vectors.lines(file)
    for item in cases {
      let comment = Comment(rawValue: item.id)
      var rules = try item.list("pins").map {
        try Self.rule($0.string("host") ?? "", subdomains: $0.bool("subdomains") ?? false)
      }
      if item.bool("wildcard") == true { rules.append(try Self.rule("*")) }
      let policy = Self.policy(rules)
      let query = item.string("query") ?? ""
      if item.string("error") == "host" {
        #expect(throws: HostNameError.self, comment) { try policy.resolve(query) }
        continue
      }
      let expected = item.string("expect")?.lowercased()
      #expect(try policy.resolve(query).pattern?.description == expected, comment)
    }
    Vectors.report(file, ran: cases.count)
    #expect(cases.count == 35)
  }
}
