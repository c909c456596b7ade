import PolicyAuthoring
import StrictJSON

extension Verb {
  /// Writes a starter policy.
  static let initialise = Verb(
    name: "init", summary: "write a starter policy that explains itself",
    explanation: [
      "The document has one rule of each kind, explained in its notes. A file that is there is not "
        + "replaced without --force."
    ],
    options: [.output, .force],
    examples: [
      .init(command: "policyctl init -o policy.json", meaning: "begin, then edit policy.json")
    ],
    run: InitVerb.run)
}

enum InitVerb {
  static func run(_ arguments: Arguments, _ output: Output) throws(Failure) -> ExitStatus {
    let text = Array(StarterPolicy.text.utf8)
    // The document is JSON itself, and with --json too.
    guard let path = arguments.text(.output), path != "-" else {
      output.bytes(text)
      return .success
    }
    do {
      try AtomicFile.write(text, to: path, existing: arguments.has(.force) ? .replace : .refuse)
    } catch {
      throw Failure(
        error, status: .badInput,
        hint: error == .exists(path: path) ? "give --force to replace it" : nil)
    }
    output.json(.object([JSONMember("output", .string(path))]))
    output.note("edit \(path), then: policyctl sign \(path) --key KEY --valid-for 7d -o FILE")
    return .success
  }
}
