import PinProbe

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
