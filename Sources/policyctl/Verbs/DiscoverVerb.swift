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
        + "them root first: Common Name, pin, key, expiry, whether the path is trusted. Several are "
        + "asked at once; interrupted, it stops and shows those that have answered.",
      "With --format policy it prints rules to paste into the hosts of a policy, with "
        + "cnpinning-plist a property list for CNPinning. It only proposes: names that end in a "
        + "number become prefixes, the server's own name becomes any (exact in the property list), "
        + "and whether what is served today is what should be pinned is yours to say.",
    ],
    operands: [.init(name: "HOST[:PORT]", isRepeatable: true, isFile: false)],
    options: [.format, .includesSubdomains, .atOnce] + TrustStore.options + [.at]
      + ServerOptions.options,
    rules: TrustStore.rules + ServerOptions.rules
      + CertificateFile.rules(["client-cert", "anchors", "anchors-only"]),
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
    let store = try TrustStore.one(arguments, output)
    let servers = try ServerOptions(arguments, at: now)
    let endpoints = arguments.operands.map { text in
      Result { () throws(Failure) in try servers.endpoint(text) }
    }
    let asked = endpoints.compactMap { try? $0.get() }
    try servers.checkTargets(areAmong: asked)
    var failures = 0
    let found = try ManyServers.ask(asked, arguments, output) { endpoint, cancellation in
      ask(endpoint, servers, store.evaluator, at: now, until: cancellation)
    } take: { server in
      if case .failure = server { failures += 1 }
      return failures == 0 ? "" : "  \(failures) unreachable"
    }

    var status = ExitStatus.success
    var shown = 0
    var seen: [(host: HostName, paths: [[PathCertificate]])] = []
    var answers = found[...]
    for (text, endpoint) in zip(arguments.operands, endpoints) {
      var asked = [JSONMember("host", .string(text))]
      do throws(Failure) {
        asked = (try endpoint.get()).members
        // Whoever had no answer when it was stopped is passed over.
        guard let server = try answers.popFirst()??.get() else { continue }
        status = status.worse(warn(of: server, output))
        let paths = format == "text" ? [] : try trustedPaths(of: server)
        if format == "names" || format == "pins", shown > 0 { output.line("") }
        shown += 1
        switch format {
        case "names": server.show(output, PinText.plainName)
        case "pins": server.show(output) { $0.spki.description }
        case "policy", "cnpinning-plist":
          let host = server.endpoint.host
          if let index = seen.firstIndex(where: { $0.host == host }) {
            seen[index].paths += paths
          } else {
            seen.append((host, paths))
          }
        default: server.show(output)
        }
      } catch {
        // The other servers are shown all the same.
        status = status.worse(error.status)
        output.json(.object(asked + [JSONMember("error", error.json)]))
        if !output.isJSON { output.explain(error.subject == nil ? error.about(text) : error) }
      }
    }
    status = status.worse(
      propose(seen, format == "policy" ? .standard : .cnpinning, arguments, output))
    let answered = found.count { $0 != nil }
    if answered < asked.count {
      output.words("\("interrupted:", .bad) \(answered) of \(asked.count) servers were asked")
      status = status.worse(.unreachable)
    }
    return status
  }

  /// Nil when it was stopped.
  private static func ask(
    _ endpoint: Endpoint, _ servers: ServerOptions, _ evaluator: TrustEvaluator, at now: Int64,
    until cancellation: Cancellation
  ) -> Result<DiscoveredServer, Failure>? {
    do throws(ProbeFailure) {
      let answer = try servers.ask(endpoint, until: cancellation)
      return .success(DiscoveredServer(endpoint, answer, evaluator, at: now))
    } catch {
      return error == .cancelled
        ? nil : .failure(ServerOptions.failure(error, about: endpoint))
    }
  }

  /// Warns of what makes the answer less than whole, and returns the status that goes with it.
  private static func warn(of server: DiscoveredServer, _ output: Output) -> ExitStatus {
    for chain in server.chains {
      if case .failure(let problem) = chain.trust {
        output.warning("\(server.endpoint): \(chain.key): not trusted: \(problem.message)")
      }
    }
    server.answer.warn(about: server.endpoint, on: output)
    return server.answer.failures.isEmpty ? .success : .unreachable
  }

  // MARK: Proposing

  /// What may be pinned.
  ///
  /// - Throws: category `trust`, exit 1, where there is no path.
  private static func trustedPaths(
    of server: DiscoveredServer
  ) throws(Failure) -> [[PathCertificate]] {
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
        detail: server.endpoint.members,
        status: .refused, about: server.endpoint.description,
        hint: "give --anchors FILE where the root is yours")
    }
    return paths
  }

  /// Prints a rule a host, and returns the status that goes with it.
  private static func propose(
    _ seen: [(host: HostName, paths: [[PathCertificate]])], _ profile: Profile,
    _ arguments: Arguments, _ output: Output
  ) -> ExitStatus {
    var status = ExitStatus.success
    var proposals = seen.map { host, paths in
      RuleProposal(
        host: host, paths: paths, profile: profile,
        includesSubdomains: arguments.has(.includesSubdomains))
    }
    if profile == .cnpinning {
      for proposal in proposals where proposal.chains.isEmpty {
        let failure = Failure(
          .input, code: "no-chain",
          "The certificates have no Common Names that a chain can be made of.", status: .refused,
          about: proposal.host.description)
        output.explain(failure)
        status = failure.status
      }
      proposals.removeAll(where: \.chains.isEmpty)
    }
    guard !proposals.isEmpty else { return status }
    if profile == .standard {
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
    return status
  }
}
