internal import Glibc
internal import Synchronization

/// Stops probes from another thread: each wait for the network ends at once.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)
  private let wakeup = Wakeup()

  public init() {}

  var descriptor: Int32 { wakeup.descriptor }

  public var isCancelled: Bool { flag.load(ordering: .acquiring) }

  public func cancel() {
    flag.store(true, ordering: .releasing)
    wakeup.wake()
  }

  /// Cancels when the process is interrupted or asked to end, in place of its death; the second time
  /// it dies. For programs: libraries leave signals alone.
  ///
  /// Call it on the main thread before others are started, since those inherit what is blocked.
  public func cancelWhenInterrupted() throws(ProbeFailure) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    try Thread.startDetached { [signals] in
      var signals = signals
      var signal: Int32 = 0
      while unsafe sigwait(&signals, &signal) != 0 {}
      self.cancel()
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }
}
