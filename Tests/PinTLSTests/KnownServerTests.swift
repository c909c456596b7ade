import LoopbackTLS
import PinCrypto
import PinPolicy
import PinVerifier
import Synchronization
import Testing

/// Certificates that were read before are not read again, and that is all that is remembered.
@Suite("servers that are met again", .serialized)
struct KnownServerTests {
  private final class Clock: Sendable {
    let offset = Atomic<Int64>(0)
    var now: Int64 { TestTime.now + offset.load(ordering: .relaxed) }
  }

  @Test("the same certificates are judged anew in each full handshake")
  func judgedAnew() throws {
    let root = try TestCertificate.root("Known Root")
    let authority = try root.issue(
      .authority("Known CA").with { $0.notAfter = TestTime.now + 365 * 86_400 })
    let leaf = try authority.issue(.server("a.test"))
    let server = try LoopbackServer(ServerIdentity(leaf, above: [authority]))
    let policies = try SignedPolicies()
    let accepting = try policies.policy(hosts: "{\"*\":\(Rule.pins("leaf", leaf))}")
    let rejecting = try policies.policy(hosts: "{\"*\":\(Rule.pins("leaf", root))}")
    let (policy, clock) = (CurrentPolicy(accepting), Clock())
    let hooked = try HookedClient(policy, anchors: [root], clock: { clock.now })
    func judged(_ host: String = "a.test") throws -> [String] {
      try hooked.shakeHands(with: server, .verified(host)).judgements
    }
    #expect(try judged() == ["accepted"])
    #expect(try judged() == ["accepted"])
    #expect(try judged("b.test") == ["untrusted hostname 0"])
    clock.offset.store(91 * 86_400, ordering: .relaxed)
    #expect(try judged() == ["untrusted expired 0"])
    clock.offset.store(0, ordering: .relaxed)
    policy.replace(with: rejecting)
    #expect(try judged() == ["refused rejected pins"])
    policy.replace(with: accepting)
    #expect(try judged() == ["accepted"])
  }

  @Test("a certificate that differs in its key alone is another")
  func clonedLeaf() throws {
    let root = try TestCertificate.root("Known Root")
    let (leaf, clone) = (
      try root.issue(.server("a.test")), try root.issue(.server("a.test"))
    )
    let count = Atomic<Int>(0)
    let server = try LoopbackServer { _ in
      [ServerIdentity(count.add(1, ordering: .relaxed).newValue % 2 == 1 ? leaf : clone)]
    }
    let policy = try SignedPolicies().policy(hosts: "{\"*\":\(Rule.pins("leaf", leaf))}")
    let hooked = try HookedClient(CurrentPolicy(policy), anchors: [root])
    for _ in 0..<2 {
      #expect(
        try hooked.shakeHands(with: server, .verified("a.test")).judgements == ["accepted"])
      #expect(
        try hooked.shakeHands(with: server, .verified("a.test")).judgements
          == ["refused rejected pins"])
    }
  }

  @Test("more servers than are remembered")
  func manyServers() throws {
    let root = try TestCertificate.root("Known Root")
    let names = (0..<70).map { "h\($0).test" }
    var identities: [String: ServerIdentity] = [:]
    for name in names { identities[name] = ServerIdentity(try root.issue(.server(name))) }
    let known = identities
    let server = try LoopbackServer { name in [known[name ?? ""]].compactMap(\.self) }
    let policy = try SignedPolicies().policy(hosts: "{\"*\":\(Rule.pins("any", root))}")
    let hooked = try HookedClient(CurrentPolicy(policy), anchors: [root])
    for name in names + names.prefix(3) {
      #expect(try hooked.shakeHands(with: server, .verified(name)).judgements == ["accepted"])
    }
  }
}
