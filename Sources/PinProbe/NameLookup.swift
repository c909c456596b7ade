internal import Glibc
internal import PinPolicy
internal import Synchronization

/// One `getaddrinfo` on a thread of its own: it has no deadline, and waits for as long as
/// resolv.conf says.
final class NameLookup: Sendable {
  private let endpoint: Endpoint
  private let answer = Mutex<Result<[SocketAddress], SocketAddress.Fault>?>(nil)
  private let wakeup = Wakeup()

  /// The addresses of an endpoint.
  ///
  /// - Throws: ``ProbeFailure``. A look-up that is given up on ends by itself, later.
  static func addresses(
    of endpoint: Endpoint, _ patience: Patience
  ) throws(ProbeFailure) -> [SocketAddress] {
    let name = endpoint.host.description
    let answer: Result<[SocketAddress], SocketAddress.Fault>
    if endpoint.host.isAddress {
      answer = SocketAddress.all(of: name, port: endpoint.port, isLiteral: true)
    } else {
      let lookup = NameLookup(endpoint)
      try lookup.start()
      try patience.wait(for: POLLIN, on: lookup.wakeup.descriptor, during: .resolution)
      answer = lookup.answer.withLock { $0 } ?? .failure(.init(reason: "no answer"))
    }
    switch answer {
    case .success(let addresses): return addresses
    case .failure(let fault): throw .notResolved(name: name, reason: fault.reason)
    }
  }

  private init(_ endpoint: Endpoint) { self.endpoint = endpoint }

  private func start() throws(ProbeFailure) {
    guard wakeup.descriptor >= 0 else { throw .resources(errno: wakeup.fault) }
    try Thread.startDetached {
      let answer = SocketAddress.all(
        of: self.endpoint.host.description, port: self.endpoint.port, isLiteral: false)
      self.answer.withLock { $0 = answer }
      self.wakeup.wake()
    }
  }
}
