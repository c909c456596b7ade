internal import Glibc

/// What bounds every wait of one probe.
struct Patience {
  let deadline: Deadline
  let cancellation: Cancellation

  /// Waits until a descriptor is ready.
  ///
  /// - Parameter address: whom it is waited for.
  /// - Throws: ``ProbeFailure/timedOut(_:address:)``, ``ProbeFailure/cancelled``.
  func wait(
    for events: Int32, on descriptor: Int32, of address: String? = nil, during step: ProbeStep
  ) throws(ProbeFailure) {
    var watched = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
    try wait(for: &watched, of: address, during: step)
  }

  /// Waits until at least one of the descriptors is ready, and says which are.
  func wait(
    for watched: inout [pollfd], of address: @autoclosure () -> String?, during step: ProbeStep
  ) throws(ProbeFailure) {
    watched.append(pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0))
    defer { watched.removeLast() }
    while true {
      if cancellation.isCancelled { throw .cancelled }
      let ready = unsafe poll(&watched, nfds_t(watched.count), deadline.millisecondsLeft)
      let error = errno
      if cancellation.isCancelled { throw .cancelled }
      if ready > 0 { return }
      if ready == 0, deadline.hasPassed { throw .timedOut(step, address: address()) }
      if ready < 0, error != EINTR { throw .resources(errno: error) }
    }
  }

  func until(milliseconds: Int64) -> Patience {
    Patience(deadline: deadline.atMost(milliseconds: milliseconds), cancellation: cancellation)
  }
}
