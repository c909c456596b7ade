internal import Glibc

/// Two sockets: one thread writes to one of them so that another, which waits in poll(2), sees it.
final class Wakeup: Sendable {
  /// Readable once woken, and from then on. Negative where the process has no descriptor left:
  /// poll(2) passes over it.
  let descriptor: Int32
  /// Why there is none.
  let fault: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    fault = unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 ? 0 : errno
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
