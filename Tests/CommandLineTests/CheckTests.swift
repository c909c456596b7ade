import Foundation
import LoopbackTLS
import TestSupport
import Testing

@Suite("check")
struct CheckTests {
  private let folder: ServerSession
  private let root: TestCertificate
  private let leaf: ServerIdentity

  init() throws {
    folder = try ServerSession()
    root = try TestCertificate.root("Check Root X1")
    leaf = ServerIdentity(try root.issue(.server("*.many.test", "a.test")))
    try folder.write([root], to: "root.pem")
  }

  private func rules(_ names: [String], pin: String? = nil) throws -> [(String, String)] {
    let pin = try pin ?? root.pin
    return names.map { ($0, #"{"spki":{"anchor":["\#(pin)","\#(nobodysPin)"]}}"#) }
  }

  // MARK: Exit status

  @Test(
    "a rejected host outweighs one that is not reached, which outweighs a bad --host",
    arguments: [
      (["good.many.test"], [], 0), (["good.many.test", "wrong.many.test"], [], 1),
      (["good.many.test", "dead.many.test"], [], 4),
      (["wrong.many.test", "dead.many.test"], [], 1), (["good.many.test"], ["a b"], 2),
      (["good.many.test", "dead.many.test"], ["a b"], 4),
      (["wrong.many.test"], ["a b"], 1),
    ] as [([String], [String], Int32)])
  func status(hosts: [String], extra: [String], status: Int32) throws {
    let server = try LoopbackServer(leaf)
    try folder.policy(
      try hosts.flatMap { host in
        try rules([host], pin: host.hasPrefix("wrong") ? nobodysPin : nil)
      })
    // Port 1 of loopback refuses.
    let outcome = try folder.json(
      "policyctl check policy.json -q --json --anchors t=root.pem --connect \(server.place) "
        + (hosts.contains("dead.many.test") ? "--connect dead.many.test=127.0.0.1:1 " : "")
        + extra.map { "--host '\($0)'" }.joined(separator: " "))
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.lines.compactMap { $0.string("host") } == hosts + extra)
    // Also of a host that is none.
    #expect(outcome.lines.allSatisfy { $0.bool("verified") == false })
  }

  @Test("a host of --host is governed like any other, and by no rule it is no")
  func extraHosts() throws {
    let server = try LoopbackServer(leaf)
    try folder.policy([
      ("many.test", #"{"includesSubdomains":true,"spki":{"anchor":["\#(try root.pin)"]}}"#)
    ])
    let command =
      "policyctl check policy.json -q --json --anchors t=root.pem --connect \(server.place) "
      + "--connect many.test=127.0.0.1:1 --host b.many.test:8443 --host a.test"
    let outcome = try folder.json(command)
    #expect(outcome.lines.map { $0.string("verdict") } == [nil, "accepted", "notPinned"])
    #expect(outcome.lines.map { $0.string("step") } == ["exact", "subdomain", "none"])
    #expect(outcome.lines.map { $0.integer("port") } == [443, 8443, 443])
    #expect(outcome.status == 1)
    #expect(try folder.json(command + " --allow-unpinned").status == 4)
  }

  @Test("a policy that names no host is nothing to check")
  func noHosts() throws {
    try folder.policy([("*", #"{"mode":"exempt"}"#)])
    let outcome = try folder.json("policyctl check policy.json -q --json")
    #expect(outcome.status == 2)
    #expect(outcome.lines[0].child("error")?.string("code") == "no-hosts")
  }

  @Test("the name that is asked for is the host's, wherever it connects to")
  func serverName() throws {
    let server = try LoopbackServer(leaf)
    try folder.policy(rules(["a.test"]))
    _ = try folder.json("policyctl check policy.json -q --json --connect \(server.place)")
    #expect(try server.next().serverName == "a.test")
  }

  // MARK: What is found

  @Test("both certificates of a server are judged; one that fits does not excuse the other")
  func keyTypes() throws {
    let rsaRoot = try TestCertificate.root("Check Root X2")
    let rsa = ServerIdentity(try rsaRoot.issue(.server("a.test").with { $0.key = .rsa(2048) }))
    try folder.write([root, rsaRoot], to: "root.pem")
    let identities = [leaf, rsa]
    let server = try LoopbackServer { _ in identities }
    try folder.policy(rules(["a.test"]))
    let outcome = try folder.json(
      "policyctl check policy.json -q --json --anchors t=root.pem --connect \(server.place)")
    let chains = outcome.lines[0].list("chains")
    #expect(chains.map { $0.string("keyType") } == ["ecdsa", "rsa"])
    #expect(
      chains.map { $0.list("stores")[0].string("verdict") } == ["accepted", "rejected"])
    #expect(outcome.lines[0].string("verdict") == "rejected" && outcome.status == 1)
  }

  @Test("trust stores judge side by side, for paths differ")
  func stores() throws {
    let other = try TestCertificate.root("Check Root X2")
    let cross = try root.crossSigned(by: other)
    try folder.write([other], to: "other.pem")
    let server = try LoopbackServer(ServerIdentity(leaf.leaf, above: [cross]))
    try folder.policy(rules(["a.test"]))
    let command =
      "policyctl check policy.json -q --anchors new=root.pem --anchors old=other.pem "
      + "--anchors system --connect \(server.place)"
    let outcome = try folder.json(command + " --json")
    let stores = outcome.lines[0].list("chains")[0].list("stores")
    #expect(stores.map { $0.string("anchors") } == ["new", "old", "system"])
    #expect(stores.map { $0.string("verdict") } == ["accepted", "rejected", "rejected"])
    #expect(stores.map { $0.child("trust")?.bool("valid") } == [true, true, false])
    #expect(outcome.status == 1)
    #expect(stores.map { $0.string("revocation") } == ["none", "none", nil])
    let table = lines(of: try folder.session.run(command).outputText)
    #expect(matches(table[0], "HOST{*}KEY{*}TLS{*}new{*}old{*}system{*}DAYS  BACKUP"), "\(table)")
    #expect(
      matches(
        table[1], "a.test:443  EC P-256  1.3  accepted  rejected  rejected (untrusted){*}yes"),
      "\(table)")
    #expect(
      table.suffix(2) == ["revocation not looked up (no --crl)", "1 host: 1 rejected"], "\(table)")
  }

  @Test(
    "days left and the warning's edge, to the second",
    arguments: [
      ("10d", []), ("11d", ["expires-soon"]), ("241h", []), ("867601s", ["expires-soon"]),
    ] as [(String, [String])])
  func expiry(within: String, warnings: [String]) throws {
    // Ten days and an hour: ten whole days, 867 600 seconds.
    let identity = ServerIdentity(
      try root.issue(.server("a.test").with { $0.notAfter = TestTime.now + 10 * 86_400 + 3600 }))
    let server = try LoopbackServer(identity)
    try folder.policy(rules(["a.test"]))
    let outcome = try folder.json(
      "policyctl check policy.json -q --json --anchors t=root.pem --connect \(server.place) "
        + "--warn-within \(within) --at \(TestTime.now)")
    #expect(outcome.status == 0)
    #expect(outcome.lines[0].strings("warnings") == warnings)
    let certificates = outcome.lines[0].list("chains")[0].list("certificates")
    #expect(certificates.map { $0.integer("daysLeft") } == [10, 3650])
  }

  @Test("what is said of the path is said of the one that decided, in every store")
  func decidingPath() throws {
    let second = try TestCertificate.root("Check Root X2")
    let soon = TestTime.now + 10 * 3600
    let cross = try second.issue(root.shape.with { $0.notAfter = soon }, key: root.key)
    try folder.write([root, second], to: "both.pem")
    try folder.write([second], to: "second.pem")
    let server = try LoopbackServer(ServerIdentity(leaf.leaf, above: [cross]))
    // The first path ends at X1, which is not pinned; or, in the second store, is not there.
    for (stores, pin, verdict, warnings) in [
      ("--anchors a=both.pem", try second.pin, "accepted", ["expires-soon", "no-backup"]),
      (
        "--anchors a=root.pem --anchors b=second.pem", try root.pin, "rejected",
        ["expires-soon", "no-backup"]
      ),
      ("--anchors a=root.pem", try root.pin, "accepted", ["no-backup"]),
    ] {
      try folder.policy([("a.test", #"{"spki":{"anchor":["\#(pin)"]}}"#)])
      let command =
        "policyctl check policy.json -q \(stores) --connect \(server.place) --warn-within 12h "
      let outcome = try folder.json(command + "--json")
      #expect(outcome.lines[0].string("verdict") == verdict, "\(stores)")
      #expect(outcome.lines[0].strings("warnings") == warnings, "\(stores)")
      #expect(outcome.lines[0].bool("backup") == false, "\(stores)")
      let certificates = outcome.lines[0].list("chains")[0].list("certificates")
      #expect(certificates[0].string("spki") == (try leaf.leaf.pin))
      let isSoon = warnings.contains("expires-soon")
      #expect(certificates.contains { $0.integer("notAfter") == soon } == isSoon)
      let table = try folder.session.run(command).outputText
      #expect(table.contains("“Check Root X1” expires in ") == isSoon, "\(table)")
      #expect(lines(of: table)[1].hasSuffix(isSoon ? "  0     no" : "  89    no"), "\(table)")
    }
  }

  @Test("a certificate is judged at the time of --at, also one to come")
  func future() throws {
    let server = try LoopbackServer(leaf)
    try folder.policy(rules(["a.test"]))
    let outcome = try folder.json(
      "policyctl check policy.json -q --json --anchors t=root.pem --connect \(server.place) "
        + "--at \(TestTime.now + 100 * 86_400)")
    let store = outcome.lines[0].list("chains")[0].list("stores")[0]
    #expect(store.child("trust")?.string("reason") == "expired")
    #expect(outcome.errors.isEmpty)
    let told = try folder.session.run(
      "policyctl check policy.json --anchors t=root.pem --connect \(server.place) "
        + "--at \(TestTime.now + 100 * 86_400)")
    #expect(
      lines(of: told.outputText).last == "1 host: 1 rejected; 1 with a certificate that has expired"
    )
  }

  @Test("a backup is a pin that the server does not use, or in a rule of names another chain")
  func backup() throws {
    let server = try LoopbackServer(leaf)
    let ours = try root.pin
    let chain = #"[{"type":"exact","value":"Check Root X1"},{"type":"any"}]"#
    let other = #"[{"type":"exact","value":"Other Root"},{"type":"any"}]"#
    for (rule, backup) in [
      (#"{"spki":{"anchor":["\#(ours)"]}}"#, false),
      (#"{"spki":{"anchor":["\#(ours)"],"leaf":["\#(try leaf.leaf.pin)"]}}"#, false),
      (#"{"spki":{"anchor":["\#(ours)","\#(nobodysPin)"]}}"#, true),
      (#"{"chains":[\#(chain)]}"#, false), (#"{"chains":[\#(chain),\#(other)]}"#, true),
      (#"{"mode":"exempt"}"#, nil),
      // Nothing is in use of a rule that is not satisfied.
      (#"{"mode":"report","spki":{"anchor":["\#(nobodysPin)"]}}"#, nil),
    ] as [(String, Bool?)] {
      try folder.policy([("a.test", rule)])
      let outcome = try folder.json(
        "policyctl check policy.json -q --json --anchors t=root.pem --connect \(server.place)")
      #expect(outcome.lines[0].bool("backup") == backup, "\(rule)")
      #expect(outcome.lines[0].strings("warnings") == (backup == false ? ["no-backup"] : []))
    }
  }

  @Test("JUnit has a case a host: a failure for a no, an error for one not reached")
  func junit() throws {
    let server = try LoopbackServer(leaf)
    try folder.policy(
      rules(["good.many.test", "dead.many.test"]) + rules(["wrong.many.test"], pin: nobodysPin))
    _ = try folder.session.run(
      "policyctl check policy.json -q --junit out.xml --anchors t=root.pem "
        + "--connect \(server.place) --connect dead.many.test=127.0.0.1:1")
    let text = try String(
      contentsOf: folder.session.folder.appendingPathComponent("out.xml"), encoding: .utf8)
    let cases = lines(of: text).filter {
      $0.hasPrefix("<test") || $0.hasPrefix("<fail") || $0.hasPrefix("<err")
    }
    #expect(
      zip(
        cases,
        [
          #"<testsuites>"#,
          #"<testsuite name="policyctl check" tests="3" failures="1" errors="1">"#,
          #"<testcase classname="policyctl.check" name="good.many.test:443">"#,
          #"<testcase classname="policyctl.check" name="dead.many.test:443">"#,
          #"<error type="connection-refused" message="127.0.0.1:1 refuses connections{*}"/>"#,
          #"<testcase classname="policyctl.check" name="wrong.many.test:443">"#,
          #"<failure type="rejected" message="EC P-256, t: rejected: spki.anchor{*}</failure>"#,
        ]
      ).allSatisfy { matches($0, $1) } && cases.count == 7, "\(text)")
    let parser = XMLSyntax(text)
    #expect(parser.isWellFormed)
  }

  @Test("JUnit goes to standard output in place of the table, and over no file that is read")
  func junitOutput() throws {
    let server = try LoopbackServer(leaf)
    try folder.policy(rules(["a.test"]))
    try folder.write(root.pem + root.key.pem, to: "client.pem")
    try folder.write("secret", to: "words")
    let command =
      "policyctl check policy.json --anchors t=root.pem --connect \(server.place) "
      + "--client-cert client.pem --passphrase-file words "
    let shown = try folder.session.run(command + "--junit -")
    #expect(shown.status == 0 && shown.errorText.contains("note: 1 host: 1 accepted"))
    #expect(shown.outputText.hasPrefix("<?xml") && shown.outputText.hasSuffix("</testsuites>\n"))
    // Standard input can be the policy all the same: the report goes the other way.
    let piped = try folder.session.run(
      command.replacingOccurrences(of: "check policy.json", with: "check - < policy.json")
        + "--junit -")
    #expect(piped.outputText == shown.outputText)
    let both = try folder.json(command + "--junit - --json")
    #expect(both.status == 2)
    #expect(both.lines[0].child("error")?.string("code") == "conflicting-options")
    for file in ["policy.json", "root.pem", "client.pem", "words"] {
      let outcome = try folder.json(command + "--json --junit \(file)")
      #expect(outcome.status == 2, "\(file)")
      #expect(outcome.lines[0].child("error")?.string("code") == "output-is-input", "\(file)")
    }
    #expect(server.connectionCount == 4)
  }

  // MARK: Many hosts

  @Test("a dead host costs one timeout and not the run")
  func deadHost() throws {
    let (server, dead) = (try LoopbackServer(leaf), try ServerSession.silent())
    let names = (0..<100).map { "h\($0).many.test" }
    try folder.policy(rules(names))
    let start = Date()
    let outcome = try folder.json(
      "policyctl check policy.json -q --json --anchors t=root.pem --timeout 2s "
        + "--connect \(server.place) --connect h7.many.test=\(dead.place)")
    let seconds = -start.timeIntervalSinceNow
    #expect(outcome.status == 4)
    #expect(outcome.lines.count { $0.string("verdict") == "accepted" } == 99)
    #expect(outcome.lines[7].child("error")?.string("code") == "timeout")
    #expect(dead.connectionCount == 1)
    #expect(seconds >= 2)
    note("100 hosts, one dead, timeout 2 s: \(rounded(seconds)) s")
  }

  @Test("a thousand hosts take seconds, in memory that does not grow with them")
  func thousand() throws {
    let server = try LoopbackServer(leaf)
    var peaks: [Int] = []
    for count in [100, 1000] {
      try folder.policy(rules((0..<count).map { "h\($0).many.test" }))
      let start = Date()
      let (status, peak) = try measured(
        [
          "check", "policy.json", "-q", "--json", "--anchors", "t=root.pem", "--connect",
          server.place,
        ], output: "out.json")
      let seconds = -start.timeIntervalSinceNow
      let text = try String(
        contentsOf: folder.session.folder.appendingPathComponent("out.json"), encoding: .utf8)
      let accepted = text.split(separator: "\n").count {
        $0.contains(#""verdict":"accepted","chains""#)
      }
      #expect(status == 0 && accepted == count)
      peaks.append(peak)
      note("\(count) hosts: \(rounded(seconds)) s, \(peak / 1024) MiB at most, exit \(status)")
      // The machine may have much else to do; the figures say how long it took.
      #expect(seconds < 120)
    }
    #expect(peaks[1] < peaks[0] * 3 / 2, "\(peaks) KiB")
  }

  @Test("Ctrl-C stops at once, with a summary of what is known")
  func interruption() throws {
    let (server, dead) = (try LoopbackServer(leaf), try ServerSession.silent())
    let names = (0..<40).map { "h\($0).many.test" }
    try folder.policy(rules(names))
    let stopped = try folder.interrupted(
      [
        "check", "policy.json", "-q", "--json", "--anchors", "t=root.pem", "--timeout", "60s",
        "--connect", dead.place, "--connect", "h0.many.test=\(server.place)", "--jobs", "8",
        "--junit", "out.xml",
      ], waitingFor: dead, 8)
    #expect(stopped.status == 4 && stopped.seconds < 10)
    #expect(stopped.errors == "interrupted: 1 of 40 hosts were checked: 1 host: 1 accepted\n")
    // A report of an interrupted run is no green one.
    #expect(stopped.output.ranges(of: #""code":"cancelled""#).count == 39)
    #expect(lines(of: stopped.output).count == 40)
    let report = try String(
      contentsOf: folder.session.folder.appendingPathComponent("out.xml"), encoding: .utf8)
    #expect(report.contains(#"tests="40" failures="0" errors="39""#))
    #expect(report.contains(#"<property name="verified" value="false"/>"#))
  }

  @Test("a bar shows on a terminal, and nothing of it in a pipe")
  func progress() throws {
    let server = try LoopbackServer(leaf)
    try folder.policy(rules((0..<20).map { "h\($0).many.test" }))
    let command =
      "policyctl check policy.json --anchors t=root.pem --connect \(server.place) --jobs 1"
    let shown = try folder.session.run("script -qec '\(command)' /dev/null").outputText
    #expect(shown.contains("\r[") && shown.contains("/20") && shown.contains("\u{1b}[K"))
    let piped = try folder.session.run(command)
    #expect(!piped.outputText.contains("\r") && !piped.errorText.contains("\r"))
    let quiet = try folder.session.run("script -qec '\(command) -q' /dev/null").outputText
    #expect(!quiet.contains("\r["))
  }

  // MARK: Measuring

  /// Runs `policyctl`, and returns its status and the peak of its resident KiB.
  ///
  /// Looked at while it runs: what wait4(2) tells counts the memory of whoever started it, too.
  private func measured(_ arguments: [String], output: String) throws -> (status: Int32, peak: Int)
  {
    let file = folder.session.folder.appendingPathComponent(output)
    try Data().write(to: file)
    let process = Process()
    process.executableURL = ChildProcess.policyctl
    process.arguments = arguments
    process.currentDirectoryURL = folder.session.folder
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    var peak = 0
    while process.isRunning {
      let status = try? String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      peak = max(peak, line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0)
      usleep(5000)
    }
    return (process.terminationStatus, peak)
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }

  private func note(_ text: String) {
    FileHandle.standardError.write(Data("check: \(text)\n".utf8))
  }
}

/// Whether a text is XML in which every tag ends: all that a reader of JUnit asks for first.
private struct XMLSyntax {
  let isWellFormed: Bool

  init(_ text: String) {
    var open: [Substring] = []
    var isWell = true
    for piece in text.split(separator: "<").dropFirst() {
      guard let end = piece.firstIndex(of: ">") else {
        isWell = false
        break
      }
      let tag = piece[..<end]
      if tag.hasPrefix("/") {
        isWell = isWell && open.popLast() == tag.dropFirst()
      } else if !tag.hasSuffix("/") {
        open.append(tag.prefix { $0 != " " })
      }
    }
    isWellFormed = isWell && open.isEmpty
  }
}
