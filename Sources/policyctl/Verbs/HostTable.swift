import PinPolicy

/// The hosts of a policy and their modes, as many as a screen takes.
enum HostTable {
  private static let most = 20

  static func lines(_ rules: [HostRule], to output: Output) {
    let shown = rules.prefix(most)
    let width = min(shown.map { $0.pattern.description.count }.max() ?? 0, 48)
    for rule in shown {
      let pattern = rule.pattern.description
      let padding = String(repeating: " ", count: max(0, width - pattern.count) + 2)
      let reach = rule.includesSubdomains ? ", and every name below it" : ""
      output.line("    \(pattern)\(padding)\(rule.mode.rawValue, style(of: rule.mode))\(reach)")
    }
    if rules.count > most {
      output.line("    and \(rules.count - most) more: policyctl inspect --json shows them all")
    }
  }

  static func style(of mode: HostRule.Mode) -> Line.Style {
    switch mode {
    case .enforce: .strong
    case .report, .exempt: .warning
    }
  }
}
