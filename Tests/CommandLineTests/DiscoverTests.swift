import Foundation
import LoopbackTLS
import TestSupport
import Testing

@Suite("discover")
struct DiscoverTests {
  private let folder: ServerSession
  private let root: TestCertificate
  private let identities: [ServerIdentity]

  init() throws {
    folder = try ServerSession()
    let root = try TestCertificate.root("Discover Root X1")
    self.root = root
    identities = try [("E7", TestKey.Kind.p256), ("RSA CA 12", .rsa(2048))].map { name, key in
      let authority = try root.issue(.authority(name))
      return ServerIdentity(
        try authority.issue(.server("a.test", "mail.test").with { $0.key = key }),
        above: [authority])
    }
    try folder.write([root], to: "root.pem")
  }

  private func server(_ options: LoopbackServer.Options = .init()) throws -> LoopbackServer {
    let identities = identities
    return try LoopbackServer(options) { _ in identities }
  }

  @Test("both chains are shown root first, and what was not sent is said")
  func text() throws {
    let server = try server()
    let command = "policyctl discover a.test --connect \(server.place)"
    let outcome = try folder.session.run(command + " --anchors-only root.pem")
    let pins = try [root, identities[0].above[0], identities[0].leaf].map { try $0.pin }
    let met = lines(of: outcome.outputText)
    let expected = [
      "a.test:443: EC P-256, TLSv1.3, TLS_{*}",
      "  trusted (revocation not looked up (no --crl)); root first:",
      "    0  “Discover Root X1”  \(pins[0])  EC P-256, until {*}, not sent, from the trust store",
      "    1  “E7”                \(pins[1])  EC P-256, until {*}",
      "    2  “a.test”            \(pins[2])  EC P-256, until {*}",
      "a.test:443: RSA 2048, TLSv1.3, TLS_{*}", "  trusted{*}; root first:", "    0  {*}",
      "    1  “RSA CA 12”{*}", "    2  “a.test”{*}RSA 2048, until {*}",
    ]
    #expect(met.count == 10 && zip(met, expected).allSatisfy { matches($0, $1) }, "\(met)")
    #expect(outcome.status == 0 && outcome.errorText.isEmpty)
    let untrusted = try folder.session.run(command)
    #expect(untrusted.errorText.contains("leads to no trust anchor"))
    #expect(untrusted.errorText.contains("give it with --anchors FILE"))
    let strange = lines(of: untrusted.outputText)
    #expect(strange[1] == "  not trusted (untrusted); what was sent, the leaf last:")
    #expect(strange[2].hasPrefix("    -  not sent: “") && strange[2].contains("Discover Root X1"))
    let other = try folder.session.run(
      "policyctl discover b.test --connect \(server.place) --anchors-only root.pem -q")
    #expect(lines(of: other.outputText)[2].hasPrefix("    -  not sent, but in the trust store: “"))
  }

  @Test("names and pins stand one a line, an empty line between chains")
  func listed() throws {
    let server = try server()
    let command =
      "policyctl discover a.test --connect \(server.place) --anchors-only root.pem --format "
    #expect(
      lines(of: try folder.session.run(command + "names").outputText)
        == ["Discover Root X1", "E7", "a.test", "", "Discover Root X1", "RSA CA 12", "a.test"])
    let chains = identities.map { [root, $0.above[0], $0.leaf] }
    #expect(
      lines(of: try folder.session.run(command + "pins").outputText)
        == (try chains[0].map { try $0.pin } + [""] + chains[1].map { try $0.pin }))
  }

  @Test("a certificate without one Common Name has a line that says so")
  func nameless() throws {
    let authority = try root.issue(.authority("E7").with { $0.commonNames = ["A", "B"] })
    let leaf = try authority.issue(.server("a.test", "b.test").with { $0.commonNames = [] })
    let server = try LoopbackServer(
      ServerIdentity(
        leaf, above: [authority]))
    let outcome = try folder.session.run(
      "policyctl discover a.test b.test --connect \(server.place) --anchors-only root.pem -q "
        + "--format names")
    let names = [
      "Discover Root X1", "(several Common Names: “A” and “B”)", "(no Common Name)",
    ]
    #expect(lines(of: outcome.outputText) == names + [""] + names)
  }

  @Test("a host that is asked twice gets one rule, for all its certificates")
  func merged() throws {
    let servers = try identities.map { identity in
      let authority = identity.above[0]
      let leaf = try authority.issue(.server("127.0.0.1"))
      return try LoopbackServer(ServerIdentity(leaf, above: [authority]))
    }
    let command =
      "policyctl discover \(servers[0].place) \(servers[1].place) -q --anchors-only root.pem --format "
    let found = try folder.session.run(command + "policy")
    #expect(found.outputText.ranges(of: "\"127.0.0.1\"").count == 1, "\(found.outputText)")
    for name in ["E", "RSA CA "] { #expect(found.outputText.contains("\"\(name)\"")) }
    let plist = try folder.session.run(command + "cnpinning-plist")
    #expect(plist.outputText.ranges(of: "<key>127.0.0.1</key>").count == 1)
    for name in ["E", "RSA CA "] { #expect(plist.outputText.contains("<string>\(name)</string>")) }
  }

  @Test("a proposed rule can be pasted, and accepts the server that it was made from")
  func proposal() throws {
    let server = try server()
    let found = try folder.session.run(
      "policyctl discover a.test --connect \(server.place) --anchors-only root.pem --format policy")
    #expect(found.status == 0)
    #expect(lines(of: found.errorText).first?.contains("this only proposes") == true)
    #expect(found.errorText.contains("“E” and a number is a short name"))
    #expect(found.errorText.contains("there is no backup"))
    try folder.write(#"{"aud":"t","hosts":\#(found.outputText)}"#, to: "policy.json")
    let rule = Case(
      object: try #require(
        try JSONSerialization.jsonObject(with: Data(found.outputText.utf8)) as? [String: Any])
    ).child("a.test")
    #expect(rule?.child("spki")?.strings("anchor") == [try root.pin])
    let values = (rule?.object["chains"] as? [[[String: String]]])?.map { chain in
      chain.map { "\($0["type"] ?? "?") \($0["value"] ?? "")" }
    }
    #expect(
      values == [
        ["prefixWithNumber Discover Root X", "prefixWithNumber E", "any "],
        ["prefixWithNumber Discover Root X", "prefixWithNumber RSA CA ", "any "],
      ])
    let check = try folder.json(
      "policyctl check policy.json -q --json --anchors t=root.pem --connect \(server.place)")
    #expect(check.status == 0 && check.lines.map { $0.string("verdict") } == ["accepted"])
  }

  @Test("names beyond ASCII make a document that is one")
  func beyondASCII() throws {
    let foreign = try TestCertificate.root("Überwurzel \u{202e}3")
    try folder.write([foreign], to: "root.pem")
    let server = try LoopbackServer(ServerIdentity(try foreign.issue(.server("a.test"))))
    for format in ["policy --includes-subdomains", "policy"] {
      let found = try folder.session.run(
        "policyctl discover a.test --connect \(server.place) --anchors-only root.pem -q "
          + "--format \(format)")
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(found.outputText.utf8))
      }
      #expect(lines(of: found.outputText).count > 5)
    }
  }

  @Test("the property list for CNPinning has what its readers ask for")
  func plist() throws {
    let server = try server()
    let found = try folder.session.run(
      "policyctl discover a.test --connect \(server.place) --anchors-only root.pem "
        + "--format cnpinning-plist --includes-subdomains -q")
    let plist = try PropertyListSerialization.propertyList(
      from: Data(found.outputText.utf8), format: nil)
    let domains =
      ((plist as? [String: Any])?["CNPinningManager"] as? [String: Any])?[
        "PinnedDomains"] as? [String: Any]
    let domain = domains?["a.test"] as? [String: Any]
    #expect(domain?["includesSubdomains"] as? Bool == true)
    let chains = domain?["chainSet"] as? [[[String: String]]]
    #expect(
      chains == [
        [
          ["type": "prefixWithNumber", "value": "Discover Root X"],
          ["type": "prefixWithNumber", "value": "E"], ["type": "exact", "value": "a.test"],
        ],
        [
          ["type": "prefixWithNumber", "value": "Discover Root X"],
          ["type": "prefixWithNumber", "value": "RSA CA "], ["type": "exact", "value": "a.test"],
        ],
      ])
  }

  @Test("nothing is proposed for a server that is not trusted")
  func untrusted() throws {
    let server = try server()
    for format in ["policy", "cnpinning-plist", "names", "pins"] {
      let found = try folder.session.run(
        "policyctl discover a.test --connect \(server.place) --format \(format) -q")
      #expect(found.status == 1 && found.outputText.isEmpty)
      #expect(found.errorText.contains("refused (trust)"))
    }
  }

  @Test("one server that is not reached does not keep the others from being shown")
  func several() throws {
    let server = try server()
    let outcome = try folder.json(
      "policyctl discover dead.test a.test 'b ad' --connect \(server.place) "
        + "--connect dead.test=127.0.0.1:1 --anchors-only root.pem --json -q")
    #expect(outcome.status == 4)
    #expect(
      outcome.lines.map { $0.child("error")?.string("category") } == ["network", nil, "usage"])
    #expect(outcome.lines[1].list("chains").map { $0.string("key") } == ["EC P-256", "RSA 2048"])
  }

  @Test("servers are asked at once, and shown in the order in which they were named")
  func manyAtOnce() throws {
    let (server, silent) = (try server(), try ServerSession.silent())
    let start = Date()
    let outcome = try folder.json(
      "policyctl discover s0.test s1.test s2.test a.test s3.test s4.test --timeout 2s --json -q "
        + "--connect \(silent.place) --connect a.test=\(server.place) --anchors-only root.pem")
    #expect(-start.timeIntervalSinceNow < 8, "five timeouts, one after another, are 10 s")
    #expect(outcome.status == 4)
    #expect(
      outcome.lines.map { $0.string("host") }
        == ["s0.test", "s1.test", "s2.test", "a.test", "s3.test", "s4.test"])
    #expect(outcome.lines[3].list("chains").map { $0.string("revocation") } == ["none", "none"])
  }

  @Test("Ctrl-C stops at once, and shows those that have answered")
  func interruption() throws {
    let (server, silent) = (try server(), try ServerSession.silent())
    let stopped = try folder.interrupted(
      [
        "discover", "s0.test", "a.test", "s1.test", "-q", "--json", "--timeout", "60s",
        "--connect", silent.place, "--connect", "a.test=\(server.place)", "--anchors-only",
        "root.pem",
      ], waitingFor: silent, 2)
    #expect(stopped.status == 4 && stopped.seconds < 10)
    #expect(stopped.errors == "interrupted: 1 of 3 servers were asked\n")
    #expect(stopped.output.hasPrefix(#"{"host":"a.test","port":443,"#))
    #expect(lines(of: stopped.output).count == 1)
  }

  @Test("STARTTLS goes to the protocol's port unless another is given")
  func startTLS() throws {
    var options = LoopbackServer.Options()
    options.prelude = { socket in
      _ = "* OK hi\r\n".withCString { write(socket, $0, 9) }
      var line: [UInt8] = []
      var byte: UInt8 = 0
      while read(socket, &byte, 1) == 1, byte != 0x0a { line.append(byte) }
      _ = "a OK\r\n".withCString { write(socket, $0, 6) }
      return line == Array("a STARTTLS\r".utf8)
    }
    let server = try server(options)
    let outcome = try folder.json(
      "policyctl discover mail.test --connect \(server.place) --starttls imap "
        + "--anchors-only root.pem --json -q")
    #expect(outcome.status == 0 && outcome.lines[0].integer("port") == 143)
    #expect(outcome.lines[0].list("chains").count == 2)
  }

  @Test("a client certificate is checked before any server is asked, and shown to it")
  func clientCertificate() throws {
    let clients = try TestCertificate.root("Clients")
    let client = try clients.issue(.server("client"))
    let old = try clients.issue(.server("old").with { $0.notAfter = TestTime.now - 60 })
    try folder.write(client.pem + client.key.pem, to: "client.pem")
    try folder.write(client.pem + old.key.pem, to: "mixed.pem")
    try folder.write(old.pem + old.key.pem, to: "old.pem")
    _ = try folder.session.run(
      "openssl pkcs12 -export -in client.pem -out client.p12 -passout pass:secret; "
        + "printf secret > words")
    var options = LoopbackServer.Options()
    options.clientAuthority = clients
    let server = try server(options)
    let command =
      "policyctl discover a.test --connect \(server.place) --anchors-only root.pem --json -q "
      + "--client-cert "
    for (files, code) in [
      ("mixed.pem", "client-key-mismatch"), ("old.pem", "client-certificate-expired"),
      ("root.pem", "no-client-key"),
    ] {
      let outcome = try folder.json(command + files)
      #expect(outcome.status == 3)
      #expect(outcome.lines[0].child("error")?.string("code") == code)
      let message = outcome.lines[0].child("error")?.string("message")
      #expect(message?.contains("seconds since 1970") == false, "\(message ?? "")")
    }
    #expect(server.connectionCount == 0)
    for files in ["client.pem", "client.p12 --passphrase-file words"] {
      let outcome = try folder.json(command + files)
      #expect(outcome.status == 0, "\(outcome.lines)")
      #expect(outcome.lines[0].list("chains")[0].bool("clientCertificateRequested") == true)
      #expect(outcome.errors.isEmpty)
    }
    let without = try folder.session.run(
      "policyctl discover a.test --connect \(server.place) --anchors-only root.pem")
    #expect(without.errorText.contains("it asked for a client certificate"))
  }
}
