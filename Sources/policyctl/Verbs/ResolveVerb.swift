import PinCrypto
import PinPolicy
import PolicyAuthoring
import StrictJSON

extension Verb {
  /// Says which rule of a policy governs each of some hosts.
  static let resolve = Verb(
    name: "resolve",
    summary: "say which rule of a policy governs a host",
    explanation: [
      "With --key the policy is a signed one, which is verified; without it a source document. "
        + "--unverified takes a signed one unchecked. A host is governed by its own rule (exact), "
        + "else by the longest name above it whose rule includes subdomains (subdomain), else by * "
        + "(wildcard), else by none. Names beyond ASCII are converted to A-labels; a host has no "
        + "port."
    ],
    operands: [.init(name: "POLICY"), .init(name: "HOST", isRepeatable: true, isFile: false)],
    options: PolicyInput.options + [.at, .ignoreWindow],
    rules: PolicyInput.rules,
    examples: [
      .init(
        command: "policyctl resolve policy.jws --key signing.pub.pem api.example.com 192.0.2.7",
        meaning: "which rules does a service apply?")
    ],
    run: ResolveVerb.run)
}

enum ResolveVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    // Not in PolicyInput: other verbs that take a policy go on to speak TLS.
    LibraryStart.withoutCiphers()
    var input = try PolicyInput(arguments, output)
    try input.checkWindow(arguments, output)
    input.introduce(output)
    var status = ExitStatus.success
    let hosts = arguments.operands.dropFirst()
    let widths = (
      input: min(hosts.map(\.count).max() ?? 0, 40), pattern: patternWidth(hosts, input.policy)
    )
    for text in hosts {
      do throws(HostAuthoringError) {
        let host = try HostName(authoring: text)
        answer(text, host, input, widths, output)
      } catch {
        let failure = Failure(error, status: .usage, about: nil)
        status = status.worse(.usage)
        refuse(text, failure, input, output)
      }
    }
    return status
  }

  /// The longest pattern that any of the hosts meets.
  private static func patternWidth(_ hosts: ArraySlice<String>, _ policy: Policy) -> Int {
    let patterns = hosts.compactMap { text in
      (try? HostName(authoring: text)).flatMap { policy.resolve($0).pattern?.description.count }
    }
    return min(patterns.max() ?? 0, 40)
  }

  private static func answer(
    _ text: String, _ host: HostName, _ input: PolicyInput, _ widths: (input: Int, pattern: Int),
    _ output: Output
  ) {
    let resolution = input.policy.resolve(host)
    let rule = resolution.rule
    output.json(
      .object(
        [
          JSONMember("input", .string(text)), JSONMember("host", .string(host.description)),
          JSONMember("pattern", rule.map { .string($0.pattern.description) } ?? .null),
          JSONMember("step", .string(resolution.step.rawValue)),
          JSONMember("mode", rule.map { .string($0.mode.rawValue) } ?? .null),
        ] + input.resultMembers))
    let name = padded(text, widths.input)
    let spelling: Line =
      text.utf8.elementsEqual(host.description.utf8)
      ? "" : "  \("as \(host.description)", .faint)"
    guard let rule else {
      return output.line("\(name)none       \("not pinned", .warning)\(spelling)")
    }
    let step = padded(resolution.step.rawValue, 9)
    let pattern = padded(rule.pattern.description, widths.pattern)
    let mode = Line(rule.mode.rawValue, HostTable.style(of: rule.mode))
    output.line("\(name)\(step)\(pattern)\(mode)\(spelling)")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count) + 2)
  }

  /// A host that is none: the others are answered all the same.
  private static func refuse(
    _ text: String, _ failure: Failure, _ input: PolicyInput, _ output: Output
  ) {
    output.json(
      .object(
        [JSONMember("input", .string(text)), JSONMember("error", failure.json)]
          + input.resultMembers))
    if !output.isJSON { output.explain(failure.about(text)) }
  }
}
