import PinPolicy
import StrictJSON
import Testing

@testable import PolicyAuthoring

@Suite("Source documents in profile cnpinning")
struct ProfileTests {
  private static let chain = #"[[{"type":"exact","value":"R"},{"type":"suffix","value":".x"}]]"#

  @Test(
    "lists every place that does not fit",
    arguments: [
      (#""refreshHint":60,"hosts":{}"#, [("$['refreshHint']", .member)]),
      (#""reportTo":["https://r.example/"],"hosts":{}"#, [("$['reportTo']", .member)]),
      (#""denied":[|A|],"hosts":{}"#, [("$['denied']", .member)]),
      (#""hosts":{"A.":{"mode":"exempt"}}"#, [("$['hosts']['A.']['mode']", .mode)]),
      (
        #""hosts":{"a":{"mode":"report","chains":\#(chain)}}"#,
        [("$['hosts']['a']['mode']", .mode)]
      ),
      (
        #""hosts":{"a":{"includesSubdomains":true,"chains":\#(chain)}}"#,
        [("$['hosts']['a']['includesSubdomains']", .subdomains)]
      ),
      (#""hosts":{"a":{"spki":{"any":[|A|]}}}"#, [("$['hosts']['a']['spki']", .digests)]),
      (#""hosts":{"a":{"spki":{"leaf":[|A|]}}}"#, [("$['hosts']['a']['spki']", .digests)]),
      (#""hosts":{"a":{"spki":{"ca":[|A|]}}}"#, [("$['hosts']['a']['spki']", .digests)]),
      (#""hosts":{"a":{"spki":{"anchor":[|A|]}}}"#, [("$['hosts']['a']['spki']", .digests)]),
      (
        #""hosts":{"a":{"chains":[[{"type":"exact","value":"R"}],[{"type":"exact","value":"R"},{"type":"any"}]]}}"#,
        [("$['hosts']['a']['chains'][1][1]", .anyLink)]
      ),
      (#""hosts":{"IAT":{"chains":\#(chain)}}"#, [("$['hosts']['IAT']", .reservedName)]),
      (#""hosts":{"exp":{"chains":\#(chain)}}"#, [("$['hosts']['exp']", .reservedName)]),
      (#""hosts":{"iss.":{"chains":\#(chain)}}"#, [("$['hosts']['iss.']", .reservedName)]),
      (#""hosts":{"sub":{"chains":\#(chain)}}"#, [("$['hosts']['sub']", .reservedName)]),
      (#""hosts":{"aud":{"chains":\#(chain)}}"#, [("$['hosts']['aud']", .reservedName)]),
      (#""hosts":{"nbf":{"chains":\#(chain)}}"#, [("$['hosts']['nbf']", .reservedName)]),
      (#""hosts":{"jti":{"chains":\#(chain)}}"#, [("$['hosts']['jti']", .reservedName)]),
      (
        #"""
        "denied":[|A|],"refreshHint":60,
        "hosts":{"exp":{"mode":"report","spki":{"any":[|A|]}},"b":{"mode":"exempt"}}
        """#,
        [
          ("$['refreshHint']", .member), ("$['denied']", .member),
          ("$['hosts']['exp']", .reservedName),
          ("$['hosts']['exp']['mode']", .mode), ("$['hosts']['exp']['spki']", .digests),
          ("$['hosts']['b']['mode']", .mode),
        ]
      ),
    ] as [(String, [(String, ProfileMisfit.Kind)])])
  func misfits(members: String, places: [(String, ProfileMisfit.Kind)]) throws {
    let document = try SourceDocument(parsing: source(members))
    let error = #expect(throws: ProfileMisfits.self) {
      try document.policy(window: someTime, profile: .cnpinning)
    }
    let misfits = try #require(error).misfits
    #expect(misfits.map(\.path.description) == places.map(\.0))
    #expect(misfits.map(\.kind) == places.map(\.1))
    #expect(error?.category == .input)
    _ = try document.policy(window: someTime)  // the other profile can say all of it
  }

  @Test(
    "takes what means the same there",
    arguments: [
      #""hosts":{"a":{"mode":"enforce","chains":\#(chain)}}"#,
      #""hosts":{"a":{"includesSubdomains":false,"chains":\#(chain)}}"#,
      #""hosts":{"a":{"require":"all","chains":\#(chain)}}"#,
      #""hosts":{"a":{"require":"any","chains":\#(chain)}}"#,
      #""hosts":{"a":{"note":"n","chains":\#(chain)}}"#,
      #""iss":"b","hosts":{"a":{"chains":\#(chain)}}"#,
      #""pins":{"p":|A|},"lint":[{"allow":"cn-only","reason":"r"}],"hosts":{"A.":{"chains":\#(chain)}}"#,
    ])
  func fits(members: String) throws {
    let policy = try SourceDocument(parsing: source(members))
      .policy(window: someTime, profile: .cnpinning)
    let payload = String(decoding: policy.payloadBytes(keepNotes: true), as: UTF8.self)
    #expect(payload == #"{"a":\#(Self.chain),"exp":2,"iat":1}"#)
  }

  @Test("says what is left out")
  func omissions() throws {
    let plain = try SourceDocument(parsing: source(#""hosts":{}"#))
    let issued = try SourceDocument(parsing: source(#""iss":"i","hosts":{}"#))
    let aud = "aud “a” is left out, profile cnpinning has no audience: use one key for each tenant"
    let iss = "iss “i” is left out, profile cnpinning has no issuer"
    #expect(plain.omissions(for: .standard) == [])
    #expect(plain.omissions(for: .cnpinning) == [aud])
    #expect(issued.omissions(for: .cnpinning) == [aud, iss])
  }

  @Test("a refusal names the first places for people and all of them in detail")
  func message() throws {
    let document = try SourceDocument(
      parsing: source(
        #""hosts":{"a":{"mode":"exempt"},"b":{"mode":"exempt"},"c":{"mode":"exempt"},"d":{"mode":"exempt"}}"#
      ))
    let error = try #require(
      #expect(throws: ProfileMisfits.self) {
        try document.policy(window: someTime, profile: .cnpinning)
      })
    #expect(
      error.message == "the policy needs what profile cnpinning cannot say: "
        + "$['hosts']['a']['mode']: every rule is enforced; "
        + "$['hosts']['b']['mode']: every rule is enforced; "
        + "$['hosts']['c']['mode']: every rule is enforced; and 1 more")
    let all = ["a", "b", "c", "d"].map { host in
      JSONValue.object([
        JSONMember("path", .string("$['hosts']['\(host)']['mode']")),
        JSONMember("reason", .string("every rule is enforced")),
      ])
    }
    #expect(error.detail == [JSONMember("misfits", .array(all))])
  }
}
