internal import Glibc

/// A moment by which something has to be done, on a clock that nobody sets.
struct Deadline: Sendable {
  /// Milliseconds of CLOCK_MONOTONIC.
  let moment: Int64

  init(inMilliseconds milliseconds: Int64) {
    moment = Self.now.addingReportingOverflow(max(milliseconds, 0)).partialValue
  }

  private init(moment: Int64) { self.moment = moment }

  /// The sooner of this one and one so many milliseconds from now.
  func atMost(milliseconds: Int64) -> Deadline {
    Deadline(moment: min(moment, Self.now &+ milliseconds))
  }

  var hasPassed: Bool { Self.now >= moment }

  /// What is left, as poll(2) takes it.
  var millisecondsLeft: Int32 { Int32(clamping: max(moment &- Self.now, 0)) }

  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }
}
