/// Help, written from the declarations of the verbs.
enum HelpText {
  private static let width = 80

  /// `policyctl --help`.
  static func overview(_ verbs: [Verb]) -> [Line] {
    var lines: [Line] = [
      "policyctl: make, sign, verify and query signed certificate pin policies", "",
      "\("Usage:", .strong) policyctl VERB [OPTION …] [ARGUMENT …]", "", "\("Verbs:", .strong)",
    ]
    lines += table(leaves(of: verbs).map { ($0.name, $0.summary) })
    lines += ["", "\("Everywhere:", .strong)"]
    lines += table(
      Verb.common.map { (spelling($0), $0.meaning) } + [("    --version", "the version")])
    lines += ["", "\("Exit status:", .strong)"]
    lines += table(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
    lines += ["", "policyctl VERB --help explains a verb and shows an example."]
    return lines
  }

  /// `policyctl VERB --help`.
  static func text(for verb: Verb) -> [Line] {
    guard verb.verbs.isEmpty else {
      return ["policyctl \(verb.name): \(verb.summary)", "", "\("Verbs:", .strong)"]
        + table(leaves(of: verb.verbs).map { ($0.name, $0.summary) })
    }
    var lines: [Line] = ["policyctl \(verb.name): \(verb.summary)", "", "\("Usage:", .strong)"]
    lines += wrap(usage(of: verb), first: "  ", rest: "      ")
    for paragraph in verb.explanation {
      lines += [""] + wrap(paragraph.split(separator: " ").map(String.init), first: "", rest: "")
    }
    if !verb.options.isEmpty {
      lines += ["", "\("Options:", .strong)"]
      lines += table(verb.options.map { (spelling($0), explanation($0)) })
    }
    lines += ["", "\("Everywhere:", .strong)"]
    lines += table(Verb.common.map { (spelling($0), $0.meaning) })
    if !verb.examples.isEmpty {
      lines += ["", "\(verb.examples.count == 1 ? "Example:" : "Examples:", .strong)"]
      for example in verb.examples {
        lines.append("  # \(example.meaning)")
        lines += wrap(
          example.command.split(separator: " ").map(String.init), first: "  ", rest: "      ",
          lineEnd: " \\")
      }
    }
    return lines
  }

  /// The verbs that do something.
  static func leaves(of verbs: [Verb]) -> [Verb] {
    verbs.flatMap { $0.verbs.isEmpty ? [$0] : leaves(of: $0.verbs) }
  }

  /// What must be given, then what may be; each piece stays whole.
  private static func usage(of verb: Verb) -> [String] {
    var required: [String] = []
    var groups: [[String]] = []
    for rule in verb.rules {
      switch rule {
      case .required(let name): required.append(name)
      case .exactlyOne(let names): groups.append(names)
      case .atMostOne, .needs: break
      }
    }
    let synopses: (String) -> String = { name in
      guard let option = verb.options.first(where: { $0.name == name }) else { return name }
      return option.synopsis + (option.isRepeatable ? " …" : "")
    }
    var pieces = ["policyctl \(verb.name)"] + verb.operands.map(\.synopsis)
    pieces += required.map(synopses)
    pieces += groups.map { "(" + $0.map(synopses).joined(separator: " | ") + ")" }
    let said = Set(required + groups.flatMap { $0 })
    if verb.options.contains(where: { !said.contains($0.name) }) { pieces.append("[OPTION …]") }
    return pieces
  }

  /// `-o, --output FILE`.
  private static func spelling(_ option: Option) -> String {
    (option.short.map { "-\($0), " } ?? "    ") + option.synopsis
  }

  private static func explanation(_ option: Option) -> String {
    var text = option.meaning
    let said = text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    if case .choice(_, let words) = option.value, words.count <= 12, !said.contains(words[0]) {
      text += "; one of " + words.joined(separator: " ")
    }
    return option.isRepeatable ? text + " (may be repeated)" : text
  }

  /// Two columns; a long left entry stands on a line of its own.
  private static func table(_ rows: [(left: String, right: String)]) -> [Line] {
    let column = min(rows.map(\.left.count).max() ?? 0, 28)
    let indent = String(repeating: " ", count: column + 4)
    return rows.flatMap { left, right -> [Line] in
      let words = right.split(separator: " ").map(String.init)
      let padding = String(repeating: " ", count: max(0, column - left.count) + 2)
      if left.count > column {
        return ["  \(left)"] + wrap(words, first: indent, rest: indent)
      }
      return wrap(words, first: "  \(left)\(padding)", rest: indent)
    }
  }

  private static func wrap(
    _ words: [String], first: String, rest: String, lineEnd: String = ""
  ) -> [Line] {
    var lines: [String] = []
    var line = first
    var isBlank = true
    for word in words {
      if !isBlank, line.count + 1 + word.count + lineEnd.count > width {
        lines.append(line + lineEnd)
        line = rest
        isBlank = true
      }
      line += isBlank ? word : " " + word
      isBlank = false
    }
    return (lines + [line]).map { Line($0) }
  }
}
