import Glibc

/// Signals that would end the process in the middle of something.
///
/// They are blocked, never caught: what is done meanwhile ends as it would have, and the signal then
/// ends the process as if it had come a moment later. No code runs in a signal's context.
enum Signals {
  /// Lets the signals through that end the process, whoever blocked them: a parent's worker thread
  /// hands its mask down, and nobody could stop a process that inherits it.
  static func letThrough() {
    var set = ending
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Does something that no signal but SIGKILL interrupts.
  static func postponed<Result, E: Error>(_ body: () throws(E) -> Result) throws(E) -> Result {
    var all = sigset_t()
    unsafe sigfillset(&all)
    return try blocking(all, body)
  }

  /// Does something that looks for itself whether a signal that ends the process ``isWaiting``.
  static func awaited<Result>(_ body: () -> Result) -> Result { blocking(ending, body) }

  /// Whether a signal that ends the process came while it was ``awaited(_:)``.
  static var isWaiting: Bool {
    var pending = sigset_t()
    guard unsafe sigpending(&pending) == 0 else { return false }
    return numbers.contains { unsafe sigismember(&pending, $0) == 1 }
  }

  private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

  private static var ending: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in numbers { unsafe sigaddset(&set, number) }
    return set
  }

  private static func blocking<Result, E: Error>(
    _ set: sigset_t, _ body: () throws(E) -> Result
  ) throws(E) -> Result {
    var set = set
    var before = sigset_t()
    guard unsafe pthread_sigmask(SIG_BLOCK, &set, &before) == 0 else { return try body() }
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }
}
