import Foundation
import LoopbackTLS
import Synchronization
import TestSupport
import Testing

@Suite("evaluate --live")
struct EvaluateLiveTests {
  private let folder: ServerSession
  private let root: TestCertificate
  private let identities: [ServerIdentity]

  init() throws {
    folder = try ServerSession()
    let root = try TestCertificate.root("Live Root X1")
    self.root = root
    identities = try [("E7", TestKey.Kind.p256), ("R12", .rsa(2048))].map { name, key in
      let authority = try root.issue(.authority(name))
      return ServerIdentity(
        try authority.issue(.server("a.test").with { $0.key = key }), above: [authority])
    }
    try folder.write([root], to: "root.pem")
  }

  private func server(_ identities: [ServerIdentity]) throws -> LoopbackServer {
    try LoopbackServer { _ in identities }
  }

  private func command(_ server: LoopbackServer, _ options: String = "") -> String {
    "policyctl evaluate policy.json a.test --live --connect \(server.place) -q --json "
      + "--anchors-only root.pem " + options
  }

  @Test("each certificate has its answer, and the worst decides")
  func worst() throws {
    let server = try server(identities)
    try folder.policy([
      (
        "a.test",
        #"{"chains":[[{"type":"any"},{"type":"prefixWithNumber","value":"E"},{"type":"any"}]]}"#
      )
    ])
    let outcome = try folder.json(command(server))
    #expect(outcome.lines.map { $0.string("key") } == ["EC P-256", "RSA 2048"])
    #expect(outcome.lines.map { $0.string("verdict") } == ["accepted", "rejected"])
    #expect(outcome.status == 1)
    let diagnostics = outcome.lines[1].list("diagnostics")
    #expect(diagnostics.map { $0.string("commonName") } == ["R12"])
    #expect(diagnostics.map { $0.integer("link") } == [1])
  }

  @Test("an answer from a file and from the server are the same but for the key")
  func sameAsFile() throws {
    let server = try server([identities[0]])
    try folder.policy([("a.test", #"{"spki":{"anchor":["\#(try root.pin)"]}}"#)])
    try folder.write([identities[0].leaf] + identities[0].above, to: "chain.pem")
    let live = try folder.session.run(command(server)).outputText
    let file = try folder.session.run(
      "policyctl evaluate policy.json a.test --chain chain.pem -q --json --anchors-only root.pem"
    ).outputText
    let place =
      #","port":443,"keyType":"ecdsa","key":"EC P-256","address":"\#(server.place)","#
      + #""protocol":"TLSv1.3","cipher":"TLS_AES_256_GCM_SHA384""#
    #expect(live.replacingOccurrences(of: place, with: "") == file)
    let text = try folder.session.run(
      command(server).replacingOccurrences(of: "--json", with: "")
    ).outputText
    #expect(lines(of: text)[1] == "  asked \(server.place): EC P-256, TLSv1.3")
    #expect(file.contains(#""verdict":"accepted","by":[{"kind":"spki.anchor","index":0}]"#))
  }

  @Test("revocation is looked up where a list is given, in the scope that is asked for")
  func revocation() throws {
    let authority = identities[0].above[0]
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    try folder.write([identities[0].leaf, authority], to: "chain.pem")
    let file = folder.session.folder.appendingPathComponent("crl.der")
    let command =
      "policyctl evaluate policy.json a.test --chain chain.pem -q --json --anchors-only root.pem "
    try Data(authority.revocationList(revoking: [identities[0].leaf])).write(to: file)
    for (options, reason) in [
      ("", nil), ("--crl crl.der", "revoked"), ("--crl crl.der --crl-scope chain", "revoked"),
    ] as [(String, String?)] {
      let outcome = try folder.json(command + options)
      #expect(outcome.lines[0].child("trust")?.string("reason") == reason, "\(options)")
      #expect(outcome.lines[0].string("revocation") == (reason == nil ? "none" : nil))
    }
    try Data(authority.revocationList(revoking: [])).write(to: file)
    for (options, reason) in [
      ("--crl crl.der", nil),
      // The root's list of the authority is missing.
      ("--crl crl.der --crl-scope chain", "revocation-unknown"),
    ] as [(String, String?)] {
      let outcome = try folder.json(command + options)
      #expect(outcome.lines[0].child("trust")?.string("reason") == reason, "\(options)")
      #expect(outcome.lines[0].string("revocation") == (reason == nil ? "leaf" : nil))
    }
    try Data(root.revocationList(revoking: []))
      .write(to: folder.session.folder.appendingPathComponent("root.der"))
    let whole = try folder.json(command + "--crl crl.der --crl root.der --crl-scope chain")
    #expect(whole.lines[0].string("revocation") == "chain" && whole.status == 0)
    let text = command.replacingOccurrences(of: "--json", with: "")
    for (options, said) in [
      ("", "  revocation not looked up (no --crl)"),
      (
        "--crl crl.der",
        "  revocation looked up for the server's certificate, not for its authorities, in crl.der"
      ),
    ] {
      let outcome = try folder.session.run(text + options)
      #expect(lines(of: outcome.outputText).contains(said), "\(outcome.outputText)")
    }
    #expect(
      whole.lines[0].list("revocationLists").map { $0.string("file") } == ["crl.der", "root.der"])
    let issuer = "“O = Pin Policy Tests, CN = E7”"
    try Data(authority.revocationList(revoking: [], nextUpdate: TestTime.now - 2 * 86_400 - 60))
      .write(to: folder.session.folder.appendingPathComponent("old.der"))
    for (options, said) in [
      (
        "--crl root.der",
        "no list of \(issuer), which issued the certificate “{*}”, was given with --crl."
      ),
      (
        "--crl old.der",
        "the list of \(issuer){*}, can't be used: old.der was to be replaced by {*}, 2 d ago."
      ),
    ] {
      let outcome = lines(of: try folder.session.run(text + options).outputText)
      #expect(matches(outcome[1], "  not trusted (revocation-unknown): " + said), "\(outcome)")
      #expect(outcome.last == "    Give the current list of \(issuer) with --crl FILE.")
    }
  }

  @Test("servers, keys and certificates have the same names in the JSON of every verb")
  func names() throws {
    let server = try server([identities[0]])
    try folder.policy([("a.test", #"{"spki":{"anchor":["\#(nobodysPin)"]}}"#)])
    let options = " --connect \(server.place) --connect b.test=127.0.0.1:1 -q --json --anchors"
    let evaluated = try folder.json(
      "policyctl evaluate policy.json a.test --live --connect \(server.place) -q --json --anchors-only root.pem"
    ).lines[0]
    let checked = try folder.json(
      "policyctl check policy.json --host b.test" + options + " t=root.pem"
    ).lines
    let discovered = try folder.json(
      "policyctl discover a.test b.test" + options + "-only root.pem"
    ).lines
    let (check, discover) = (checked[0].list("chains")[0], discovered[0].list("chains")[0])
    let certificates = [
      evaluated.child("trust")?.list("path") ?? [], check.list("certificates"),
      discover.list("certificates").reversed(),
    ]
    let end = identities[0].leaf.shape.notAfter
    for (line, chain) in [(evaluated, evaluated), (checked[0], check), (discovered[0], discover)] {
      #expect(line.string("host") == "a.test" && line.integer("port") == 443)
      #expect(chain.string("keyType") == "ecdsa" && chain.string("key") == "EC P-256")
      #expect(chain.string("address") == server.place && chain.string("protocol") == "TLSv1.3")
    }
    for list in certificates {
      #expect(list.map { $0.strings("commonNames") } == [["a.test"], ["E7"], ["Live Root X1"]])
      #expect(list.first?.integer("notAfter") == end && list.first?.string("key") == "EC P-256")
    }
    let diagnostic = evaluated.list("diagnostics")[0]
    #expect(diagnostic.strings("expected") == [nobodysPin])
    #expect(diagnostic.list("seen").map { $0.string("spki") } == [try root.pin])
    for line in [checked[1], discovered[1]] {
      #expect(line.string("host") == "b.test" && line.integer("port") == 443)
      #expect(line.child("error")?.string("code") == "connection-refused")
    }
    let dead = try folder.json(
      "policyctl evaluate policy.json b.test:1 --live --connect 127.0.0.1:1 -q --json"
    ).lines[0]
    let detail = dead.child("error")?.child("detail")
    #expect(detail?.string("host") == "b.test" && detail?.integer("port") == 1)
  }

  @Test("a list of more than a million bytes is read, as large authorities have them")
  func largeList() throws {
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    try folder.write([identities[0].leaf, identities[0].above[0]], to: "chain.pem")
    let list = try identities[0].above[0].revocationList(
      revoking: Array(repeating: identities[1].leaf, count: 60_000))
    #expect(list.count > 1 << 20)
    try Data(list).write(to: folder.session.folder.appendingPathComponent("crl.der"))
    let outcome = try folder.json(
      "policyctl evaluate policy.json a.test --chain chain.pem -q --json --anchors-only root.pem "
        + "--crl crl.der")
    #expect(outcome.status == 0 && outcome.lines[0].string("revocation") == "leaf")
  }

  @Test("a certificate that shares its name and key with a root is shown as itself")
  func crossSigned() throws {
    let second = try TestCertificate.root("Live Root X2")
    let end = TestTime.now + 5 * 86_400
    let cross = try second.issue(root.shape.with { $0.notAfter = end }, key: root.key)
    let leaf = try root.issue(.server("a.test"))
    try folder.write([root, second], to: "root.pem")
    try folder.write([leaf, cross], to: "chain.pem")
    try folder.policy([("a.test", #"{"spki":{"anchor":["\#(try second.pin)"]}}"#)])
    let outcome = try folder.session.run(
      "policyctl evaluate policy.json a.test --chain chain.pem -q --anchors-only root.pem")
    #expect(outcome.status == 0)
    let row = lines(of: outcome.outputText).first { $0.hasPrefix("    1  “Live Root X1”") }
    let date = Date(timeIntervalSince1970: Double(end)).ISO8601Format().prefix(10)
    #expect(row?.hasSuffix("until \(date)") == true, "\(outcome.outputText)")
  }

  @Test("certificates come from PKCS#12 too, the one for the key first")
  func pkcs12() throws {
    try folder.policy([("a.test", #"{"spki":{"anchor":["\#(try root.pin)"]}}"#)])
    let (leaf, authority) = (identities[0].leaf, identities[0].above[0])
    try folder.write([authority, leaf], to: "chain.pem")
    try folder.write(leaf.key.pem, to: "key.pem")
    let made = try folder.session.run(
      "openssl pkcs12 -export -in chain.pem -inkey key.pem -out chain.p12 -passout pass:secret && "
        + "openssl pkcs12 -export -in chain.pem -nokeys -out nokey.p12 -passout pass: && "
        + "openssl pkcs12 -export -in root.pem -nokeys -out root.p12 -passout pass:secret; "
        + "printf secret > words; printf wrong > wrong")
    #expect(made.status == 0, "\(made.errorText)")
    let command = "policyctl evaluate policy.json a.test -q --json "
    for files in [
      "--chain chain.p12 --anchors-only root.p12 --passphrase-file words",
      "--chain chain.p12 --anchors-only root.pem --passphrase-file words",
    ] {
      let outcome = try folder.json(command + files)
      #expect(outcome.status == 0, "\(files): \(outcome.lines)")
      #expect(outcome.lines[0].string("verdict") == "accepted")
    }
    for (files, status, code) in [
      ("--chain chain.p12 --anchors-only root.pem --passphrase-file wrong", 3, "wrong-passphrase"),
      ("--chain chain.p12 --anchors-only root.pem", 3, "passphrase-missing"),
      ("--live --passphrase-file words", 2, "missing-option"),
    ] as [(String, Int32, String)] {
      let outcome = try folder.json(command + files)
      #expect(outcome.status == status, "\(files): \(outcome.lines)")
      #expect(outcome.lines[0].child("error")?.string("code") == code, "\(files)")
    }
    let server = try server([identities[0]])
    let check = try folder.json(
      "policyctl check policy.json -q --json --anchors t=root.p12 --passphrase-file words "
        + "--connect \(server.place)")
    #expect(check.status == 0, "\(check.lines)")
  }

  @Test(
    "what is not known of the other key type is no yes, and is told to machines, too",
    arguments: [(true, "timeout"), (false, "disconnected")])
  func unknownKeyType(isSilent: Bool, code: String) throws {
    let count = Atomic(0)
    var options = LoopbackServer.Options()
    options.prelude = { socket in
      if count.wrappingAdd(1, ordering: .relaxed).newValue == 1 { return true }
      var byte: UInt8 = 0
      while isSilent, read(socket, &byte, 1) == 1 {}
      return false
    }
    let identity = identities[0]
    try folder.policy([("a.test", #"{"spki":{"anchor":["\#(try root.pin)"]}}"#)])
    for (verb, anchors) in [
      ("evaluate policy.json a.test --live", "--anchors-only root.pem"),
      ("discover a.test", "--anchors-only root.pem"), ("check policy.json", "--anchors t=root.pem"),
    ] {
      count.store(0, ordering: .relaxed)
      let server = try LoopbackServer(options) { _ in [identity] }
      let outcome = try folder.json(
        "policyctl \(verb) -q --json \(anchors) --timeout 1s --connect \(server.place)")
      #expect(outcome.status == 4, "\(verb)")
      let error = outcome.lines.last?.child("error")
      #expect(error?.string("code") == code, "\(verb)")
      #expect(error?.child("detail")?.string("keyType") == "rsa", "\(verb)")
    }
  }

  @Test("a live server may have a port of its own; a file has none")
  func port() throws {
    let authority = identities[0].above[0]
    let server = try server([
      ServerIdentity(try authority.issue(.server("127.0.0.1")), above: [authority])
    ])
    try folder.policy([("127.0.0.1", #"{"spki":{"anchor":["\#(try root.pin)"]}}"#)])
    let command =
      "policyctl evaluate policy.json \(server.place) -q --json --anchors-only root.pem "
    let outcome = try folder.json(command + "--live")
    #expect(outcome.status == 0 && outcome.lines[0].string("host") == "127.0.0.1")
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    let text = try folder.session.run(
      command.replacingOccurrences(of: "--json", with: "") + "--live")
    // An address has no names below it.
    #expect(
      lines(of: text.outputText).last
        == "    No rule governs 127.0.0.1: add one for it; a host that should stay unpinned is well "
        + "with --allow-unpinned.")
    let file = try folder.json(command + "--chain root.pem")
    #expect(file.status == 2 && file.lines[0].child("error")?.string("code") == "host-port")
  }

  @Test("certificates in the wrong order, and an anchor that is none, are called what they are")
  func mistakes() throws {
    let (leaf, authority) = (identities[0].leaf, identities[0].above[0])
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    try folder.write([authority, leaf], to: "wrong.pem")
    try folder.write([root, authority, leaf], to: "root-first.pem")
    for file in ["wrong.pem", "root-first.pem"] {
      let outcome = try folder.session.run(
        "policyctl evaluate policy.json a.test --chain \(file) --anchors-only root.pem -q")
      #expect(outcome.status == 1)
      #expect(outcome.outputText.contains("put the server's own first"), "\(outcome.outputText)")
    }
    try folder.write([leaf], to: "leaf.pem")
    try folder.write([authority], to: "authority.pem")
    let outcome = try folder.session.run(
      "policyctl evaluate policy.json a.test --chain leaf.pem --anchors-only authority.pem")
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("warning: authority.pem: “O = Pin Policy Tests, CN = E7”"))
    #expect(outcome.errorText.contains("give the root that issued it"))
  }

  @Test("that the server wants a client certificate is said")
  func clientCertificate() throws {
    var options = LoopbackServer.Options()
    options.clientAuthority = try TestCertificate.root("Clients")
    let identities = identities
    let server = try LoopbackServer(options) { _ in identities }
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    let command = "policyctl evaluate policy.json a.test --live --connect \(server.place) "
    let outcome = try folder.session.run(command + "--anchors-only root.pem")
    #expect(outcome.status == 0)
    #expect(
      outcome.errorText.contains(
        "the alert 116, certificate_required: it asked for a client certificate and was shown none; "
          + "give it with --client-cert FILE"))
  }

  @Test("a system without roots is told so")
  func noSystemRoots() throws {
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    try folder.write([identities[0].leaf], to: "chain.pem")
    for (verb, option) in [
      ("evaluate policy.json a.test --chain chain.pem", "--anchors-only FILE"),
      ("evaluate policy.json a.test --chain chain.pem --anchors root.pem", "--anchors-only FILE"),
      ("check policy.json", "--anchors NAME=FILE"),
    ] {
      let outcome = try folder.json("SSL_CERT_FILE=missing.pem policyctl \(verb) -q --json")
      #expect(outcome.status == 3)
      let error = outcome.lines[0].child("error")
      #expect(error?.string("code") == "no-system-roots")
      #expect(error?.child("detail")?.strings("places") == ["missing.pem"])
      #expect(
        error?.child("detail")?.string("hint") == "\(option) does without the system's roots")
      #expect(error?.child("detail")?.string("file") == nil)
    }
  }

  @Test("a --connect for a host that is not asked is a slip of the hand")
  func strayTarget() throws {
    let server = try server(identities)
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    for verb in ["evaluate policy.json a.test --live", "check policy.json", "discover a.test"] {
      let outcome = try folder.json(
        "policyctl \(verb) --connect b.test=\(server.place) --json -q --timeout 1s")
      #expect(outcome.status == 2, "\(verb)")
      #expect(outcome.lines.first?.child("error")?.string("code") == "unused-target", "\(verb)")
    }
    #expect(server.connectionCount == 0)
  }

  @Test("what can't be an option's value is said before any server is asked")
  func badValues() throws {
    let server = try server(identities)
    try folder.policy([("a.test", #"{"mode":"exempt"}"#)])
    for options in [
      "--timeout 0s", "--alpn ''", "--alpn h2,,x", "--proxy a.test", "--starttls pop3",
      "--connect a.test=127.0.0.1", "--client-key root.pem",
    ] {
      let outcome = try folder.session.run(command(server, options))
      #expect(outcome.status == 2, "\(options): \(outcome.outputText)")
    }
    let proxy = try folder.json(command(server, "--proxy http://127.0.0.1:1"))
    #expect(proxy.lines[0].child("error")?.string("code") == "host-scheme")
    #expect(server.connectionCount == 0)
  }
}
