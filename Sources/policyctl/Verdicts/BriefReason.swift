import PinCrypto
import PinPolicy
import PinVerifier

/// Why a verdict is not `accepted`, in the few lines that a table has room for; `evaluate` tells the
/// whole story.
enum BriefReason {
  private static let most = 3

  static func lines(_ evaluation: Evaluation, at now: Int64) -> [String] {
    switch evaluation.trust {
    case .unreadable(let error): return [error.message]
    case .invalid(let failure):
      let story = TrustStory(
        failure: failure, host: evaluation.host, now: now, lists: evaluation.lists)
      return [story.sentence]
    case .valid(let judged):
      let judgement = judged.judgement
      guard judgement.reason != nil else {
        return judgement.verdict == .notPinned ? ["no rule governs it"] : []
      }
      let lines = judgement.diagnostics.map { line($0, judgement) }
      guard lines.count > most else { return lines }
      return lines.prefix(most) + [
        "and \(lines.count - most) more: policyctl evaluate --live tells"
      ]
    }
  }

  private static func line(_ diagnostic: Diagnostic, _ judgement: Judgement) -> String {
    switch diagnostic {
    case .denied(let pin): return "the key \(pin) is denied"
    case .lengths(let chain, let expected, let met):
      return "chain \(chain) has \(expected.count) links, and the path \(met.count) certificates: "
        + PinText.names(judgement.path)
    case .unreadable(let chain, let certificate):
      return "chain \(chain), link \(certificate): the certificate has no readable Common Name"
    case .link(let chain, let link, _, let name):
      let expected = judgement.resolution.rule?.pinSet.chains[chain].links[link]
      return "chain \(chain), link \(link): expected "
        + (expected.map(PinText.expectation) ?? "another") + ", met \(PrintableText.quoted(name))"
    case .spki(let kind, let seen):
      let names = seen.map { "\($0.spki) \(PinText.name($0.commonName))" }
      return "\(kind.rawValue): no pin is there; met "
        + (names.isEmpty ? "nothing" : names.joined(separator: ", "))
    }
  }
}
