import PinCrypto
import PinPolicy
import PinProbe
import PolicyAuthoring
import StrictJSON

extension Verb {
  /// Connects to every host of a policy.
  static let check = Verb(
    name: "check", summary: "connect to every host of a policy, and say what clients would do",
    explanation: [
      "Connects to each host that the policy names, and to those of --host, many at once, once for "
        + "each kind of key that a server may have: whether clients would accept it, in how many "
        + "days the first certificate of its path expires, and whether the rule has a backup that "
        + "is not in use. With --anchors several trust stores judge side by side, since paths "
        + "differ from platform to platform.",
      "Exit 1 when a host would be rejected, or is governed by no rule and --allow-unpinned is not "
        + "given; else 4 when one can't be reached. Interrupted, it stops at once and says what it "
        + "knows; the hosts that were not asked count as not reached.",
    ],
    operands: [.init(name: "POLICY")],
    options: CheckVerb.options,
    rules: PolicyInput.rules + TrustStore.revocationRules + ServerOptions.rules
      + CertificateFile.rules(["client-cert", "anchors"]),
    examples: [
      .init(
        command: "policyctl check policy.jws --key signing.pub.pem --host www.example.com",
        meaning: "is everything in order?"),
      .init(
        command:
          "policyctl check policy.json --anchors system --anchors android=android.pem --as-if enforce",
        meaning: "what would enforcing do, on two platforms?"),
    ],
    run: CheckVerb.run)
}

enum CheckVerb {
  static let options: [Option] = {
    var options: [Option] = [.extraHost, .trustStores, .warnWithin, .atOnce, .junit]
    options += PolicyInput.options
    options += TrustStore.revocationOptions
    options += [.at, .asIf, .allowUnpinned, .ignoreWindow]
    return options + ServerOptions.options
  }()

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let now = Clock.now(arguments)
    let report = try reportName(arguments, output)
    var input = try PolicyInput(arguments, output)
    try input.checkWindow(arguments, output)
    let stores = try TrustStore.several(arguments, output)
    let servers = try ServerOptions(arguments, at: now)
    input.introduce(output)
    let (endpoints, bad) = endpoints(input.policy, servers, arguments)
    try servers.checkTargets(areAmong: endpoints)
    if endpoints.isEmpty, bad.isEmpty {
      throw .usage(
        "no-hosts", "the policy names no host to connect to", hint: "give some with --host HOST")
    }
    let check = HostCheck(
      policy: input.policy, servers: servers, stores: stores, now: now,
      reading: arguments.has(.asIf) ? .reportAsEnforce : .asWritten,
      warnWithin: arguments.number(.warnWithin) ?? 14 * 86_400, wantsJSON: output.isJSON,
      resultMembers: input.resultMembers)
    var tally = CheckTally(allowingUnpinned: arguments.has(.allowUnpinned))
    let answers = try ManyServers.ask(endpoints, arguments, output) { endpoint, cancellation in
      check.check(endpoint, until: cancellation)
    } take: { host in
      tally.add(host)
      return tally.troubles
    }

    // Machines are told of those, too, that were not asked when it was stopped.
    let hosts = zip(endpoints, answers).map { $1 ?? check.unasked($0) }
    for host in hosts { output.bytes(host.json) }
    let junit = JUnitReport(
      properties: input.resultMembers
        + [
          JSONMember(
            "revocation", .string(stores.first?.evaluator.revocation.scope.rawValue ?? "none"))
        ])
    let reported = Array(junit.text(hosts, failing: tally.isRefused).utf8)
    if report == "-" {
      output.bytes(reported)
    } else {
      CheckTable(stores: stores).show(answers.compactMap(\.self), on: output)
    }
    for (text, failure) in bad {
      output.json(
        .object(
          [JSONMember("host", .string(text)), JSONMember("error", failure.json)]
            + input.resultMembers))
      if !output.isJSON { output.explain(failure) }
    }
    let wasStopped = answers.contains { $0 == nil }
    tell(tally, of: endpoints.count, wasStopped: wasStopped, isResult: report != "-", output)
    if let report, report != "-" { try write(reported, to: report) }
    var status = tally.status
    if status != .refused {
      if wasStopped { status = status.worse(.unreachable) }
      if !bad.isEmpty { status = status.worse(.usage) }
    }
    return status
  }

  /// Where the report goes; `-` is standard output, in place of the table.
  ///
  /// - Throws: exit 2 for one that would replace a file which is read.
  private static func reportName(
    _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> String? {
    guard let path = arguments.text(.junit) else { return nil }
    guard path != "-" || !output.isJSON else {
      throw .usage("conflicting-options", "--json and --junit - exclude each other")
    }
    let stores = arguments.texts(.trustStores).compactMap { text in
      text.firstIndex(of: "=").map { String(text[text.index(after: $0)...]) }
    }
    let files = options.filter(\.isInput).flatMap(arguments.texts)
    try OutputName.check(
      path,
      isNone: [(arguments.operands[0], "the policy")] + (files + stores).map { ($0, "an input") })
    return path
  }

  /// Every host that the policy names, then those of `--host`; each once.
  private static func endpoints(
    _ policy: Policy, _ servers: ServerOptions, _ arguments: Arguments
  ) -> ([Endpoint], bad: [(String, Failure)]) {
    var endpoints: [Endpoint] = []
    var seen: Set<Endpoint> = []
    var bad: [(String, Failure)] = []
    for rule in policy.rules {
      guard case .host(let host) = rule.pattern else { continue }
      let endpoint = Endpoint(host: host, port: servers.defaultPort)
      if seen.insert(endpoint).inserted { endpoints.append(endpoint) }
    }
    for text in arguments.texts(.extraHost) {
      do throws(Failure) {
        let endpoint = try servers.endpoint(text)
        if seen.insert(endpoint).inserted { endpoints.append(endpoint) }
      } catch { bad.append((text, error.subject == nil ? error.about(text) : error)) }
    }
    return (endpoints, bad)
  }

  private static func tell(
    _ tally: CheckTally, of total: Int, wasStopped: Bool, isResult: Bool, _ output: Output
  ) {
    let words = Line(tally.summary)
    if wasStopped {
      output.words(
        "\("interrupted:", .bad) \(tally.count) of \(total) hosts were checked: \(words)")
    } else if output.isJSON || !isResult {
      output.note(tally.summary)
    } else {
      output.line(words)
    }
  }

  private static func write(_ report: [UInt8], to path: String) throws(Failure) {
    do { try AtomicFile.write(report, to: path, existing: .replace) } catch {
      throw Failure(error, status: .badInput)
    }
  }
}
