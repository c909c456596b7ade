import Glibc
import PinCrypto
import PinPolicy
import StrictJSON

@main
enum Policyctl {
  static let version = "0.1.0"

  static var verbs: [Verb] { makers.map { $0.make() } }

  /// The verbs by their first word, made when they are asked for: all of them with all their texts
  /// would be a fortieth of a verification.
  private static let makers: [(name: String, make: @Sendable () -> Verb)] = [
    ("key", { .key }), ("keygen", { .keygen }), ("init", { .initialise }), ("sign", { .sign }),
    ("verify", { .verify }), ("inspect", { .inspect }), ("resolve", { .resolve }),
    ("evaluate", { .evaluate }), ("pin", { .pin }), ("discover", { .discover }),
    ("check", { .check }),
  ]

  static func main() {
    StandardStreams.occupy()
    Signals.letThrough()
    // A reader that has gone is an error of the write, told and with an exit status of its own.
    _ = signal(SIGPIPE, SIG_IGN)
    // So is a file that would be larger than the process may make one.
    _ = signal(SIGXFSZ, SIG_IGN)
    let status = run(CommandLine.arguments.dropFirst())
    // Everything is written, and libcrypto's tables need not be taken down entry by entry.
    _exit(status.rawValue)
  }

  /// Does what the words say and prints what there is to print.
  static func run(_ words: ArraySlice<String>) -> ExitStatus {
    // Looked for before anything is read, since what is wrong may come before it.
    let output = Output(isJSON: words.prefix { $0 != "--" }.contains("--json"))
    var status: ExitStatus
    do throws(Failure) {
      try checkEncoding()
      status = try perform(words, output)
    } catch {
      output.failure(error)
      status = error.status
    }
    do throws(Failure) {
      try output.finish()
    } catch {
      output.explain(error)
      status = status.worse(error.status)
    }
    return status
  }

  /// Refuses arguments that Swift has repaired: another file than the one that was named could be
  /// read or replaced.
  private static func checkEncoding() throws(Failure) {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      throw .usage(
        "not-utf8",
        "argument \(index) is not UTF-8: \(PrintableText.quoted(CommandLine.arguments[index]))",
        detail: [JSONMember("index", .integer(Int64(index)))])
    }
  }

  private static func perform(
    _ words: ArraySlice<String>, _ output: Output
  ) throws(Failure) -> ExitStatus {
    var words = words
    switch words.first {
    case nil:
      HelpText.overview(verbs).forEach(output.words)
      return .usage
    case "--version", "-V":
      output.line("policyctl \(version)")
      output.json(.object([JSONMember("version", .string(version))]))
      return .success
    case "--help", "-h":
      return help(HelpText.overview(verbs), output)
    case "help":
      words.removeFirst()
      guard !words.isEmpty else { return help(HelpText.overview(verbs), output) }
      return help(HelpText.text(for: try take(verbFrom: &words)), output)
    default: break
    }
    let verb = try take(verbFrom: &words)
    guard let run = verb.run else {
      if words.contains("--help") || words.contains("-h") {
        return help(HelpText.text(for: verb), output)
      }
      throw unknownVerb(words.first, of: verb.verbs, after: verb.name + " ")
    }
    let arguments = try Arguments(words, for: verb)
    if arguments.has(.help) { return help(HelpText.text(for: verb), output) }
    output.isQuiet = arguments.has(.quiet)
    if verb.options.contains(where: { $0.name == Option.passphraseFile.name }) {
      SecretBytes.stayOutOfDumps()
    }
    return try run(arguments, output)
  }

  private static func help(_ lines: [Line], _ output: Output) -> ExitStatus {
    lines.forEach(output.help)
    return .success
  }

  /// Takes the words that name a verb, one below the other.
  private static func take(verbFrom words: inout ArraySlice<String>) throws(Failure) -> Verb {
    let first = words.first
    var candidates = makers.first { $0.name == first }.map { [$0.make()] } ?? verbs
    var found: Verb?
    while let word = words.first, !word.hasPrefix("-") || found == nil {
      let name = (found.map { $0.name + " " } ?? "") + word
      guard let verb = candidates.first(where: { $0.name == name }) else {
        if let found, found.run != nil { return found }
        throw unknownVerb(word, of: candidates, after: found.map { $0.name + " " } ?? "")
      }
      words.removeFirst()
      found = verb
      if verb.verbs.isEmpty { return verb }
      candidates = verb.verbs
    }
    guard let found else { throw unknownVerb(nil, of: verbs, after: "") }
    return found
  }

  private static func unknownVerb(
    _ word: String?, of verbs: [Verb], after prefix: String
  ) -> Failure {
    let names = verbs.map { String($0.name.dropFirst(prefix.count)) }
    let hint = "see: policyctl \(prefix)--help"
    guard let word else {
      return .usage(
        "missing-verb", "a verb is missing: \(names.joined(separator: " "))", hint: hint)
    }
    guard !word.hasPrefix("-") else {
      return .usage(
        "unknown-option", "there is no option \(word) before a verb; options follow the verb",
        detail: [JSONMember("option", .string(word))], hint: hint)
    }
    return .usage(
      "unknown-verb",
      "there is no verb \(PrintableText.quoted(prefix + word))"
        + Suggestion.phrase(for: word, among: names),
      detail: [JSONMember("verb", .string(prefix + word))], hint: hint)
  }
}
