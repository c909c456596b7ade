import PinCrypto
import PinPolicy
import PinProbe

/// The hosts of a check as a table for people.
struct CheckTable {
  let stores: [TrustStore]

  func show(_ hosts: [CheckedHost], on output: Output) {
    guard !hosts.isEmpty else { return }
    let header = ["HOST", "KEY", "TLS"] + (stores.count == 1 ? ["VERDICT"] : stores.map(\.name))
    let rows = hosts.map(rows)
    var widths = header.map(\.count)
    for row in rows.joined() {
      for (index, cell) in row.cells.enumerated() {
        widths[index] = min(max(widths[index], cell.text.count), 48)
      }
    }
    output.line(line(header.map { Cell(text: $0, style: .faint) }, widths, "DAYS  BACKUP"))
    for (host, rows) in zip(hosts, rows) {
      for row in rows { output.line(line(row.cells, widths, row.rest)) }
      for note in notes(of: host) { output.line("    \(note, .faint)") }
    }
    if let scope = stores.first?.evaluator.revocation.scope { output.line("\(scope.story)") }
  }

  private struct Cell {
    var text: String
    var style: Line.Style = .plain
  }

  private struct Row {
    let cells: [Cell]
    let rest: Line
  }

  private func rows(_ host: CheckedHost) -> [Row] {
    let name = host.endpoint.description
    guard !host.chains.isEmpty else {
      return [
        Row(
          cells: [Cell(text: name, style: .strong), Cell(text: "-"), Cell(text: "-")]
            + stores.indices.map { Cell(text: $0 == 0 ? "unreachable" : "", style: .bad) },
          rest: "-     -")
      ]
    }
    return host.chains.enumerated().map { index, chain in
      let answers = chain.answers.map { answer in
        Cell(
          text: answer.verdict.rawValue + (answer.trustReason.map { " (\($0))" } ?? ""),
          style: EvaluationStory.style(of: answer.verdict))
      }
      let days = chain.daysLeft.map(String.init) ?? "-"
      let backup = host.backup.map { $0 ? "yes" : "no" } ?? "-"
      return Row(
        cells: [
          Cell(text: index == 0 ? name : "", style: .strong), Cell(text: chain.key),
          Cell(text: chain.protocolVersion.replacingTLSPrefix),
        ] + answers,
        rest: "\(days)\(String(repeating: " ", count: max(2, 6 - days.count)))\(backup)")
    }
  }

  /// What stands below a host: why it is not accepted, and warnings, each once.
  private func notes(of host: CheckedHost) -> [String] {
    var notes: [String] = []
    for chain in host.chains {
      for answer in chain.answers {
        let place =
          (host.chains.count > 1 ? "\(chain.key): " : "")
          + (stores.count > 1 ? "\(answer.store): " : "")
        notes += answer.why.map { place + $0 }
      }
    }
    if let failure = host.failure {
      notes.append(failure.message + (failure.hint.map { " (\($0))" } ?? ""))
    }
    var seen: Set<String> = []
    return (notes + host.warnings.map(\.message)).filter { seen.insert($0).inserted }
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ rest: Line) -> Line {
    var line: Line = ""
    for (cell, width) in zip(cells, widths) {
      let padding = String(repeating: " ", count: max(0, width - cell.text.count) + 2)
      line = "\(line)\(cell.text, cell.style)\(padding)"
    }
    return "\(line)\(rest)"
  }
}

extension String {
  /// `1.3` of `TLSv1.3`.
  fileprivate var replacingTLSPrefix: String { hasPrefix("TLSv") ? String(dropFirst(4)) : self }
}
