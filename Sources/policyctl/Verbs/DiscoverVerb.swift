import PinCrypto
import PinPolicy
import PinProbe
import PolicyAuthoring
import StrictJSON

extension Verb {
  /// Shows what servers present, and proposes rules.
  static let discover = Verb(
    name: "discover", summary: "show the certificates of servers, and propose rules for them",
    explanation: [
      "Asks each server for its certificates, once for each kind of key that it may have, and prints "
        + "them root first: Common Name, pin, key, expiry, whether the path is trusted.",
      "With --format policy it prints rules to paste into the hosts of a policy, with "
        + "cnpinning-plist a property list for CNPinning. It only proposes: names that end in a "
        + "number become prefixes, the server's own name becomes any (exact in the property list), "
        + "and whether what is served today is what should be pinned is yours to say.",
    ],
    operands: [.init(name: "HOST[:PORT]", isRepeatable: true, isFile: false)],
    options: [.format, .includesSubdomains] + TrustStore.options + [.at] + ServerOptions.options,
    rules: TrustStore.rules + ServerOptions.rules,
    examples: [
      .init(
        command: "policyctl discover api.example.com", meaning: "what does the server present?"),
      .init(
        command: "policyctl discover mail.example.com --starttls smtp --format policy",
        meaning: "a rule to begin with"),
    ],
    run: DiscoverVerb.run)
}

enum DiscoverVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let format = arguments.text(.format) ?? "text"
    guard !output.isJSON || format == "text" else {
      throw .usage("conflicting-options", "--json and --format exclude each other")
    }
    if arguments.has(.includesSubdomains), format != "policy", format != "cnpinning-plist" {
      throw .usage(
        "conflicting-options",
        "--includes-subdomains is for --format policy and --format cnpinning-plist")
    }
    let now = Clock.now(arguments)
    let store = try TrustStore.one(arguments)
    let servers = try ServerOptions(arguments, at: now)
    let endpoints = arguments.operands.map { text in
      Result { () throws(Failure) in try servers.endpoint(text) }
    }
    try servers.checkTargets(areAmong: endpoints.compactMap { try? $0.get() })
    var status = ExitStatus.success
    var proposals: [RuleProposal] = []
    for (text, endpoint) in zip(arguments.operands, endpoints) {
      do throws(Failure) {
        let server = try ask(endpoint.get(), servers, store.evaluator, at: now)
        status = status.worse(warn(of: server, output))
        switch format {
        case "names": server.show(output) { $0.commonName.names.first ?? "" }
        case "pins": server.show(output) { $0.spki.description }
        case "policy":
          proposals.append(try proposal(for: server, .standard, arguments))
        case "cnpinning-plist":
          proposals.append(try proposal(for: server, .cnpinning, arguments))
        default: server.show(output)
        }
      } catch {
        // The other servers are asked all the same.
        status = status.worse(error.status)
        output.json(.object([JSONMember("host", .string(text)), JSONMember("error", error.json)]))
        if !output.isJSON { output.explain(error.subject == nil ? error.about(text) : error) }
      }
    }
    print(proposals, format, output)
    return status
  }

  private static func ask(
    _ endpoint: Endpoint, _ servers: ServerOptions, _ evaluator: TrustEvaluator, at now: Int64
  ) throws(Failure) -> DiscoveredServer {
    do throws(ProbeFailure) {
      return DiscoveredServer(
        endpoint, try servers.ask(endpoint), evaluator, at: now)
    } catch {
      throw Failure(
        error, status: ServerOptions.status(of: error), about: endpoint.description)
    }
  }

  /// Warns of what makes the answer less than whole, and returns the status that goes with it.
  private static func warn(of server: DiscoveredServer, _ output: Output) -> ExitStatus {
    for chain in server.chains {
      if let refusal = chain.handshake.refusal {
        output.warning(
          "\(server.endpoint): the server ended the connection with the alert \(refusal.code), "
            + "\(refusal.name): it wants a client certificate")
      }
      if case .failure(let problem) = chain.trust {
        output.warning("\(server.endpoint): \(chain.key): not trusted: \(problem.sentence)")
      }
    }
    for (keyType, failure) in server.unknown {
      output.warning(
        "\(server.endpoint): whether there is a certificate for \(keyType.rawValue) too is unknown: "
          + PrintableText.message(failure.message))
    }
    return server.unknown.isEmpty ? .success : .unreachable
  }

  // MARK: Proposing

  /// - Throws: category `trust`, exit 1, where there is no path to make a rule of.
  private static func proposal(
    for server: DiscoveredServer, _ profile: Profile, _ arguments: Arguments
  ) throws(Failure) -> RuleProposal {
    let paths = server.chains.compactMap { chain in
      if case .success(let path) = chain.trust {
        path.certificates.map(\.pathCertificate)
      } else {
        nil
      }
    }
    guard paths.count == server.chains.count else {
      throw Failure(
        .trust, code: "untrusted",
        "What the server presents is not trusted, so that nobody vouches for what would be pinned.",
        status: .refused, about: server.endpoint.description,
        hint: "give --anchors FILE where the root is yours")
    }
    let proposal = RuleProposal(
      host: server.endpoint.host, paths: paths, profile: profile,
      includesSubdomains: arguments.has(.includesSubdomains))
    guard profile == .standard || !proposal.chains.isEmpty else {
      throw Failure(
        .input, code: "no-chain",
        "The certificates have no Common Names that a chain can be made of.", status: .refused,
        about: server.endpoint.description)
    }
    return proposal
  }

  private static func print(_ proposals: [RuleProposal], _ format: String, _ output: Output) {
    guard !proposals.isEmpty else { return }
    if format == "policy" {
      let rules = JSONValue.object(proposals.map(\.sourceMember))
      let text = JSONWriter.text(rules, order: .asGiven, indent: 2)
      output.bytes(Array((PrintableText.escape(json: text) + "\n").utf8))
    } else {
      output.bytes(Array(CNPinningPlist.text(proposals.map(\.rule)).utf8))
    }
    output.note(
      "this only proposes what was served just now: compare it with what your CA says it will issue"
    )
    for proposal in proposals {
      for doubt in proposal.doubts { output.warning("\(proposal.host): \(doubt)") }
    }
  }
}
