import PinPolicy
import PinProbe
import StrictJSON

/// Asks many servers at once: with a bar on a terminal, and an end at the first Ctrl-C.
enum ManyServers {
  /// - Parameters:
  ///   - ask: called on other threads; returns nil when it was stopped.
  ///   - take: called here with each answer as it comes; returns what stands behind the bar.
  /// - Returns: the answers in the order of the list; nil for those who had none when it was stopped.
  /// - Throws: exit 70 when not even one thread could be started.
  static func ask<Answer: Sendable>(
    _ endpoints: [Endpoint], _ arguments: Arguments, _ output: Output,
    _ ask: @escaping @Sendable (Endpoint, Cancellation) -> Answer?,
    take: (Answer) -> String
  ) throws(Failure) -> [Answer?] {
    var answers = [Answer?](repeating: nil, count: endpoints.count)
    var count = 0
    var facts = ""
    let cancellation = Cancellation()
    let bar = ProgressBar(total: endpoints.count, isQuiet: output.isQuiet)
    do throws(ProbeFailure) {
      try cancellation.cancelWhenInterrupted()
      try Workers<Answer?>.run(
        endpoints.count, atOnce: Int(arguments.number(.atOnce) ?? 32), until: cancellation
      ) { index in
        ask(endpoints[index], cancellation)
      } tick: {
        bar.show(count, facts)
      } take: { index, answer in
        guard let answer else { return }
        answers[index] = answer
        count += 1
        facts = take(answer)
      }
    } catch { throw ServerOptions.failure(error) }
    bar.clear()
    return answers
  }
}

extension TLSProbe.Answer {
  /// Says what makes the answer less than whole.
  func warn(about endpoint: Endpoint, on output: Output) {
    for refusal in handshakes.compactMap(\.refusal) {
      output.warning("\(endpoint): \(refusal.story)")
    }
    for failure in failures {
      output.warning("\(endpoint): \(PrintableText.message(failure.message))")
    }
  }

  /// Why less is known than was asked for, a failure a key type.
  var failures: [Failure] {
    unknown.map { keyType, error in
      let failure = ServerOptions.failure(error)
      return Failure(
        failure.category, code: failure.code,
        "Whether there is a certificate for \(keyType.rawValue) too is unknown: \(failure.message)",
        detail: [JSONMember("keyType", .string(keyType.rawValue))] + failure.detail,
        status: failure.status, hint: failure.hint)
    }
  }
}

extension TLSAlert {
  /// What it means after a handshake that showed the server's certificates.
  var story: String {
    "the server ended the connection with the alert \(code), \(name): it wants a client certificate "
      + "(--client-cert FILE)"
  }
}
