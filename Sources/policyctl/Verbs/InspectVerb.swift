import PinCrypto
import PinPolicy
import StrictJSON

extension Verb {
  /// Shows a signed policy without checking it.
  static let inspect = Verb(
    name: "inspect",
    summary: "show a signed policy without checking it",
    explanation: [
      "Shows the protected header and the payload, and says NOT VERIFIED on every line: anyone may "
        + "have written them. What is no policy is shown as far as it can be read, with the reason "
        + "and exit status 1. What is long is cut for people; --json shows it whole."
    ],
    operands: [.init(name: "FILE")],
    options: [.at],
    examples: [
      .init(command: "policyctl inspect policy.jws", meaning: "what does this file claim to be?")
    ],
    run: InspectVerb.run)
}

enum InspectVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let message = try UnverifiedMessage(reading: arguments.operands[0])
    let now = Clock.now(arguments)
    var fault: Failure?
    do throws(Failure) {
      let header = try message.header()
      let policy = try message.policy()
      report(header, policy, message, at: now, output)
    } catch { fault = error }
    if let fault {
      output.json(
        .object([
          JSONMember("verified", .bool(false)),
          JSONMember("header", message.headerValue ?? .null),
          JSONMember("payload", message.payloadValue ?? .null), JSONMember("error", fault.json),
        ]))
    }
    guard !output.isJSON else { return fault?.status ?? .success }
    show(message, output)
    if let fault { output.explain(fault) }
    return fault?.status ?? .success
  }

  private static func report(
    _ header: ProtectedHeader, _ policy: Policy, _ message: UnverifiedMessage, at now: Int64,
    _ output: Output
  ) {
    output.json(
      .object([
        JSONMember("verified", .bool(false)),
        JSONMember("inForce", .bool(policy.window.contains(now))),
        JSONMember("header", message.headerValue ?? .null),
        JSONMember("payload", message.payloadValue ?? .null),
      ]))
    output.margin = UnverifiedMessage.margin
    output.line("\(message.path) claims, and anyone may have written it:")
    output.fields([
      ("key id", Line(header.keyIdentifier ?? "none")),
      ("algorithm", Line(header.algorithm.rawValue)),
      ("profile", Line(header.profile.rawValue)),
      ("audience", Line(policy.audience ?? "none")), ("issuer", Line(policy.issuer ?? "none")),
      ("in force", WindowText.line(policy.window, at: now)),
      ("hosts", "\(policy.rules.count)"),
    ])
  }

  private static func show(_ message: UnverifiedMessage, _ output: Output) {
    output.margin = UnverifiedMessage.margin
    output.line("  protected header")
    message.headerLines.forEach(output.line)
    output.line("  payload")
    message.payloadLines.forEach(output.line)
  }
}
