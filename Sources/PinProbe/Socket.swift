internal import Glibc

/// A connected TCP socket that never blocks.
final class Socket {
  private let descriptor: Int32
  /// Whom it is connected to.
  let address: String
  private let patience: Patience

  private init(_ descriptor: Int32, to address: String, _ patience: Patience) {
    self.descriptor = descriptor
    self.address = address
    self.patience = patience
  }

  deinit { _ = close(descriptor) }

  // MARK: Connecting

  /// How long one address is waited for before the next is tried beside it (RFC 8305 §5).
  private static let stagger: Int64 = 250

  /// Connects to the first of the addresses that answers.
  ///
  /// - Throws: the failure of the first address, when none does.
  static func connect(
    to addresses: [SocketAddress], _ patience: Patience
  ) throws(ProbeFailure) -> Socket {
    var waiting: [Socket] = []
    var left = addresses[...]
    var failure: ProbeFailure?
    while true {
      if waiting.isEmpty || !left.isEmpty, let address = left.popFirst() {
        do throws(ProbeFailure) {
          let (socket, isConnected) = try begin(address, patience)
          if isConnected { return socket }
          waiting.append(socket)
        } catch {
          failure = failure ?? error
          continue
        }
      }
      guard !waiting.isEmpty else { throw failure ?? .timedOut(.connection) }
      let turn = left.isEmpty ? patience : patience.until(milliseconds: stagger)
      do throws(ProbeFailure) {
        if let socket = try firstConnected(&waiting, turn, &failure) { return socket }
      } catch {
        // The turn is over; the next address has its own.
        guard case .timedOut = error, !left.isEmpty, !patience.deadline.hasPassed else {
          throw error
        }
      }
    }
  }

  private static func begin(
    _ address: SocketAddress, _ patience: Patience
  ) throws(ProbeFailure) -> (Socket, isConnected: Bool) {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, flags, 0)
    guard descriptor >= 0 else { throw failure(errno, address.description) }
    let made = Socket(descriptor, to: address.description, patience)
    var yes: Int32 = 1
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    while true {
      if unsafe address.withSockaddr({ unsafe Glibc.connect(descriptor, $0, $1) }) == 0 {
        return (made, true)
      }
      if errno == EINPROGRESS { return (made, false) }
      guard errno == EINTR else { throw failure(errno, address.description) }
    }
  }

  /// Waits for one of the sockets; those that fail are taken out.
  private static func firstConnected(
    _ sockets: inout [Socket], _ patience: Patience, _ first: inout ProbeFailure?
  ) throws(ProbeFailure) -> Socket? {
    var watched = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
    let asked = sockets
    try patience.wait(
      for: &watched, of: asked.map(\.address).joined(separator: ", "), during: .connection)
    var still: [Socket] = []
    for (socket, state) in zip(sockets, watched) {
      guard state.revents != 0 else {
        still.append(socket)
        continue
      }
      let error = socket.pendingError
      if error == 0 { return socket }
      first = first ?? failure(error, socket.address)
    }
    sockets = still
    return nil
  }

  private var pendingError: Int32 {
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
    return status == 0 ? error : errno
  }

  private static func failure(_ errno: Int32, _ address: String) -> ProbeFailure {
    switch errno {
    case ECONNREFUSED: .refused(address: address)
    case ETIMEDOUT: .timedOut(.connection, address: address)
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: .resources(errno: errno)
    default: .unreachable(address: address, errno: errno)
    }
  }

  // MARK: Sending and receiving

  /// Sends all bytes.
  func send(_ bytes: some Collection<UInt8>, during step: ProbeStep) throws(ProbeFailure) {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        // A peer that has gone is an error here and no signal.
        unsafe Glibc.send(
          descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        try patience.wait(for: POLLOUT, on: descriptor, of: address, during: step)
      } else if errno != EINTR {
        throw .disconnected(step, errno: errno)
      }
    }
  }

  /// The next bytes.
  ///
  /// - Parameter milliseconds: waits no longer than this, where given.
  /// - Throws: ``ProbeFailure/disconnected(_:errno:)`` also at an end in order.
  func receive(
    atMost most: Int = 16_384, within milliseconds: Int64? = nil, during step: ProbeStep
  ) throws(ProbeFailure) -> [UInt8] {
    let patience = milliseconds.map { self.patience.until(milliseconds: $0) } ?? self.patience
    while true {
      try patience.wait(for: POLLIN, on: descriptor, of: address, during: step)
      var error: Int32 = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { room, count in
        let got = unsafe recv(descriptor, room.baseAddress, room.count, 0)
        if got < 0 { error = errno }
        count = max(got, 0)
      }
      switch error {
      case 0:
        if bytes.isEmpty { throw .disconnected(step, errno: nil) }
        return bytes
      case EAGAIN, EINTR: continue
      default: throw .disconnected(step, errno: error)
      }
    }
  }
}
