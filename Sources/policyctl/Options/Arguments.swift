import PinPolicy
import StrictJSON

/// The options and operands that a verb was given, checked against its declaration.
struct Arguments: Sendable {
  let verb: Verb
  private(set) var operands: [String] = []
  private var values: [String: [OptionValue]] = [:]

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// The value of an option that is a text; nil when it was not given.
  func text(_ option: Option) -> String? { texts(option).first }

  /// The values of a repeatable option, in the order in which they were given.
  func texts(_ option: Option) -> [String] {
    (values[option.name] ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The value of an option that is a time, a duration in seconds, or a number.
  func number(_ option: Option) -> Int64? {
    guard case .number(let number)? = values[option.name]?.first else { return nil }
    return number
  }

  /// - Parameter words: what stands after the verb.
  init(_ words: some Collection<String>, for verb: Verb) throws(Failure) {
    self.verb = verb
    var words = Array(words)[...]
    while let word = words.popFirst() {
      if word == "--" {
        operands += words
        break
      }
      if word.hasPrefix("--") {
        try addLong(word, from: &words)
      } else if word.hasPrefix("-"), word != "-" {
        try addShort(word, from: &words)
      } else {
        operands.append(word)
      }
    }
    // Whoever asks for help has not finished the command.
    if !has(.help) {
      try checkOperands()
      try checkRules()
      try checkStandardInput()
    }
  }

  // MARK: Reading

  /// `--name`, `--name value`, `--name=value`.
  private mutating func addLong(
    _ word: String, from words: inout ArraySlice<String>
  ) throws(Failure) {
    let body = word.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let name = String(body[..<(equals ?? body.endIndex)])
    guard let option = verb.allOptions.first(where: { $0.name == name }) else {
      throw unknown("--\(name)")
    }
    let attached = equals.map { String(body[body.index(after: $0)...]) }
    try add(option, attached: attached, from: &words)
  }

  /// `-q`, `-o value`, `-ovalue`, and flags in one word: `-qh`.
  private mutating func addShort(
    _ word: String, from words: inout ArraySlice<String>
  ) throws(Failure) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = verb.allOptions.first(where: { $0.short == letter }) else {
        throw unknown(word.count == 2 ? word : "-\(letter)")
      }
      if option.value == nil || letters.isEmpty {
        try add(option, attached: nil, from: &words)
      } else {
        try add(option, attached: String(letters), from: &words)
        return
      }
    }
  }

  private mutating func add(
    _ option: Option, attached: String?, from words: inout ArraySlice<String>
  ) throws(Failure) {
    if values[option.name] != nil, !option.isRepeatable, option.value != nil {
      throw failure("repeated-option", "--\(option.name) is given twice", option: option.name)
    }
    guard let kind = option.value else {
      if attached != nil {
        throw failure("unexpected-value", "--\(option.name) takes no value", option: option.name)
      }
      values[option.name] = []
      return
    }
    let text = if let attached { attached } else { try nextValue(of: option, from: &words) }
    do throws(OptionValueKind.Rejection) {
      values[option.name, default: []].append(try kind.value(of: text))
    } catch {
      throw failure(
        "bad-value", "--\(option.name): \(error.reason)", option: option.name)
    }
  }

  private func nextValue(
    of option: Option, from words: inout ArraySlice<String>
  ) throws(Failure) -> String {
    // A word that looks like an option is one: the value was forgotten.
    guard let next = words.first,
      next == "-" || !next.hasPrefix("-")
        || option.value?.isNumber == true && OptionValueKind.isNegative(next)
    else {
      throw failure(
        "missing-value", "--\(option.name) needs a value: \(option.synopsis)", option: option.name)
    }
    words.removeFirst()
    return next
  }

  // MARK: Checking

  private func checkOperands() throws(Failure) {
    let least = verb.operands.count(where: \.isRequired)
    if operands.count < least {
      throw failure("missing-argument", "\(verb.operands[operands.count].name) is missing")
    }
    let takesMore = verb.operands.contains(where: \.isRepeatable)
    if operands.count > verb.operands.count, !takesMore {
      let extra = operands[verb.operands.count]
      throw failure(
        "unexpected-argument", "\(PrintableText.quoted(extra)) is one argument too many")
    }
    // Of a repeatable argument the verb says which one is bad, and goes on with the others.
    for (operand, text) in zip(verb.operands, operands) where !operand.isRepeatable {
      if text.isEmpty { throw failure("empty-argument", "\(operand.name) is empty") }
    }
  }

  private func checkRules() throws(Failure) {
    for rule in verb.rules {
      switch rule {
      case .required(let name):
        if values[name] == nil {
          let synopsis = verb.options.first { $0.name == name }?.synopsis ?? "--\(name)"
          throw failure("missing-option", "\(synopsis) is missing", option: name)
        }
      case .exactlyOne(let names):
        let given = names.filter { values[$0] != nil }
        if given.isEmpty {
          throw failure("missing-option", "one of \(Self.list(names)) is missing")
        }
        try refuseSeveral(given)
      case .atMostOne(let names):
        try refuseSeveral(names.filter { values[$0] != nil })
      case .needs(let name, let others):
        if values[name] != nil, others.allSatisfy({ values[$0] == nil }) {
          throw failure(
            "missing-option", "--\(name) needs \(Self.list(others, "or"))", option: others[0])
        }
      }
    }
  }

  /// Standard input can be read once.
  private func checkStandardInput() throws(Failure) {
    let inputs =
      zip(operands.indices, operands).filter { index, text in
        text == "-" && verb.operands[min(index, verb.operands.count - 1)].isFile
      }.map { _ in "an argument" }
      + verb.options.filter { $0.isInput }.flatMap { option in
        texts(option).filter { $0 == "-" }.map { _ in "--\(option.name)" }
      }
    if inputs.count > 1 {
      throw failure(
        "repeated-input",
        "standard input (-) can be read once, and is \(inputs.joined(separator: " and "))")
    }
  }

  private func refuseSeveral(_ given: [String]) throws(Failure) {
    if given.count > 1 {
      throw failure("conflicting-options", "\(Self.list(given)) exclude each other")
    }
  }

  private static func list(_ names: [String], _ word: String = "and") -> String {
    names.map { "--" + $0 }.joined(separator: " \(word) ")
  }

  private func unknown(_ word: String) -> Failure {
    if ["--passphrase", "--password", "--pass"].contains(word),
      verb.options.contains(where: { $0.name == Option.passphraseFile.name })
    {
      return failure(
        "unknown-option",
        "there is no option \(word): every process could read the passphrase; give "
          + "--passphrase-file FILE", option: word)
    }
    var known = verb.allOptions.map { "--" + $0.name }
    if !word.hasPrefix("--") { known = verb.allOptions.compactMap { $0.short.map { "-\($0)" } } }
    return failure(
      "unknown-option", "there is no option \(word)" + Suggestion.phrase(for: word, among: known),
      option: word)
  }

  private func failure(_ code: String, _ message: String, option: String? = nil) -> Failure {
    .usage(
      code, message, detail: option.map { [.init("option", .string($0))] } ?? [],
      hint: "see: policyctl \(verb.name) --help")
  }
}
