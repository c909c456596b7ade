import PinPolicy
import StrictJSON
import Testing

@Suite("Limits of a policy")
struct LimitTests {
  private static let host = "$['hosts']['h.example']"

  /// Expects `count` things to be taken and one more to be refused, by a limit of its own too.
  private func expectLimit(
    _ countable: PolicyDecodingError.Countable, _ limit: WritableKeyPath<Limits, Int>,
    standard: Int, at path: String, profile: Profile = .standard, _ text: (Int) -> String
  ) {
    #expect(Limits.standard[keyPath: limit] == standard)
    #expect(throws: Never.self) { try Payload.decode(text(standard), profile: profile) }
    Payload.expectRefusal(
      text(standard + 1), profile: profile, .limit(countable, most: standard), at: path)
    var limits = Limits.standard
    limits[keyPath: limit] = 3
    #expect(throws: Never.self) { try Payload.decode(text(3), profile: profile, limits: limits) }
    Payload.expectRefusal(
      text(4), profile: profile, .limit(countable, most: 3), at: path, limits: limits)
    let error = PolicyDecodingError(reason: .limit(countable, most: 3), path: nil)
    #expect(error.category == .limit)
  }

  private func list(_ count: Int, _ item: String) -> String {
    "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
  }

  @Test("members of hosts, the wildcard included")
  func hosts() {
    func hosts(_ count: Int) -> String {
      (["\"*\": {\"mode\": \"exempt\"}"]
        + (1..<count).map { "\"h\($0)x\": {\"mode\": \"exempt\"}" }).joined(separator: ",")
    }
    expectLimit(.hosts, \.hosts, standard: 10_000, at: "$['hosts']") {
      Payload.standard(hosts: "{" + hosts($0) + "}")
    }
    expectLimit(.hosts, \.hosts, standard: 10_000, at: "$", profile: .cnpinning) { count in
      Payload.cnpinning(
        (["\"*\": [\(Payload.chain)]"] + (1..<count).map { "\"h\($0)x\": [\(Payload.chain)]" })
          .joined(separator: ","))
    }
  }

  @Test("chains of a host")
  func chains() {
    expectLimit(.chains, \.chainsPerHost, standard: 64, at: Self.host + "['chains']") {
      Payload.rule("\"chains\": " + list($0, Payload.chain))
    }
  }

  @Test("links of a chain")
  func links() {
    expectLimit(.links, \.linksPerChain, standard: 32, at: Self.host + "['chains'][0]") {
      Payload.rule("\"chains\": [" + list($0, "{\"type\": \"any\"}") + "]")
    }
  }

  @Test("pins of a kind", arguments: ["any", "leaf", "ca", "anchor"])
  func pins(kind: String) {
    expectLimit(.pins, \.pinsPerKind, standard: 256, at: Self.host + "['spki']['\(kind)']") {
      Payload.rule("\"spki\": {\"\(kind)\": " + list($0, "\"\(Payload.pin)\"") + "}")
    }
  }

  @Test("denied pins")
  func denied() {
    expectLimit(.pins, \.pinsPerKind, standard: 256, at: "$['denied']") {
      Payload.standard(more: "\"denied\": " + list($0, "\"\(Payload.pin)\""))
    }
  }

  @Test("scalars of a value, whatever their bytes", arguments: ["x", "é", "€", "\u{1F512}"])
  func value(scalar: String) {
    expectLimit(
      .characters, \.linkValueScalars, standard: 1024,
      at: Self.host + "['chains'][0][0]['value']"
    ) {
      Payload.chain(
        "{\"type\": \"exact\", \"value\": \"" + String(repeating: scalar, count: $0) + "\"}")
    }
  }

  @Test("JSON's own limits come before structure")
  func json() {
    var limits = Limits.standard
    limits.policyBytes = 100
    let long =
      Payload.standard(version: "2", more: "\"x\": 1")
      + String(repeating: " ", count: 100)
    let rows: [(String, JSONError.Reason)] = [
      (long, .tooLong(limit: 100)),
      (
        Payload.standard(
          version: "2", aud: nil, hosts: nil,
          more: "\"x\": " + String(repeating: "[", count: 16) + String(repeating: "]", count: 16)),
        .tooDeep(limit: 16)
      ),
      (
        Payload.standard(
          version: "2", aud: nil, hosts: nil, more: "\"x\": " + String(repeating: "1", count: 33)),
        .numberTooLong(limit: 32)
      ),
    ]
    for (text, reason) in rows {
      do {
        _ = try Payload.decode(text, limits: limits)
        Issue.record("taken")
      } catch {
        #expect(error.reason == .json(reason))
        #expect(error.category == .limit)
      }
    }
  }
}
