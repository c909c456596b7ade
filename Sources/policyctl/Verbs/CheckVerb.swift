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
    rules: PolicyInput.rules + TrustStore.revocationRules + ServerOptions.rules,
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
    if let path = arguments.text(.junit) {
      try OutputName.check(
        path,
        isNone: [(arguments.operands[0], "the policy")]
          + (arguments.texts(.trustedKey) + arguments.texts(.revocationLists)).map {
            ($0, "an input")
          })
    }
    var input = try PolicyInput(arguments, output)
    try input.checkWindow(arguments, output)
    let stores = try TrustStore.several(arguments)
    let servers = try ServerOptions(arguments, at: now)
    input.introduce(output)
    let (endpoints, bad) = endpoints(input.policy, servers, arguments)
    try servers.checkTargets(areAmong: endpoints)
    if endpoints.isEmpty, bad.isEmpty {
      output.warning("the policy names no host to connect to: give some with --host")
    }
    let check = HostCheck(
      policy: input.policy, servers: servers, stores: stores, now: now,
      reading: arguments.has(.asIf) ? .reportAsEnforce : .asWritten,
      warnWithin: arguments.number(.warnWithin) ?? 14 * 86_400, wantsJSON: output.isJSON,
      resultMembers: input.resultMembers)
    let cancellation = Cancellation()
    let hosts = try ask(endpoints, check, cancellation, arguments, output)

    var tally = CheckTally(allowingUnpinned: arguments.has(.allowUnpinned))
    for host in hosts { tally.add(host) }
    for host in hosts { output.bytes(host.json) }
    CheckTable(stores: stores.map(\.name)).show(hosts, on: output)
    for (text, failure) in bad {
      output.json(.object([JSONMember("host", .string(text)), JSONMember("error", failure.json)]))
      if !output.isJSON { output.explain(failure) }
    }
    tell(tally, of: endpoints.count, wasStopped: cancellation.isCancelled, output)
    if let path = arguments.text(.junit) { try write(hosts, tally, to: path, output) }
    var status = tally.status
    if status != .refused {
      if cancellation.isCancelled { status = status.worse(.unreachable) }
      if !bad.isEmpty { status = status.worse(.usage) }
    }
    return status
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

  /// Asks all, and returns those that were, in the order of the list.
  private static func ask(
    _ endpoints: [Endpoint], _ check: HostCheck, _ cancellation: Cancellation,
    _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> [CheckedHost] {
    var hosts = [CheckedHost?](repeating: nil, count: endpoints.count)
    var tally = CheckTally(allowingUnpinned: arguments.has(.allowUnpinned))
    let bar = ProgressBar(total: endpoints.count, isQuiet: output.isQuiet)
    do throws(ProbeFailure) {
      try cancellation.cancelWhenInterrupted()
      try Workers<CheckedHost>.run(
        endpoints.count, atOnce: Int(arguments.number(.atOnce) ?? 32),
        until: cancellation
      ) { index in
        check.check(endpoints[index], until: cancellation)
      } tick: {
        bar.show(tally.count, tally.troubles)
      } take: { index, host in
        guard !host.wasStopped else { return }
        hosts[index] = host
        tally.add(host)
      }
    } catch { throw Failure(error, status: ServerOptions.status(of: error)) }
    bar.clear()
    return hosts.compactMap(\.self)
  }

  private static func tell(
    _ tally: CheckTally, of total: Int, wasStopped: Bool, _ output: Output
  ) {
    let words = Line(tally.summary)
    if wasStopped {
      output.words(
        "\("interrupted:", .bad) \(tally.count) of \(total) hosts were checked: \(words)")
    } else if output.isJSON {
      output.note(tally.summary)
    } else {
      output.line(words)
    }
  }

  private static func write(
    _ hosts: [CheckedHost], _ tally: CheckTally, to path: String, _ output: Output
  ) throws(Failure) {
    let bytes = Array(JUnitReport.text(hosts, failing: tally.isRefused).utf8)
    do { try AtomicFile.write(bytes, to: path, existing: .replace) } catch {
      throw Failure(error, status: .badInput)
    }
  }
}
