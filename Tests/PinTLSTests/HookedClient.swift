import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinTLS
import PinVerifier
import Synchronization

/// A client with the hook, and what the hook's observer was told.
final class HookedClient: Sendable {
  let client: TLSClient
  private let outcomes: Outcomes

  /// Apart from the client, whose SSL_CTX owns it.
  private final class Outcomes: Sendable {
    let list = Mutex<[HandshakeOutcome]>([])
  }

  init(
    _ policy: any PolicySnapshotSource, anchors: [TestCertificate],
    onUnpinned: UnpinnedHosts = .reject, revocation: Revocation = .none,
    clock: @escaping @Sendable () -> Int64 = { TestTime.now },
    client made: TLSClient? = nil, prepare: (TLSClient) -> Void = { _ in }
  ) throws {
    client = try made ?? TLSClient()
    let outcomes = Outcomes()
    self.outcomes = outcomes
    prepare(client)
    let trust = TrustEvaluator(
      anchors: try TrustAnchors.only(anchors.map { try $0.read }), revocation: revocation)
    try installPinVerification(
      on: client.context, policy: policy, trust: trust, onUnpinned: onUnpinned, clock: clock,
      observer: { outcome in outcomes.list.withLock { $0.append(outcome) } })
  }

  /// What the hook judged since the last call, in words.
  func judgements() -> [String] {
    outcomes.list.withLock { list in
      defer { list = [] }
      return list.map(\.words)
    }
  }
}

extension HandshakeOutcome {
  /// The outcome, and what it depends on: `accepted`, `refused rejected pins`, `untrusted expired 0`.
  var words: String {
    switch self {
    case .proceeds(let judgement): judgement.verdict.rawValue
    case .refused(let judgement):
      "refused \(judgement.verdict) \(judgement.reason?.rawValue ?? "unpinned")"
    case .untrusted(_, let failure):
      "untrusted \(failure.reason.rawValue) \(failure.certificate.map(String.init) ?? "-")"
    case .unreadable(_, let error): "unreadable \(error.code)"
    case .oldVersion(let version): "old version \(version)"
    case .noHost: "no host"
    case .invalidHost: "invalid host"
    case .noPolicy: "no policy"
    case .policyNotInForce(_, let error): "not in force \(error.code)"
    }
  }
}

/// What both sides saw of a handshake.
struct Seen {
  let client: TLSClient.Outcome
  let server: LoopbackServer.Connection
  let judgements: [String]
}

extension HookedClient {
  func shakeHands(
    with server: LoopbackServer, _ host: TLSClient.Host, session: TLSSession? = nil,
    prepare: (OpaquePointer) -> Void = { _ in }
  ) throws -> Seen {
    let outcome = try client.connect(to: server, host, session: session, prepare: prepare)
    return Seen(client: outcome, server: try server.next(), judgements: judgements())
  }
}
