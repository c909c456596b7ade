/// A verb of the command line: what it takes, how it is explained, and what runs it.
struct Verb: Sendable {
  /// The words after `policyctl`: `key new`.
  let name: String
  /// One line of the list of verbs.
  let summary: String
  /// Paragraphs of help.
  var explanation: [String] = []
  var operands: [Operand] = []
  var options: [Option] = []
  var rules: [OptionRule] = []
  var examples: [Example] = []
  /// The verbs below this one, which then does nothing itself.
  var verbs: [Verb] = []
  let run: (@Sendable (Arguments, Output) throws(Failure) -> ExitStatus)?

  struct Operand: Sendable {
    let name: String
    var isRepeatable = false
    var isRequired = true
    var isFile = true

    var synopsis: String {
      let name = isRepeatable ? name + " …" : name
      return isRequired ? name : "[\(name)]"
    }
  }

  struct Example: Sendable {
    let command: String
    let meaning: String
  }

  /// The options that every verb has, after its own.
  static let common: [Option] = [.json, .quiet, .help]

  var allOptions: [Option] { options + Self.common }
}

/// What must hold between the options of a verb, by their long names.
enum OptionRule: Sendable {
  case required(String)
  case exactlyOne([String])
  case atMostOne([String])
  /// The first makes sense only beside one of the others.
  case needs(String, [String])

  static func needs(_ name: String, _ other: String) -> OptionRule { .needs(name, [other]) }
}
