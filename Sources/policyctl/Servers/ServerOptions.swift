import PinCrypto
import PinPolicy
import PinProbe
import PolicyAuthoring
import StrictJSON

/// How the options say to reach servers.
struct ServerOptions {
  let probe: TLSProbe
  /// The port of a host that is given without one.
  let defaultPort: UInt16
  private let targets: [HostName: Endpoint]
  private let targetOfAll: Endpoint?

  static let options: [Option] = [
    .connect, .startTLS, .proxy, .timeout, .protocols, .clientCertificate, .clientKey,
    .passphraseFile, .passphraseVariable,
  ]
  static let rules: [OptionRule] = [.needs("client-key", "client-cert")]

  /// - Parameter time: when a client certificate has to be valid.
  /// - Throws: exit 2 for a text that is no address, exit 3 for a client identity that is none.
  init(_ arguments: Arguments, at time: Int64) throws(Failure) {
    var options = TLSProbe.Options()
    options.startTLS = arguments.text(.startTLS).flatMap(StartTLS.init(rawValue:))
    options.milliseconds = (arguments.number(.timeout) ?? 10) * 1000
    guard options.milliseconds > 0 else {
      throw .usage("bad-value", "--timeout: no server answers in 0 seconds")
    }
    options.applicationProtocols = try Self.protocols(arguments, options.startTLS)
    if let text = arguments.text(.proxy) { options.proxy = try Self.endpoint(text, port: nil) }
    if let path = arguments.text(.clientCertificate) {
      options.identity = try Self.identity(path, arguments, at: time)
    }
    defaultPort = options.startTLS?.defaultPort ?? 443
    (targets, targetOfAll) = try Self.targets(arguments)
    do { probe = try TLSProbe(options) } catch { throw Self.failure(error) }
  }

  /// Reads `HOST[:PORT]`, converting names beyond ASCII.
  ///
  /// - Throws: exit 2.
  func endpoint(_ text: String) throws(Failure) -> Endpoint {
    try Self.endpoint(text, port: defaultPort)
  }

  /// Refuses a `--connect HOST=…` of a host that is not asked: a slip of the hand would ask the real
  /// server in place of the one that was meant.
  ///
  /// - Throws: exit 2.
  func checkTargets(areAmong endpoints: [Endpoint]) throws(Failure) {
    let hosts = Set(endpoints.map(\.host))
    guard
      let stray = targets.keys.map(\.description).sorted().first(where: { name in
        !hosts.contains { $0.description == name }
      })
    else { return }
    throw .usage(
      "unused-target", "--connect names \(stray), which is not among the hosts that are asked",
      detail: [JSONMember("host", .string(stray))])
  }

  /// Where to connect to for a host, unless it is the host itself.
  func target(of host: HostName) -> Endpoint? { targets[host] ?? targetOfAll }

  /// Asks a server.
  func ask(
    _ endpoint: Endpoint, until cancellation: Cancellation = Cancellation()
  ) throws(ProbeFailure) -> TLSProbe.Answer {
    try probe.ask(endpoint, at: target(of: endpoint.host), until: cancellation)
  }

  /// What is said of a server that could not be asked, and which option may help.
  static func failure(_ error: ProbeFailure, about endpoint: Endpoint? = nil) -> Failure {
    var failure = Failure(
      error, status: error.category == .network ? .unreachable : .internal,
      about: endpoint?.description, hint: hint(error))
    failure.detail += endpoint?.members ?? []
    return failure
  }

  private static func hint(_ error: ProbeFailure) -> String? {
    switch error {
    case .notResolved: "--connect ADDR:PORT asks a server whose name is not known yet"
    case .timedOut, .proxyUnreachable(.timedOut): "--timeout DURATION waits longer"
    case .badReply, .disconnected(.handshake, _):
      "--starttls PROTOCOL is for servers that begin in clear text"
    case .tls(let fault) where fault.wantsClientCertificate && !fault.hadClientCertificate:
      "--client-cert FILE shows it one"
    // RFC 7301 §3.2: no_application_protocol.
    case .tls(let fault) where fault.alert?.code == 120: "--alpn LIST offers other protocols"
    case .tls(let fault) where fault.alert == nil:
      "is it a TLS server? --starttls PROTOCOL is for those that begin in clear text"
    default: nil
    }
  }

  private static func endpoint(_ text: String, port: UInt16?) throws(Failure) -> Endpoint {
    let parts: (host: String, port: UInt16?)
    do { parts = try Endpoint.split(text) } catch { throw Failure(error, status: .usage) }
    let host = try host(parts.host)
    guard let port = parts.port ?? port else {
      throw Failure(EndpointError.missingPort(text), status: .usage)
    }
    return Endpoint(host: host, port: port)
  }

  private static func host(_ text: String) throws(Failure) -> HostName {
    do { return try HostName(authoring: text) } catch {
      throw Failure(error, status: .usage, about: text)
    }
  }

  /// `--connect`: for one host each, or for all.
  private static func targets(
    _ arguments: Arguments
  ) throws(Failure) -> ([HostName: Endpoint], Endpoint?) {
    var targets: [HostName: Endpoint] = [:]
    var all: Endpoint?
    for text in arguments.texts(.connect) {
      let equals = text.firstIndex(of: "=")
      let target = try endpoint(
        String(equals.map { text[text.index(after: $0)...] } ?? text[...]), port: nil)
      guard let equals else {
        guard all == nil else {
          throw .usage("repeated-option", "--connect is given twice for all hosts")
        }
        all = target
        continue
      }
      let host = try host(String(text[..<equals]))
      guard targets.updateValue(target, forKey: host) == nil else {
        throw .usage("repeated-option", "--connect is given twice for \(host)")
      }
    }
    return (targets, all)
  }

  /// Other protocols than HTTP have names of their own, if any, in ALPN.
  private static func protocols(
    _ arguments: Arguments, _ startTLS: StartTLS?
  ) throws(Failure) -> [String] {
    guard let list = arguments.text(.protocols) else {
      return startTLS == nil ? TLSProbe.Options().applicationProtocols : []
    }
    if list == "none" { return [] }
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ (1...255).contains($0.utf8.count) }), list.utf8.count < 4096 else {
      throw .usage("bad-value", "--alpn: a protocol has 1 to 255 bytes; write h2,http/1.1 or none")
    }
    return names
  }

  private static func identity(
    _ path: String, _ arguments: Arguments, at time: Int64
  ) throws(Failure) -> ClientIdentity {
    let passphrase = PassphraseSource(
      arguments, file: .passphraseFile, variable: .passphraseVariable)
    let file = try KeyFile.read(path)
    let keyPath = arguments.text(.clientKey)
    let keyFile: SecretBytes? = if let keyPath { try KeyFile.read(keyPath) } else { nil }
    do {
      return try ClientIdentity(reading: file, keyFile: keyFile, at: time) {
        try passphrase.passphrase(of: keyPath ?? path)
      }
    } catch let error as ClientIdentityError {
      throw Failure(
        error.category, code: error.code, error.message(writing: TimeText.text(of:)),
        detail: error.detail,
        status: .badInput, about: path)
    } catch { throw KeyFile.failure(error, path) }
  }
}
