import Foundation
import PinPolicy
import PolicyAuthoring
import TestSupport
import Testing

private let digest = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
private let pins = #""spki":{"any":["\#(digest)"]}"#

private func document(_ members: String) -> String { #"{"aud":"a","hosts":{},\#(members)}"# }
private func host(_ key: String, _ rule: String = "{\(pins)}") -> String {
  #"{"aud":"a","hosts":{"\#(key)":\#(rule)}}"#
}
private func rule(_ members: String) -> String { host("a.example", "{\(members)}") }
private func link(_ link: String) -> String { rule(#""chains":[[\#(link)]]"#) }
private func list(_ count: Int, _ element: String) -> String {
  Array(repeating: element, count: count).joined(separator: ",")
}

private func hosts(_ count: Int) -> String {
  (0..<count).map { #""h\#($0)":{"mode":"exempt"}"# }.joined(separator: ",")
}

@Suite("policy.schema.json, judged by another implementation of JSON Schema")
struct SchemaTests {
  @Test("every example fits, and the starter policy")
  func examples() throws {
    let folder = SchemaValidator.schema.deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") && $0 != "policy.schema.json" }.sorted()
    #expect(files.count >= 4)
    let texts = try files.map {
      [UInt8](try Data(contentsOf: folder.appendingPathComponent($0)))
    }
    let faults = try SchemaValidator.faults(in: texts + [Array(StarterPolicy.text.utf8)])
    SchemaValidator.report("examples", ran: faults?.count)
    guard let faults else { return }
    for (name, faults) in zip(files + ["the starter policy"], faults) {
      #expect(faults == [], "\(name)")
    }
    #expect(faults.count == files.count + 1)
  }

  /// A rule of the source document in each row, and where the schema says that it is broken.
  static let refused: [(String, String, String)] = [
    ("the document is an object", "[]", "type"),
    ("aud is required", #"{"hosts":{}}"#, "required"),
    ("hosts is required", #"{"aud":"a"}"#, "required"),
    ("aud has a character", #"{"aud":"","hosts":{}}"#, "aud pattern"),
    ("aud has no space", #"{"aud":"a b","hosts":{}}"#, "aud pattern"),
    ("aud has no line feed at its end", #"{"aud":"a\n","hosts":{}}"#, "aud pattern"),
    (
      "aud has 255 characters", #"{"aud":"\#(String(repeating: "a", count: 256))","hosts":{}}"#,
      "aud pattern"
    ),
    ("iss is as aud", document(#""iss":"\u00e9""#), "iss pattern"),
    ("iss is text", document(#""iss":null"#), "iss type"),
    ("sign stamps version", document(#""version":1"#), "additionalProperties"),
    ("sign stamps iat", document(#""iat":1"#), "additionalProperties"),
    ("sign stamps exp", document(#""exp":1"#), "additionalProperties"),
    ("audience is spelt aud", document(#""audience":"a""#), "additionalProperties"),
    ("$schema is text", document(#""$schema":1"#), "$schema type"),
    ("refreshHint from 60", document(#""refreshHint":59"#), "refreshHint minimum"),
    ("refreshHint to 30 days", document(#""refreshHint":2592001"#), "refreshHint maximum"),
    ("refreshHint is whole", document(#""refreshHint":60.5"#), "refreshHint type"),
    ("reportTo has a URL", document(#""reportTo":[]"#), "reportTo minItems"),
    (
      "reportTo has four",
      document(#""reportTo":["https://a","https://b","https://c","https://d","https://e"]"#),
      "reportTo maxItems"
    ),
    (
      "reportTo has no URL twice", document(#""reportTo":["https://a","https://a"]"#),
      "reportTo uniqueItems"
    ),
    ("a URL is https", document(#""reportTo":["http://a/"]"#), "reportTo/0 pattern"),
    (
      "a URL's scheme is in lower case", document(#""reportTo":["HTTPS://a/"]"#),
      "reportTo/0 pattern"
    ),
    (
      "a URL's host is in lower case", document(#""reportTo":["https://A/"]"#), "reportTo/0 pattern"
    ),
    ("a URL has no user", document(#""reportTo":["https://u@a/"]"#), "reportTo/0 pattern"),
    ("a URL has no fragment", document(#""reportTo":["https://a/#x"]"#), "reportTo/0 pattern"),
    ("a URL has no backslash", document(#""reportTo":["https://a/\\"]"#), "reportTo/0 pattern"),
    (
      "a port has no leading zero", document(#""reportTo":["https://a:0443/"]"#),
      "reportTo/0 pattern"
    ),
    (
      "a URL has 2048 bytes",
      document(#""reportTo":["https://a/\#(String(repeating: "a", count: 2039))"]"#),
      "reportTo/0 maxLength"
    ),
    ("denied has a pin", document(#""denied":[]"#), "denied minItems"),
    ("hosts is an object", #"{"aud":"a","hosts":[]}"#, "hosts type"),
    ("a host has no port", host("a.example:443"), "hosts additionalProperties"),
    ("a host has no scheme", host("https://a.example"), "hosts additionalProperties"),
    ("a host has no empty label", host("a..example"), "hosts additionalProperties"),
    ("a host has one trailing dot", host("a.example.."), "hosts additionalProperties"),
    ("a host is not empty", host(""), "hosts additionalProperties"),
    ("a host has no white space", host("a.example\\n"), "hosts additionalProperties"),
    ("a wildcard stands alone", host("*.example"), "hosts additionalProperties"),
    ("the wildcard has no dot", host("*."), "hosts additionalProperties"),
    ("a label begins with no hyphen", host("-a.example"), "hosts additionalProperties"),
    ("a label ends with no hyphen", host("a-.example"), "hosts additionalProperties"),
    (
      "a label has 63 bytes", host(String(repeating: "a", count: 64) + ".example"),
      "hosts additionalProperties"
    ),
    (
      "a name has 253 bytes", host(String(repeating: "a.", count: 126) + "aa"),
      "hosts additionalProperties"
    ),
    ("a last label of digits is no name", host("a.1"), "hosts additionalProperties"),
    ("a last label in hexadecimal is no name", host("a.0x1"), "hosts additionalProperties"),
    ("an octet is at most 255", host("192.0.2.256"), "hosts additionalProperties"),
    ("an octet has no leading zero", host("192.0.2.01"), "hosts additionalProperties"),
    ("an address has no brackets", host("[2001:db8::1]"), "hosts additionalProperties"),
    ("an address has no zone", host("fe80::1%eth0"), "hosts additionalProperties"),
    ("an address has eight groups", host("1:2:3:4:5:6:7"), "hosts additionalProperties"),
    ("an address is not IPv4-mapped", host("::ffff:192.0.2.1"), "hosts additionalProperties"),
    (
      "a U-label stands beside no slash", host("b\u{FC}cher.example/x"),
      "hosts additionalProperties"
    ),
    (
      "U-labels have no empty one beside", host("b\u{FC}cher..example"),
      "hosts additionalProperties"
    ),
    ("a rule is an object", host("a.example", "[]"), "hosts/a.example type"),
    ("a rule has pins", rule(""), "hosts/a.example anyOf"),
    ("a rule that reports has pins", rule(#""mode":"report""#), "hosts/a.example anyOf"),
    (
      "a rule's members are known", rule(pins + #","pin":1"#),
      "hosts/a.example additionalProperties"
    ),
    ("a mode is one of three", rule(pins + #","mode":"Enforce""#), "hosts/a.example/mode enum"),
    ("an exempt rule has no spki", rule(pins + #","mode":"exempt""#), "hosts/a.example/spki false"),
    (
      "an exempt rule has no chains", rule(#""chains":[[{"type":"any"}]],"mode":"exempt""#),
      "hosts/a.example/chains false"
    ),
    (
      "an exempt rule has no require", rule(#""require":"all","mode":"exempt""#),
      "hosts/a.example/require false"
    ),
    (
      "includesSubdomains is a boolean", rule(pins + #","includesSubdomains":1"#),
      "hosts/a.example/includesSubdomains type"
    ),
    (
      "the wildcard has no includesSubdomains", host("*", "{\(pins),\"includesSubdomains\":false}"),
      "hosts/*/includesSubdomains false"
    ),
    (
      "an address has no includesSubdomains",
      host("192.0.2.1", "{\(pins),\"includesSubdomains\":true}"),
      "hosts/192.0.2.1/includesSubdomains false"
    ),
    ("require is all or any", rule(pins + #","require":"one""#), "hosts/a.example/require enum"),
    ("a note is text", rule(pins + #","note":1"#), "hosts/a.example/note type"),
    (
      "a note has no control character", rule(pins + #","note":"\n""#),
      "hosts/a.example/note pattern"
    ),
    (
      "a note has no Bidi_Control", rule(pins + #","note":"\u202e""#),
      "hosts/a.example/note pattern"
    ),
    (
      "a note has 1024 bytes",
      rule(pins + #","note":"\#(String(repeating: "a", count: 1025))""#),
      "hosts/a.example/note maxLength"
    ),
    ("chains has a chain", rule(#""chains":[]"#), "hosts/a.example/chains minItems"),
    (
      "chains has 64", rule(#""chains":[\#(list(65, #"[{"type":"any"}]"#))]"#),
      "hosts/a.example/chains maxItems"
    ),
    ("a chain has a link", rule(#""chains":[[]]"#), "hosts/a.example/chains/0 minItems"),
    (
      "a chain has 32 links", link(list(33, #"{"type":"any"}"#)),
      "hosts/a.example/chains/0 maxItems"
    ),
    ("a link has a type", link(#"{"value":"a"}"#), "hosts/a.example/chains/0/0 required"),
    (
      "a link's type is one of five", link(#"{"type":"regex","value":"a"}"#),
      "hosts/a.example/chains/0/0/type enum"
    ),
    ("a link has a value", link(#"{"type":"exact"}"#), "hosts/a.example/chains/0/0 required"),
    (
      "any has no value", link(#"{"type":"any","value":"a"}"#),
      "hosts/a.example/chains/0/0/value false"
    ),
    (
      "a value has a character", link(#"{"type":"exact","value":""}"#),
      "hosts/a.example/chains/0/0/value minLength"
    ),
    (
      "a value has 1024 scalars",
      link(#"{"type":"exact","value":"\#(String(repeating: "\u{1F600}", count: 1025))"}"#),
      "hosts/a.example/chains/0/0/value maxLength"
    ),
    (
      "a value has no control character", link(#"{"type":"exact","value":"a\u0085"}"#),
      "hosts/a.example/chains/0/0/value pattern"
    ),
    (
      "a link's members are known", link(#"{"type":"exact","value":"a","case":"fold"}"#),
      "hosts/a.example/chains/0/0 additionalProperties"
    ),
    ("spki has a kind", rule(#""spki":{}"#), "hosts/a.example/spki minProperties"),
    (
      "spki's kinds are four", rule(#""spki":{"root":["\#(digest)"]}"#),
      "hosts/a.example/spki additionalProperties"
    ),
    ("a kind has a pin", rule(#""spki":{"ca":[]}"#), "hosts/a.example/spki/ca minItems"),
    (
      "a kind has 256 pins", rule(#""spki":{"leaf":[\#(list(257, "\"\(digest)\""))]}"#),
      "hosts/a.example/spki/leaf maxItems"
    ),
    (
      "a pin begins with sha256/", rule(#""spki":{"any":["sha1\#(digest.dropFirst(6))"]}"#),
      "hosts/a.example/spki/any/0 pattern"
    ),
    (
      "a pin has no spare bits", rule(#""spki":{"any":["\#(digest.dropLast(2))B="]}"#),
      "hosts/a.example/spki/any/0 pattern"
    ),
    (
      "a pin is in standard Base64", rule(#""spki":{"any":["sha256/_\#(digest.dropFirst(8))"]}"#),
      "hosts/a.example/spki/any/0 pattern"
    ),
    (
      "a reference has a name", rule(#""spki":{"any":["@"]}"#), "hosts/a.example/spki/any/0 pattern"
    ),
    (
      "a name is at most 64 long",
      document(#""pins":{"\#(String(repeating: "a", count: 65))":"\#(digest)"}"#), "pins pattern"
    ),
    ("a name has no space", document(#""pins":{"a b":"\#(digest)"}"#), "pins pattern"),
    ("a named pin is a digest", document(#""pins":{"a":"@b"}"#), "pins/a pattern"),
    ("a set has a member", document(#""sets":{"a":[]}"#), "sets/a minItems"),
    ("a set lists bare names", document(#""sets":{"a":["@a"]}"#), "sets/a/0 pattern"),
    ("a set is a list", document(#""sets":{"a":"b"}"#), "sets/a type"),
    ("lint has a finding", document(#""lint":[]"#), "lint minItems"),
    ("a finding is allowed by code", document(#""lint":[{"reason":"r"}]"#), "lint/0 required"),
    ("a finding has a reason", document(#""lint":[{"allow":"x"}]"#), "lint/0 required"),
    (
      "a reason says something", document(#""lint":[{"allow":"x","reason":""}]"#),
      "lint/0/reason minLength"
    ),
    (
      "a finding's members are known",
      document(#""lint":[{"allow":"x","reason":"r","until":"y"}]"#),
      "lint/0 additionalProperties"
    ),
    ("reportTo is a list", document(#""reportTo":"https://a""#), "reportTo type"),
    ("a URL is text", document(#""reportTo":[null]"#), "reportTo/0 type"),
    ("hosts has 10000 members", #"{"aud":"a","hosts":{\#(hosts(10_001))}}"#, "hosts maxProperties"),
    ("the wildcard's rule is a rule", host("*", "{}"), "hosts/* anyOf"),
    ("chains is a list", rule(#""chains":{}"#), "hosts/a.example/chains type"),
    ("a chain is a list", rule(#""chains":[{}]"#), "hosts/a.example/chains/0 type"),
    ("a link is an object", link("[]"), "hosts/a.example/chains/0/0 type"),
    (
      "a value is text", link(#"{"type":"exact","value":1}"#),
      "hosts/a.example/chains/0/0/value type"
    ),
    ("spki is an object", rule(#""spki":[]"#), "hosts/a.example/spki type"),
    ("a kind is a list", rule(#""spki":{"any":"\#(digest)"}"#), "hosts/a.example/spki/any type"),
    ("a pin is text", rule(#""spki":{"anchor":[null]}"#), "hosts/a.example/spki/anchor/0 type"),
    ("pins is an object", document(#""pins":[]"#), "pins type"),
    ("a named pin is text", document(#""pins":{"a":null}"#), "pins/a type"),
    ("sets is an object", document(#""sets":[]"#), "sets type"),
    (
      "a set's name is a name", document(#""pins":{"a":"\#(digest)"},"sets":{"@s":["a"]}"#),
      "sets pattern"
    ),
    ("a set lists text", document(#""sets":{"a":[null]}"#), "sets/a/0 type"),
    ("lint is a list", document(#""lint":{}"#), "lint type"),
    ("a finding is an object", document(#""lint":["x"]"#), "lint/0 type"),
    ("a code is text", document(#""lint":[{"allow":1,"reason":"r"}]"#), "lint/0/allow type"),
    (
      "a code says something", document(#""lint":[{"allow":"","reason":"r"}]"#),
      "lint/0/allow minLength"
    ),
    ("a reason is text", document(#""lint":[{"allow":"x","reason":1}]"#), "lint/0/reason type"),
    (
      "a finding's host is text", document(#""lint":[{"allow":"x","reason":"r","host":1}]"#),
      "lint/0/host type"
    ),
  ]

  @Test("a document that breaks a rule is refused, by the schema and by the parser")
  func brokenDocuments() throws {
    let documents = Self.refused.map { Array($0.1.utf8) }
    let found = try SchemaValidator.faults(in: documents)
    SchemaValidator.report("broken documents", ran: found?.count)
    for (row, document) in zip(Self.refused, documents) {
      #expect(throws: SourceError.self, "\(row.0)") {
        _ = try SourceDocument(parsing: document)
      }
    }
    guard let found else { return }
    for (row, faults) in zip(Self.refused, found) { #expect(faults == [row.2], "\(row.0)") }
    #expect(found.count == Self.refused.count)
  }

  /// What stands at the edge of a rule and is good.
  static let accepted: [String] = [
    #"{"aud":"a","hosts":{}}"#,
    #"{"aud":"\#(String(repeating: "~", count: 255))","iss":"!","hosts":{}}"#,
    document(#""$schema":"","refreshHint":60,"denied":["\#(digest)"],"pins":{},"sets":{}"#),
    document(#""refreshHint":2592000"#),
    document(
      #""reportTo":["https://a","https://a.example:65535/?q=@[]{}|~","https://[2001:db8::1]:1/x","https://192.0.2.1/"]"#
    ),
    document(#""reportTo":["https://a/\#(String(repeating: "a", count: 2038))"]"#),
    document(#""pins":{"A-z_0.9":"\#(digest)"},"sets":{"s":["A-z_0.9"]},"denied":["@s"]"#),
    host("*"), host("A.Example."), host("_a.b-c.x1"), host("b\u{FC}cher.example."),
    host("xn--bcher-kva.example"), host("1.example"), host("localhost"),
    host(String(repeating: "a", count: 63) + ".example"),
    host(String(repeating: "a.", count: 126) + "a"),
    host(String(repeating: "a.", count: 126) + "a."),
    host("192.0.2.1"), host("255.255.255.255."), host("0.0.0.0"),
    host("2001:DB8:0:0:0:0:0:1"), host("::"), host("::1."), host("1::"), host("1:2:3:4:5:6:7::"),
    host("64:ff9b::192.0.2.1"), host("1:2:3:4:5:6:192.0.2.1"), host("::ffff:0:0:1"),
    rule(#""mode":"exempt","includesSubdomains":true,"note":"""#),
    rule(pins + #","mode":"report","require":"any","includesSubdomains":false"#),
    rule(pins + #","note":"\#(String(repeating: "a", count: 1024))""#),
    link(#"{"type":"any"}"#),
    link(#"{"type":"suffix","value":"\#(String(repeating: "\u{1F600}", count: 1024))"}"#),
    link(#"{"type":"prefix","value":"\u00a0\u200b\u2028"}"#),
    link(list(32, #"{"type":"any"}"#)),
    rule(#""chains":[\#(list(64, #"[{"type":"any"}]"#))]"#),
    rule(#""spki":{"any":[\#(list(256, "\"\(digest)\""))]}"#),
    #"{"aud":"a","hosts":{"*":{"mode":"exempt"}},"lint":[{"allow":"x","host":"*","reason":"r"}]}"#,
  ]

  @Test("a document at the edge of the rules is taken, by the schema and by the parser")
  func goodDocuments() throws {
    let documents = Self.accepted.map { Array($0.utf8) }
    let found = try SchemaValidator.faults(in: documents)
    SchemaValidator.report("good documents", ran: found?.count)
    for (text, document) in zip(Self.accepted, documents) {
      #expect(throws: Never.self, "\(text.prefix(200))") {
        _ = try SourceDocument(parsing: document)
      }
    }
    guard let found else { return }
    for (text, faults) in zip(Self.accepted, found) { #expect(faults == [], "\(text.prefix(200))") }
    #expect(found.count == Self.accepted.count)
  }

  @Test("the shared documents: what is good fits, and what does not fit is bad")
  func sharedDocuments() throws {
    let file = "standard/source.jsonl"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    let cases = try Vectors.lines(file)
    let found = try SchemaValidator.faults(
      in: cases.map { item in
        if let text = item.string("source") { return Array(text.utf8) }
        if let text = item.string("source_b64") {
          return [UInt8](Data(base64Encoded: text) ?? Data())
        }
        return Case.joined(item.list("recipe"))
      })
    SchemaValidator.report(file, ran: found?.count)
    guard let found else { return }
    /// What a schema can't see.
    let unseen: Set = [
      "duplicate-member", "same-host", "bad-host", "unknown-name", "cyclic-name", "same-name",
      "limit",
    ]
    for (item, faults) in zip(cases, found) {
      if item.string("expect") == "accept" {
        #expect(faults == [], "\(item.id)")
      } else if !unseen.contains(item.string("reason") ?? "") {
        #expect(faults != [], "\(item.id)")
      }
    }
    #expect(found.count == 204)
  }
}
