import Glibc
import PinCrypto
import PinPolicy
import StrictJSON

/// Where everything that is printed goes: results to standard output, words to standard error.
///
/// Results are held back until ``finish()``, so that a verb that fails has printed no half answer.
/// Text for people is escaped here and nowhere else.
final class Output {
  /// Whether results are JSON documents.
  var isJSON: Bool
  /// Whether everything but results and errors is left out.
  var isQuiet: Bool
  /// Stands before each line of a result, where a screen must say what it shows.
  var margin: Line?

  private var results: [UInt8] = []
  private var secret: SecretBytes?
  private let resultsInColour: Bool
  private let wordsInColour: Bool

  init(isJSON: Bool = false, isQuiet: Bool = false) {
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    resultsInColour = Self.takesColour(STDOUT_FILENO)
    wordsInColour = Self.takesColour(STDERR_FILENO)
  }

  // MARK: Results

  /// Adds a line for people to the results; with `--json` it is left out.
  func line(_ line: Line) {
    if !isJSON { print(line) }
  }

  /// Adds a line of help, which is for people whatever the options say.
  func help(_ line: Line) { print(line) }

  private func print(_ line: Line) {
    if let margin { results += margin.rendered(inColour: resultsInColour).utf8.dropLast() }
    results += Array(line.rendered(inColour: resultsInColour).utf8)
  }

  /// Adds labelled lines, their values in one column.
  func fields(_ fields: [(label: String, value: Line)]) {
    let width = fields.map(\.label.count).max() ?? 0
    for (label, value) in fields {
      let padding = String(repeating: " ", count: width - label.count + 2)
      line("  \(label, .faint)\(padding)\(value)")
    }
  }

  /// Adds one JSON document on a line of its own; without `--json` it is left out.
  func json(_ value: @autoclosure () -> JSONValue) {
    guard isJSON else { return }
    append(json: value())
  }

  /// Adds bytes that are the result themselves: a policy, a key.
  func bytes(_ bytes: [UInt8]) { results += bytes }

  /// Takes a private key, which goes before all other results and is held in memory that is wiped.
  func secret(_ bytes: SecretBytes) { secret = bytes }

  private func append(json value: JSONValue) { results += Self.line(of: value) }

  /// A JSON document on a line of its own, as it is printed: for results that are made elsewhere and
  /// wait for ``bytes(_:)``, a tenth the size of the values.
  static func line(of value: JSONValue) -> [UInt8] {
    let text = JSONWriter.text(value, order: .asGiven, indent: nil)
    return Array(PrintableText.escape(json: text).utf8) + [UInt8(ascii: "\n")]
  }

  /// Writes the results.
  ///
  /// - Throws: category `input`, exit 3, when standard output is closed or full.
  func finish() throws(Failure) {
    defer { (secret, results) = (nil, []) }
    let failed = unsafe secret?.withBytes { unsafe StandardStreams.write($0, to: STDOUT_FILENO) }
    if let errno = failed ?? StandardStreams.write(results, to: STDOUT_FILENO) {
      throw Failure(
        FileError.unwritable(path: "standard output", errno: errno), status: .badInput)
    }
  }

  // MARK: Words

  /// Says something by the way; `--quiet` leaves it out.
  func note(_ text: String) {
    guard !isQuiet else { return }
    words("\("note:", .strong) \(text)")
  }

  /// Says something that should worry the reader; `--quiet` leaves it out.
  func warning(_ text: String) {
    guard !isQuiet else { return }
    words("\("warning:", .warning) \(text)")
  }

  /// Writes a line to standard error whatever the options say.
  func words(_ line: Line) {
    // Nobody is left to be told when standard error is closed.
    _ = StandardStreams.write(Array(line.rendered(inColour: wordsInColour).utf8), to: STDERR_FILENO)
  }

  /// Says why a verb failed: to people on standard error, with `--json` on standard output.
  func failure(_ failure: Failure) {
    guard !isJSON else {
      (secret, results) = (nil, [])
      append(json: .object([JSONMember("error", failure.json)]))
      return
    }
    explain(failure)
  }

  /// Says why something failed on standard error.
  func explain(_ failure: Failure) {
    let message = PrintableText.message(failure.message)
    let subject = failure.subject.map { ($0.isEmpty ? "“”" : $0) + ": " } ?? ""
    let verdict = failure.status == .refused ? "refused" : "error"
    words(
      "\("policyctl:", .strong) \(subject)\(verdict, .bad) (\(failure.category.rawValue)): \(message)"
    )
    for entry in failure.list { words("  \(PrintableText.message(entry))") }
    if let hint = failure.hint { words("  \(hint)") }
  }

  // MARK: Streams

  /// Colour is for terminals alone, and for nobody who has set `NO_COLOR` (no-color.org).
  private static func takesColour(_ descriptor: Int32) -> Bool {
    if let value = Environment.value(of: "NO_COLOR"), !value.isEmpty { return false }
    guard let terminal = Environment.value(of: "TERM"), !["", "dumb"].contains(terminal) else {
      return false
    }
    return isatty(descriptor) == 1
  }
}
