internal import Glibc

/// A pipe that one thread writes to so that another, which waits in poll(2), sees it.
final class Wakeup: Sendable {
  /// Readable once woken, and from then on. Negative where the process has no descriptor left:
  /// poll(2) passes over it.
  let descriptor: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if unsafe pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    (descriptor, writer) = (ends[0], ends[1])
  }

  deinit {
    for end in [descriptor, writer] where end >= 0 { _ = close(end) }
  }

  func wake() {
    var byte: UInt8 = 1
    // Full: it is readable already.
    if writer >= 0 { _ = unsafe write(writer, &byte, 1) }
  }

  /// Takes back what was written, for the next round.
  func rest() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while descriptor >= 0, unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
