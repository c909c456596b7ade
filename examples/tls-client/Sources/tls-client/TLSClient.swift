import CTLS
import Foundation
import PinCrypto
import PinPolicy
import PinTLS
import PinVerifier

/// Connects to a TLS server under a signed pin policy, and says what became of it.
@main
struct TLSClient {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard (4...5).contains(arguments.count) else {
      print("usage: tls-client HOST:PORT POLICY PUBLIC-KEY AUDIENCE [ANCHORS]")
      exit(2)
    }
    do {
      exit(try run(arguments) ? 0 : 1)
    } catch {
      print("error: \((error as? any Refusal)?.message ?? "\(error)")")
      exit(3)
    }
  }

  private static func run(_ arguments: [String]) throws -> Bool {
    // A service would fetch the policy again from time to time, and hand it to `current.replace`.
    let key = try TrustedKey(pem: bytes(arguments[2]))
    let verifier = PolicyVerifier(
      trustedKeys: try TrustedKeys([key]), audience: .exactly(arguments[3]))
    let current = CurrentPolicy(try verifier.verify(bytes(arguments[1]), at: systemTime()))
    let anchors =
      arguments.count == 5
      ? try TrustAnchors.only(Certificate.all(in: bytes(arguments[4]), atMost: 100))
      : try TrustAnchors.system()

    // One context for all connections. From here on no connection can go unjudged.
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw Fault.openSSL }
    defer { SSL_CTX_free(context) }
    try installPinVerification(
      on: context, policy: current, trust: TrustEvaluator(anchors: anchors), onUnpinned: .reject,
      observer: { print($0.words) })
    return try connect(to: arguments[0], context)
  }

  private static func connect(to place: String, _ context: OpaquePointer) throws -> Bool {
    let host = place.split(separator: ":").dropLast().joined(separator: ":")
    guard let connection = SSL_new(context) else { throw Fault.openSSL }
    defer { SSL_free(connection) }
    guard let socket = BIO_new_connect(place) else { throw Fault.openSSL }
    SSL_set_bio(connection, socket, socket)
    // The host that the server is judged for, and the name that it is asked for.
    var name = host.utf8CString
    let isNamed = name.withUnsafeMutableBufferPointer {
      SSL_ctrl(
        connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), $0.baseAddress)
    }
    guard SSL_set1_host(connection, host) == 1, isNamed == 1 else { throw Fault.openSSL }
    guard BIO_ctrl(socket, BIO_C_DO_STATE_MACHINE, 0, nil) == 1 else { throw Fault.unreachable }
    guard SSL_connect(connection) == 1 else {
      print("no connection: not a byte of ours was sent")
      return false
    }
    print("connected by \(String(cString: SSL_get_version(connection)))")
    SSL_shutdown(connection)
    return true
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  enum Fault: Error { case openSSL, unreachable }
}

extension HandshakeOutcome {
  fileprivate var words: String {
    switch self {
    case .proceeds(let judgement):
      "\(judgement.host): \(judgement.verdict.rawValue)"
        + judgement.by.map { " by \($0.kind.rawValue)" }.joined()
    case .refused(let judgement):
      "\(judgement.host): \(judgement.verdict.rawValue), served by "
        + judgement.path.map { $0.commonName.readable ?? "?" }.joined(separator: " < ")
    case .untrusted(let host, let failure): "\(host): not trusted: \(failure.message)"
    case .unreadable(let host, let error): "\(host): unreadable: \(error.message)"
    case .oldVersion(let version): "the server speaks \(version)"
    case .noHost: "nobody said which host this is"
    case .invalidHost(let error): "no host: \(error)"
    case .noPolicy(let host): "\(host): there is no policy"
    case .policyNotInForce(let host, let error): "\(host): \(error.message)"
    }
  }
}
