internal import Glibc
internal import Synchronization

/// Does one job after another on a bounded number of threads, and hands the results to one.
///
/// A job keeps nothing: results wait only until they are taken, so that what is held does not grow
/// with the number of jobs.
public final class Workers<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var results: [(Int, Value)] = []
  }

  private let count: Int
  private let cancellation: Cancellation
  private let work: @Sendable (Int) -> Value
  private let state = Mutex(State())
  private let wakeup = Wakeup()

  private init(
    _ count: Int, _ cancellation: Cancellation, _ work: @escaping @Sendable (Int) -> Value
  ) {
    self.count = count
    self.cancellation = cancellation
    self.work = work
  }

  /// Does the jobs `0 ..< count`.
  ///
  /// - Parameters:
  ///   - most: how many are done at once at most, one at least.
  ///   - cancellation: once cancelled no further job begins, and this returns when those that have
  ///     begun end; they should look at it too.
  ///   - tick: called on the caller's thread several times a second.
  ///   - take: called there with each job's number and result, in the order in which they end.
  /// - Throws: ``ProbeFailure/resources(errno:)`` when not even one thread could be started.
  public static func run(
    _ count: Int, atOnce most: Int, until cancellation: Cancellation,
    _ work: @escaping @Sendable (Int) -> Value, tick: () -> Void = {},
    take: (Int, Value) -> Void
  ) throws(ProbeFailure) {
    let workers = Workers(count, cancellation, work)
    var threads: [Thread] = []
    while threads.count < min(max(most, 1), count) {
      do { threads.append(try Thread { workers.run() }) } catch {
        // Fewer than asked for do the work as well, later.
        guard !threads.isEmpty else { throw error }
        break
      }
    }
    var left = count
    while left > 0 {
      let results = workers.wait()
      for (index, value) in results { take(index, value) }
      left -= results.count
      tick()
      if cancellation.isCancelled { break }
    }
    for thread in threads { thread.join() }
    for (index, value) in workers.drain() { take(index, value) }
  }

  private func run() {
    while !cancellation.isCancelled {
      let index = state.withLock { state in
        defer { state.next += 1 }
        return state.next
      }
      guard index < count else { return }
      let value = work(index)
      state.withLock { $0.results.append((index, value)) }
      wakeup.wake()
    }
  }

  /// What was done since the last call, after at most an eighth of a second.
  private func wait() -> [(Int, Value)] {
    var watched = [
      pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&watched, nfds_t(watched.count), 125)
    wakeup.rest()
    return drain()
  }

  private func drain() -> [(Int, Value)] {
    state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
  }
}
