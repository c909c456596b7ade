import PinPolicy
import StrictJSON
import Testing

@testable import PolicyAuthoring

/// Two digests to write documents with.
let pinA = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
let pinB = "sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="

/// A document of the given members, in which `A` and `B` between bars stand for the two digests.
func source(_ members: String) -> [UInt8] {
  let text =
    #"{"aud":"a","#
    + members.replacing("|A|", with: "\"\(pinA)\"").replacing("|B|", with: "\"\(pinB)\"") + "}"
  return Array(text.utf8)
}

let someTime = ValidityWindow(issuedAt: 1, expiresAt: 2)

@Suite("Source documents")
struct SourceDocumentTests {
  /// Reason, path, line and column.
  typealias Fault = (SourceError.Reason, String, Int, Int)

  @Test(
    "names one fault and its place",
    arguments: [
      // What signing stamps.
      (#""version":1,"hosts":{}"#, (.rule(.notAllowed(.stampOfSource)), "$['version']", 1, 12)),
      (#""iat":1,"hosts":{}"#, (.rule(.notAllowed(.stampOfSource)), "$['iat']", 1, 12)),
      (#""hosts":{},"exp":1"#, (.rule(.notAllowed(.stampOfSource)), "$['exp']", 1, 23)),
      (
        #""$schema":null,"hosts":{}"#, (.rule(.wrongType(expected: .string)), "$['$schema']", 1, 22)
      ),
      (#""comment":"","hosts":{}"#, (.rule(.unknownMember), "$['comment']", 1, 12)),
      (#""iss":"b""#, (.rule(.missingMember), "$['hosts']", 1, 1)),
      // Names.
      (#""pins":[],"hosts":{}"#, (.rule(.wrongType(expected: .object)), "$['pins']", 1, 19)),
      (
        #""pins":{"p":1},"hosts":{}"#,
        (.rule(.wrongType(expected: .string)), "$['pins']['p']", 1, 24)
      ),
      (#""pins":{"p":"@q"},"hosts":{}"#, (.rule(.pin(.prefix)), "$['pins']['p']", 1, 24)),
      (#""pins":{"":|A|},"hosts":{}"#, (.badName, "$['pins']['']", 1, 20)),
      (#""pins":{"a b":|A|},"hosts":{}"#, (.badName, "$['pins']['a b']", 1, 20)),
      (#""pins":{"@a":|A|},"hosts":{}"#, (.badName, "$['pins']['@a']", 1, 20)),
      (#""pins":{"é":|A|},"hosts":{}"#, (.badName, "$['pins']['é']", 1, 20)),
      (
        #""pins":{"\#(String(repeating: "n", count: 65))":|A|},"hosts":{}"#,
        (.badName, "$['pins']['\(String(repeating: "n", count: 65))']", 1, 20)
      ),
      (#""sets":[],"hosts":{}"#, (.rule(.wrongType(expected: .object)), "$['sets']", 1, 19)),
      (
        #""sets":{"s":"t"},"hosts":{}"#,
        (.rule(.wrongType(expected: .array)), "$['sets']['s']", 1, 24)
      ),
      (#""sets":{"s":[]},"hosts":{}"#, (.rule(.emptyList), "$['sets']['s']", 1, 24)),
      (
        #""sets":{"s":[null]},"hosts":{}"#,
        (.rule(.wrongType(expected: .string)), "$['sets']['s'][0]", 1, 25)
      ),
      (#""sets":{"s/t":["s"]},"hosts":{}"#, (.badName, "$['sets']['s/t']", 1, 20)),
      (#""sets":{"s":["@s"]},"hosts":{}"#, (.rule(.unknownName("@s")), "$['sets']['s'][0]", 1, 25)),
      (#""sets":{"s":["S"]},"hosts":{}"#, (.rule(.unknownName("S")), "$['sets']['s'][0]", 1, 25)),
      (
        #""pins":{"p":|A|},"sets":{"p":["p"]},"hosts":{}"#,
        (.sameName, "$['sets']['p']", 1, 87)
      ),
      (#""sets":{"s":["s"]},"hosts":{}"#, (.cyclicName("s"), "$['sets']['s'][0]", 1, 25)),
      (
        #""pins":{"p":|A|},"sets":{"s":["p","t"],"t":["u"],"u":["p","s"]},"hosts":{}"#,
        (.cyclicName("s"), "$['sets']['u'][1]", 1, 120)
      ),
      // A ring that is reached from outside, and used by nothing.
      (
        #""sets":{"o":["s"],"s":["t"],"t":["s"]},"hosts":{}"#,
        (.cyclicName("s"), "$['sets']['t'][0]", 1, 45)
      ),
      (#""denied":["@x"],"hosts":{}"#, (.rule(.unknownName("x")), "$['denied'][0]", 1, 22)),
      (  // KELVIN SIGN is no K, though Swift's strings are equal.
        ##""pins":{"K":|A|},"denied":["@\##u{212a}"],"hosts":{}"##,
        (.rule(.unknownName("\u{212a}")), "$['denied'][0]", 1, 89)
      ),
      (
        ##""pins":{"K":|A|},"sets":{"s":["\##u{212a}"]},"hosts":{}"##,
        (.rule(.unknownName("\u{212a}")), "$['sets']['s'][0]", 1, 92)
      ),
      // Hosts, each in every place that a key may be wrong in.
      (
        #""hosts":{"a.":{"mode":"exempt"},"A":{"mode":"exempt"}}"#,
        (.rule(.sameHost(.root.member("hosts").member("a."))), "$['hosts']['A']", 1, 44)
      ),
      (
        #""hosts":{"ü.example":{"mode":"exempt"},"xn--tda.example":{"mode":"exempt"}}"#,
        (
          .rule(.sameHost(.root.member("hosts").member("ü.example"))),
          "$['hosts']['xn--tda.example']", 1, 51
        )
      ),
      (
        #""hosts":{"*":{"mode":"exempt"},"\u002a":{"mode":"exempt"}}"#,
        (.rule(.json(.duplicateMember("*"))), "$['hosts']['*']", 1, 43)
      ),
      (#""hosts":{"*.a":{}}"#, (.host(.host(.wildcardLabel("a"))), "$['hosts']['*.a']", 1, 21)),
      (#""hosts":{"＊":{}}"#, (.host(.converts("＊", to: "*", .wildcard)), "$['hosts']['＊']", 1, 21)),
      (#""hosts":{"a:1":{}}"#, (.host(.host(.port)), "$['hosts']['a:1']", 1, 21)),
      // Accepted findings.
      (#""lint":{},"hosts":{}"#, (.rule(.wrongType(expected: .array)), "$['lint']", 1, 19)),
      (#""lint":[],"hosts":{}"#, (.rule(.emptyList), "$['lint']", 1, 19)),
      (#""lint":[""],"hosts":{}"#, (.rule(.wrongType(expected: .object)), "$['lint'][0]", 1, 20)),
      (#""lint":[{}],"hosts":{}"#, (.rule(.missingMember), "$['lint'][0]['allow']", 1, 20)),
      (
        #""lint":[{"allow":"x"}],"hosts":{}"#,
        (.rule(.missingMember), "$['lint'][0]['reason']", 1, 20)
      ),
      (
        #""lint":[{"allow":"x","reason":""}],"hosts":{}"#,
        (.emptyText, "$['lint'][0]['reason']", 1, 42)
      ),
      (
        #""lint":[{"allow":1}],"hosts":{}"#,
        (.rule(.wrongType(expected: .string)), "$['lint'][0]['allow']", 1, 29)
      ),
      (#""lint":[{"code":1}],"hosts":{}"#, (.rule(.unknownMember), "$['lint'][0]['code']", 1, 21)),
      (
        #""lint":[{"allow":"x","reason":"y","host":"b"}],"hosts":{"a":{"mode":"exempt"}}"#,
        (.hostWithoutRule, "$['lint'][0]['host']", 1, 53)
      ),
      (
        #""lint":[{"allow":"x","reason":"y","host":"a:1"}],"hosts":{}"#,
        (.host(.host(.port)), "$['lint'][0]['host']", 1, 53)
      ),
      // Text.
      ("\n \"hosts\":{},}", (.rule(.json(.unexpected(expected: "a member's name"))), "$", 2, 13)),
    ] as [(String, Fault)])
  func refuses(members: String, fault: Fault) throws {
    let error = #expect(throws: SourceError.self) {
      try SourceDocument(parsing: source(members))
    }
    let met = try #require(error)
    #expect(met.reason == fault.0)
    #expect(met.path?.description == fault.1)
    #expect([met.line, met.column] == [fault.2, fault.3])
    #expect(met.category == .input)
  }

  @Test("an error says where, what and what to do, and carries its values")
  func message() throws {
    let error = #expect(throws: SourceError.self) {
      try SourceDocument(parsing: source(#""sets":{"s":["s"]},"hosts":{}"#))
    }
    let met = try #require(error)
    #expect(met.code == "cyclic-name")
    #expect(
      met.message
        == "line 1, column 25: $['sets']['s'][0]: the set “s” stands for itself: take one "
        + "of the names on the way out")
    #expect(
      met.detail == [
        JSONMember("path", .string("$['sets']['s'][0]")), JSONMember("line", .integer(1)),
        JSONMember("column", .integer(25)), JSONMember("name", .string("s")),
      ])
  }

  @Test("a document may be in any spelling of hosts, with names, notes and a schema")
  func accepts() throws {
    let document = try SourceDocument(
      parsing: source(
        #"""
        "$schema":"x","hosts":{"BÜCHER.example.":{"spki":{"any":["@s",|A|]},"note":"n"}},
        "sets":{"s":["b","a","b"]},"pins":{"a":|A|,"b":|B|,"again":|A|},
        "lint":[{"reason":"r","allow":"cn-only","host":"bücher.EXAMPLE"},
          {"allow":"x","reason":"y"}, {"allow":"x","reason":"y","host":"*"}]
        """#))
    let payload = try document.policy(window: someTime).payloadBytes(keepNotes: true)
    #expect(
      String(decoding: payload, as: UTF8.self)
        == #"{"aud":"a","exp":2,"hosts":{"xn--bcher-kva.example":{"note":"n","spki":{"any":["#
        + #""\#(pinB)","\#(pinA)","\#(pinB)","\#(pinA)"]}}},"iat":1,"version":1}"#)
    #expect(
      document.acceptedFindings == [
        AcceptedFinding(
          code: "cn-only", pattern: .host(try HostName("xn--bcher-kva.example")), reason: "r"),
        AcceptedFinding(code: "x", pattern: nil, reason: "y"),
        AcceptedFinding(code: "x", pattern: .wildcard, reason: "y"),
      ])
    #expect(document.audience == "a")
    #expect(document.hostKeys == ["BÜCHER.example."])
  }

  @Test("a pin has the first name that it was given")
  func pinNames() throws {
    let document = try SourceDocument(
      parsing: source(#""hosts":{},"pins":{"z":|A|,"a":|A|},"sets":{"s":["z"]}"#))
    #expect(document.name(of: try SPKIPin(pinA)) == "z")
    #expect(document.name(of: try SPKIPin(pinB)) == nil)
  }

  @Test("empty pins and sets are taken, names of 64 characters too")
  func edges() throws {
    let longest = String(repeating: "aZ09._-x", count: 8)
    _ = try SourceDocument(parsing: source(#""pins":{},"sets":{},"hosts":{}"#))
    _ = try SourceDocument(
      parsing: source(#""pins":{"\#(longest)":|A|},"denied":["@\#(longest)"],"hosts":{}"#))
  }

  @Test("what signing refuses by its limits is refused here, each limit one above")
  func limits() throws {
    var limits = Limits.standard
    limits.hosts = 1
    let two = source(#""hosts":{"a":{"mode":"exempt"},"b":{"mode":"exempt"}}"#)
    _ = try SourceDocument(parsing: two)
    let error = #expect(throws: SourceError.self) {
      try SourceDocument(parsing: two, limits: limits)
    }
    #expect(error?.reason == .rule(.limit(.hosts, most: 1)))
    #expect(error?.category == .limit)
    #expect(error?.path?.description == "$['hosts']")
  }
}
