public import PinCrypto
internal import PinPolicy

/// Asks servers for their certificates: connects, shakes hands for each key type, and hangs up.
///
/// It offers TLS 1.2 and later with forward secrecy, and judges nothing. Immutable: one probe serves
/// any number of servers from any number of threads.
public struct TLSProbe: Sendable {
  public struct Options: Sendable {
    /// The most that one handshake may take, with everything before it, in milliseconds.
    public var milliseconds: Int64 = 10_000
    /// What ALPN offers (RFC 7301), each of 1 to 255 bytes.
    public var applicationProtocols = ["h2", "http/1.1"]
    public var keyTypes = KeyType.allCases
    public var startTLS: StartTLS?
    /// An HTTP proxy that connects in our place.
    public var proxy: Endpoint?
    public var identity: ClientIdentity?

    public init() {}
  }

  public let options: Options
  private let contexts: [(KeyType, TLSContext)]

  /// - Throws: ``ProbeFailure/libraryMissing(reason:)``, or ``ProbeFailure/library(_:)`` for options
  ///   that libssl does not take.
  public init(_ options: Options = Options()) throws(ProbeFailure) {
    self.options = options
    let library: LibSSL
    do { library = try LibSSL.shared.get() } catch { throw .libraryMissing(reason: error.reason) }
    var contexts: [(KeyType, TLSContext)] = []
    for keyType in options.keyTypes {
      contexts.append(
        (
          keyType,
          try TLSContext(
            library, asking: keyType, protocols: options.applicationProtocols,
            identity: options.identity)
        ))
    }
    self.contexts = contexts
  }

  /// What a server showed, one handshake a key type that it has.
  public struct Answer: Sendable {
    /// At least one; no two with the same leaf.
    public let handshakes: [Handshake]
    /// Key types of which nothing is known, because asking for them failed otherwise than a server
    /// without such a certificate fails.
    public let unknown: [(keyType: KeyType, failure: ProbeFailure)]
  }

  /// Asks a server.
  ///
  /// - Parameters:
  ///   - endpoint: its host is the server name that is asked for.
  ///   - target: where to connect to instead of the endpoint.
  /// - Throws: ``ProbeFailure`` when no handshake succeeded. A server that does not answer costs one
  ///   timeout, whatever the number of key types.
  public func ask(
    _ endpoint: Endpoint, at target: Endpoint? = nil,
    until cancellation: Cancellation = Cancellation()
  ) throws(ProbeFailure) -> Answer {
    var handshakes: [Handshake] = []
    var failures: [(keyType: KeyType, failure: ProbeFailure)] = []
    func attempt(_ keyType: KeyType, _ context: TLSContext) throws(ProbeFailure) {
      do throws(ProbeFailure) {
        let handshake = try shakeHands(
          context, asking: keyType, endpoint, at: target ?? endpoint, cancellation)
        if !handshakes.contains(where: { $0.hasSameLeaf(as: handshake) }) {
          handshakes.append(handshake)
        }
      } catch {
        // A server that fails before TLS fails for each key type.
        if error == .cancelled || handshakes.isEmpty && !error.isOfHandshake { throw error }
        failures.append((keyType, error))
      }
    }
    for (keyType, context) in contexts { try attempt(keyType, context) }
    guard !handshakes.isEmpty else {
      // One that got as far as the client's certificate says more.
      let failure = failures.first { $0.failure.isOfClient } ?? failures.first
      throw failure?.failure ?? .cancelled
    }
    // A connection may be lost by accident; twice, it is no answer either.
    for (keyType, context) in contexts {
      guard let index = failures.firstIndex(where: { $0.keyType == keyType && $0.failure.isLoss })
      else { continue }
      failures.remove(at: index)
      try attempt(keyType, context)
    }
    return Answer(
      handshakes: handshakes, unknown: failures.filter { !$0.failure.saysThatThereIsNone })
  }

  private func shakeHands(
    _ context: TLSContext, asking keyType: KeyType, _ endpoint: Endpoint, at target: Endpoint,
    _ cancellation: Cancellation
  ) throws(ProbeFailure) -> Handshake {
    let patience = Patience(
      deadline: Deadline(inMilliseconds: options.milliseconds), cancellation: cancellation)
    let socket: Socket
    if let proxy = options.proxy {
      do throws(ProbeFailure) {
        socket = try Socket.connect(to: NameLookup.addresses(of: proxy, patience), patience)
      } catch {
        throw error.category == .network && error != .cancelled ? .proxyUnreachable(error) : error
      }
      try ProxyTunnel.open(to: target, over: socket)
    } else {
      socket = try Socket.connect(to: NameLookup.addresses(of: target, patience), patience)
    }
    try options.startTLS?.negotiate(over: socket)
    var connection = try TLSConnection(context, over: socket)
    return try connection.handshake(with: endpoint.host, asking: keyType)
  }
}

extension Handshake {
  fileprivate func hasSameLeaf(as other: Handshake) -> Bool {
    guard case .success(let one) = chain, case .success(let two) = other.chain else { return false }
    return one.leaf == two.leaf
  }
}

extension ProbeFailure {
  fileprivate var isOfClient: Bool {
    if case .tls(let fault) = self { fault.wantsClientCertificate } else { false }
  }

  /// Whether another handshake that offers other algorithms may still succeed.
  fileprivate var isOfHandshake: Bool {
    if case .tls = self { true } else { isLoss }
  }

  fileprivate var isLoss: Bool {
    if case .disconnected(.handshake, _) = self { true } else { false }
  }

  /// Whether a server that answers for another key type says with this that it has no certificate of
  /// this one: handshake_failure or insufficient_security (RFC 8446 §4.1.1). Anything else, which a
  /// server in trouble may say too, leaves it open.
  fileprivate var saysThatThereIsNone: Bool {
    guard case .tls(let fault) = self, let alert = fault.alert else { return false }
    return !fault.wantsClientCertificate && (alert.code == 40 || alert.code == 71)
  }
}
