import PinCrypto
import PinPolicy
import PinProbe
import PinVerifier
import PolicyAuthoring
import StrictJSON

extension Verb {
  /// Says what a policy does with the certificates of a server.
  static let evaluate = Verb(
    name: "evaluate",
    summary: "say whether a policy accepts the certificates of a server, and why",
    explanation: [
      "Trust first, then pins: the path from the server's certificate to a trust anchor is built and "
        + "checked for the host, and the rule that governs the host judges it. With --chain the "
        + "certificates come from a file, with --live from the server, one answer for each kind of "
        + "certificate that it has. A rotation is rehearsed with the next certificate in the file, and "
        + "with --at at a time to come.",
      "Exit 0 for accepted, reported and exempt; 1 for rejected, and for notPinned without "
        + "--allow-unpinned; 4 when the server can't be reached.",
    ],
    operands: [.init(name: "POLICY"), .init(name: "HOST[:PORT]", isFile: false)],
    options: EvaluateVerb.options, rules: EvaluateVerb.rules,
    examples: [
      .init(
        command:
          "policyctl evaluate policy.json api.example.com --chain next.pem --at 2027-01-01T00:00:00Z",
        meaning: "will the next certificate be accepted?"),
      .init(
        command: "policyctl evaluate policy.jws --key signing.pub.pem api.example.com --live",
        meaning: "why do clients refuse this server?"),
    ],
    run: EvaluateVerb.run)
}

enum EvaluateVerb {
  static let options: [Option] = {
    var options: [Option] = [.chain, .live]
    options += PolicyInput.options
    options += TrustStore.options
    options += [.at, .asIf, .allowUnpinned, .ignoreWindow]
    return options + ServerOptions.options
  }()

  static let rules: [OptionRule] = {
    var rules: [OptionRule] = [.exactlyOne(["chain", "live"])]
    rules += PolicyInput.rules
    let files = ["passphrase-file", "passphrase-env"]
    for option in ServerOptions.options where !files.contains(option.name) {
      rules.append(.needs(option.name, "live"))
    }
    return rules + ServerOptions.rules + TrustStore.rules
      + CertificateFile.rules(["client-cert", "chain", "anchors", "anchors-only"])
  }()

  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let now = Clock.now(arguments)
    let servers = arguments.has(.live) ? try ServerOptions(arguments, at: now) : nil
    let endpoint = try endpoint(arguments.operands[1], servers)
    try servers?.checkTargets(areAmong: [endpoint])
    var input = try PolicyInput(arguments, output)
    try input.checkWindow(arguments, output)
    let store = try TrustStore.one(arguments, output)
    let (chains, gaps) = try chains(of: endpoint, servers, arguments, output)
    input.introduce(output)

    var status = gaps.isEmpty ? ExitStatus.success : .unreachable
    for (chain, handshake) in chains {
      let evaluation = Evaluation(
        chain, of: endpoint.host, by: input.policy, store.evaluator, at: now,
        asIf: arguments.has(.asIf) ? .reportAsEnforce : .asWritten)
      // Only a server has a port.
      let asked = handshake.map { endpoint.members.suffix(1) + $0.members } ?? []
      output.json(.object(evaluation.members + asked + input.resultMembers))
      EvaluationStory(
        evaluation: evaluation, presented: chain, handshake: handshake, now: now,
        allowsUnpinned: arguments.has(.allowUnpinned), name: input.name(of:)
      ).tell(to: output)
      let verdict = Evaluation.status(
        of: evaluation.verdict, allowingUnpinned: arguments.has(.allowUnpinned))
      // That one chain would be rejected is a better answer than that another is unknown.
      if status != .refused { status = verdict == .refused ? verdict : status.worse(verdict) }
    }
    for failure in gaps {
      output.json(
        .object(
          endpoint.members + [JSONMember("error", failure.json)] + input.resultMembers))
    }
    return status
  }

  /// Only a server has a port.
  private static func endpoint(
    _ text: String, _ servers: ServerOptions?
  ) throws(Failure) -> Endpoint {
    if let servers { return try servers.endpoint(text) }
    do { return Endpoint(host: try HostName(authoring: text), port: 0) } catch {
      throw Failure(error, status: .usage, about: text)
    }
  }

  /// The chains to judge, and why there may be others.
  private static func chains(
    of endpoint: Endpoint, _ servers: ServerOptions?, _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> ([(Result<PresentedChain, CertificateError>, Handshake?)], [Failure]) {
    guard let servers else {
      let path = arguments.text(.chain) ?? "-"
      let certificates = try CertificateFile.read(
        path, arguments, atMost: Limits.standard.presentedCertificates)
      do { return ([(.success(try PresentedChain(certificates)), nil)], []) } catch {
        throw Failure(error, status: .badInput, about: path)
      }
    }
    do throws(ProbeFailure) {
      let answer = try servers.ask(endpoint)
      answer.warn(about: endpoint, on: output)
      return (answer.handshakes.map { ($0.chain, $0) }, answer.failures)
    } catch { throw ServerOptions.failure(error, about: endpoint) }
  }
}
