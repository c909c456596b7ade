import COpenSSLTLS
import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinTLS
import PinVerifier
import Synchronization
import Testing

/// A resumed session shows no certificate, so it is only as good as what it was judged under.
@Suite("sessions and the policy epoch", .serialized)
struct ResumptionTests {
  private let root: TestCertificate
  private let policies: SignedPolicies
  private let accepting: VerifiedPolicy
  private let rejecting: VerifiedPolicy

  init() throws {
    root = try TestCertificate.root("Session Root")
    policies = try SignedPolicies()
    accepting = try policies.policy(hosts: "{\"*\":\(Rule.pins("any", root))}")
    let other = try TestCertificate.root("Not Served")
    rejecting = try policies.policy(hosts: "{\"*\":\(Rule.pins("any", other))}")
  }

  private func server(_ version: TLSVersion) throws -> LoopbackServer {
    var options = LoopbackServer.Options()
    options.versions = version...version
    return try LoopbackServer(
      ServerIdentity(try root.issue(.server("a.test", "b.test"))), options)
  }

  /// The clock of a client that lives through an expiry.
  private final class Clock: Sendable {
    let offset = Atomic<Int64>(0)
    var now: Int64 { TestTime.now + offset.load(ordering: .relaxed) }
  }

  enum Change: String, CaseIterable, Sendable {
    case nothing, rejecting, accepting, expired, removed

    /// The judgement of the second handshake; nil where the session is resumed without one.
    var outcome: String? {
      switch self {
      case .nothing: nil
      case .rejecting: "refused rejected pins"
      case .accepting: "accepted"
      case .expired: "not in force expired"
      case .removed: "no policy"
      }
    }
  }

  @Test(
    "a session is resumed in its epoch and judged anew in another",
    arguments: [TLSVersion.tls12, .tls13], Change.allCases)
  func resumption(version: TLSVersion, change: Change) throws {
    let (server, policy, clock) = (try server(version), CurrentPolicy(accepting), Clock())
    let hooked = try HookedClient(policy, anchors: [root], clock: { clock.now })
    let first = try hooked.shakeHands(with: server, .verified("a.test"))
    #expect(first.judgements == ["accepted"] && !first.client.isResumed)
    switch change {
    case .nothing: break
    case .rejecting: policy.replace(with: rejecting)
    case .accepting: policy.replace(with: accepting)
    case .expired: clock.offset.store(7200, ordering: .relaxed)
    case .removed: policy.replace(with: nil)
    }
    let second = try hooked.shakeHands(
      with: server, .verified("a.test"), session: first.client.session)
    let mayProceed = change == .nothing || change == .accepting
    #expect(second.judgements == [change.outcome].compactMap(\.self))
    #expect(second.client.isResumed == (change == .nothing))
    #expect(second.server.isResumed == (change == .nothing))
    #expect(second.client.isEstablished == mayProceed)
    #expect(second.server.received.isEmpty == !mayProceed)
    guard mayProceed else { return }
    // What a second handshake brings can be resumed, too.
    let third = try hooked.shakeHands(
      with: server, .verified("a.test"), session: second.client.session)
    #expect(third.client.isResumed && third.judgements == [])
  }

  @Test(
    "under an application's own info callback a handshake that offers a session fails",
    arguments: [TLSVersion.tls12, .tls13])
  func overriddenCallback(version: TLSVersion) throws {
    let (server, policy) = (try server(version), CurrentPolicy(accepting))
    let hooked = try HookedClient(policy, anchors: [root])
    func override(_ tls: OpaquePointer) { SSL_set_info_callback(tls) { _, _, _ in } }
    let first = try hooked.shakeHands(with: server, .verified("a.test"), prepare: override)
    #expect(first.judgements == ["accepted"])
    let stale = try hooked.shakeHands(
      with: server, .verified("a.test"), session: first.client.session, prepare: override)
    #expect(!stale.client.isEstablished && stale.judgements == [])
    #expect(!stale.server.isEstablished && stale.server.received.isEmpty)
  }

  /// What the application does besides.
  enum InFlight: String, CaseIterable, Sendable {
    case connected, cached
    /// Without SSL_connect: the first SSL_write shakes hands.
    case written
  }

  /// Changes when it has been asked so often.
  private final class ChangingPolicy: PolicySnapshotSource {
    let left = Atomic<Int>(.max)
    private let current: CurrentPolicy
    private let next: VerifiedPolicy

    init(_ first: VerifiedPolicy, _ next: VerifiedPolicy) {
      current = CurrentPolicy(first)
      self.next = next
    }

    func snapshot(at time: Int64) -> PolicySnapshot {
      let snapshot = current.snapshot(at: time)
      if left.subtract(1, ordering: .relaxed).newValue == 0 { current.replace(with: next) }
      return snapshot
    }
  }

  @Test(
    "a policy that changes while a session is being resumed lets no byte pass",
    arguments: [TLSVersion.tls12, .tls13], InFlight.allCases)
  func changeInFlight(version: TLSVersion, way: InFlight) throws {
    let (server, policy) = (try server(version), ChangingPolicy(accepting, rejecting))
    let hooked = try HookedClient(policy, anchors: [root])
    let first = try hooked.shakeHands(with: server, .verified("a.test"))
    #expect(first.judgements == ["accepted"])
    if way == .cached {
      // As an application does that is told of new sessions: libssl then forgets what it resumes.
      SSL_CTX_ctrl(
        hooked.client.context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_CLIENT), nil)
    }
    // Asked when the handshake begins, and when the ClientHello is made.
    policy.left.store(2, ordering: .relaxed)
    let second = try hooked.client.connect(
      to: server, .verified("a.test"), session: first.client.session,
      isImplicit: way == .written)
    #expect(second.isResumed && second.answer == [] && second.session == nil)
    #expect(
      second.faults == [way == .written ? "write to read only BIO" : "protocol is shutdown"])
    #expect(try server.next().received == [])
    #expect(hooked.judgements() == [])
  }

  @Test(
    "a client that waits for its server is asked to wait, whatever names the host",
    arguments: [TLSVersion.tls12, .tls13])
  func waits(version: TLSVersion) throws {
    let server = try server(version)
    let hooked = try HookedClient(CurrentPolicy(accepting), anchors: [root])
    for host in [TLSClient.Host.verified("a.test"), .named("a.test")] {
      var session: TLSSession?
      for isResumed in [false, true] {
        let outcome = try hooked.client.connect(
          to: server, host, session: session, blocking: false)
        #expect(outcome.isEstablished && outcome.isResumed == isResumed && outcome.faults == [])
        #expect(try server.next().received.isEmpty == false)
        session = outcome.session
      }
    }
  }

  @Test("the info callback that was there before is still called")
  func earlierCallback() throws {
    let hooked = try HookedClient(
      CurrentPolicy(accepting), anchors: [root],
      prepare: { client in
        SSL_CTX_set_info_callback(client.context) { _, stage, _ in
          if stage & SSL_CB_HANDSHAKE_DONE != 0 { Progress.done.add(1, ordering: .relaxed) }
        }
      })
    let before = Progress.done.load(ordering: .relaxed)
    _ = try hooked.shakeHands(with: server(.tls12), .verified("a.test"))
    #expect(Progress.done.load(ordering: .relaxed) > before)
  }

  private enum Progress {
    static let done = Atomic<Int>(0)
  }

  @Test(
    "only the session itself, for its host, where it was judged",
    arguments: [TLSVersion.tls12, .tls13])
  func otherSessions(version: TLSVersion) throws {
    let (server, policy) = (try server(version), CurrentPolicy(accepting))
    let hooked = try HookedClient(policy, anchors: [root])
    let session = try #require(
      try hooked.shakeHands(with: server, .verified("a.test")).client.session)

    func isResumed(
      _ session: TLSSession?, _ client: HookedClient? = nil,
      host: TLSClient.Host = .verified("a.test")
    ) throws -> Bool {
      let seen = try (client ?? hooked).shakeHands(with: server, host, session: session)
      #expect(seen.judgements == (seen.client.isResumed ? [] : ["accepted"]))
      return seen.client.isResumed
    }
    #expect(try isResumed(session))
    #expect(try isResumed(session, host: .verified("A.test.")))
    // Written to disk and read again: nobody knows what it was judged under.
    let copied = try #require(session.copied)
    #expect(try !isResumed(copied))
    // Another host of the same server, whose tickets it would take.
    #expect(try !isResumed(session, host: .verified("b.test")))
    // Another installation, whose anchors and rules may differ.
    #expect(try !isResumed(session, HookedClient(policy, anchors: [root])))
    // A client that judges nothing.
    let plain = try TLSClient().connect(to: server, .verified("a.test"))
    _ = try server.next()
    #expect(plain.isEstablished)
    #expect(try !isResumed(plain.session))
  }

  @Test("a session is not resumed where no host is set", arguments: [TLSVersion.tls12, .tls13])
  func noHost(version: TLSVersion) throws {
    let server = try server(version)
    let hooked = try HookedClient(CurrentPolicy(accepting), anchors: [root])
    let first = try hooked.shakeHands(with: server, .verified("a.test"))
    let second = try hooked.shakeHands(with: server, .none, session: first.client.session)
    #expect(!second.client.isEstablished && second.server.received.isEmpty)
  }

  @Test("the hook turns client session caching off")
  func caching() throws {
    let hooked = try HookedClient(
      CurrentPolicy(accepting), anchors: [root],
      prepare: { client in
        SSL_CTX_ctrl(
          client.context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_CLIENT), nil)
      })
    let mode = SSL_CTX_ctrl(hooked.client.context, SSL_CTRL_GET_SESS_CACHE_MODE, 0, nil)
    #expect(mode == Int(SSL_SESS_CACHE_OFF))
  }

  @Test(
    "a renegotiation keeps its session in its epoch, and fails in another",
    arguments: [Change.nothing, .accepting, .rejecting])
  func renegotiation(change: Change) throws {
    var options = LoopbackServer.Options()
    options.versions = .tls12 ... .tls12
    options.renegotiates = true
    let server = try LoopbackServer(
      ServerIdentity(try root.issue(.server("a.test"))), options)
    let policy = CurrentPolicy(accepting)
    let hooked = try HookedClient(policy, anchors: [root])
    let outcome = try hooked.client.connect(to: server, .verified("a.test")) { _ in
    } established: {
      switch change {
      case .rejecting: policy.replace(with: rejecting)
      case .accepting: policy.replace(with: accepting)
      case .nothing, .expired, .removed: break
      }
    }
    let isSame = change == .nothing
    #expect(hooked.judgements() == ["accepted"])
    #expect(try server.next().handshakes == (isSame ? 2 : 1))
    #expect(outcome.answer == (isSame ? options.answer : []))
  }

  @Test("a renegotiation without a session is judged like any handshake")
  func fullRenegotiation() throws {
    var options = LoopbackServer.Options()
    options.versions = .tls12 ... .tls12
    options.renegotiates = true
    options.resumesSessions = false
    let (good, bad) = (
      ServerIdentity(try root.issue(.server("a.test"))),
      ServerIdentity(try TestCertificate.selfSigned(.server("a.test")))
    )
    let count = Atomic<Int>(0)
    let server = try LoopbackServer(options) { _ in
      [count.add(1, ordering: .relaxed).newValue == 1 ? good : bad]
    }
    let hooked = try HookedClient(CurrentPolicy(accepting), anchors: [root])
    let seen = try hooked.shakeHands(with: server, .verified("a.test"))
    #expect(seen.judgements == ["accepted", "untrusted self-signed 0"])
    #expect(seen.server.handshakes == 1 && seen.client.answer == [])
  }
}
