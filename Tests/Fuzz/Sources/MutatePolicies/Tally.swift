import PinPolicy

/// What became of the messages of each kind.
struct Tally: Sendable {
  private var accepted: [Trial.Kind: Int] = [:]
  private var refused: [Trial.Kind: [FailureCategory: Int]] = [:]
  private(set) var failures: [String] = []
  /// Memory when a fifth was done, in the worker that looked.
  var early: Memory?

  mutating func accept(_ kind: Trial.Kind) { accepted[kind, default: 0] += 1 }

  mutating func refuse(_ kind: Trial.Kind, _ category: FailureCategory) {
    refused[kind, default: [:]][category, default: 0] += 1
  }

  mutating func fail(_ text: String) { failures.append(text) }

  mutating func add(_ other: Tally) {
    accepted.merge(other.accepted, uniquingKeysWith: +)
    refused.merge(other.refused) { $0.merging($1, uniquingKeysWith: +) }
    failures += other.failures
    early = early ?? other.early
  }

  var table: String {
    let categories: [FailureCategory] = [
      .limit, .encoding, .header, .key, .signature, .payload, .audience, .time,
    ]
    func row(_ title: String, _ cells: [String]) -> String {
      title.padded(to: 24)
        + cells.map { String(repeating: " ", count: 10 - $0.count) + $0 }.joined()
    }
    var lines = [row("", ["messages", "accepted"] + categories.map(\.rawValue))]
    for kind in Trial.Kind.allCases {
      let counts = refused[kind] ?? [:]
      let accepted = accepted[kind] ?? 0
      lines.append(
        row(
          kind.rawValue,
          [accepted + counts.values.reduce(0, +), accepted].map(String.init)
            + categories.map { String(counts[$0] ?? 0) }))
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
