import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinTLS
import PinVerifier
import Testing

@Suite("handshakes judged by pins")
struct PinningTests {
  /// Root 1 → CA R3 → leaf, and what could stand in their places.
  struct Servers {
    let root = try! TestCertificate.root("Pin Root 1")
    let otherRoot = try! TestCertificate.root("Other Root 1")
    let authority: TestCertificate
    let leaf: TestCertificate
    let backup = try! TestCertificate.root("Backup")

    init() throws {
      authority = try root.issue(.authority("Pin CA R3"))
      leaf = try authority.issue(.server("pinned.test", "127.0.0.1", "::1"))
    }

    var identity: ServerIdentity { ServerIdentity(leaf, above: [authority]) }
  }

  /// One handshake with `pinned.test` under one rule.
  private static func judge(
    _ identity: ServerIdentity, hosts: String, denied: [TestCertificate] = [],
    anchors: [TestCertificate], onUnpinned: UnpinnedHosts = .reject
  ) throws -> Seen {
    let policy = CurrentPolicy(try SignedPolicies().policy(hosts: hosts, denied: denied))
    let server = try LoopbackServer(identity)
    let hooked = try HookedClient(policy, anchors: anchors, onUnpinned: onUnpinned)
    let seen = try hooked.shakeHands(with: server, .verified("pinned.test"))
    let isRefused = seen.judgements.first?.hasPrefix("refused") ?? true
    #expect(seen.client.isEstablished == !isRefused)
    #expect(seen.server.alert == (isRefused ? 42 : nil))
    #expect(seen.server.received.isEmpty == isRefused)
    return seen
  }

  @Test(
    "each kind of pin accepts its key and refuses another",
    arguments: [("leaf", 0), ("ca", 1), ("anchor", 2), ("any", 1)])
  func kinds(kind: String, place: Int) throws {
    let servers = try Servers()
    let pinned = [servers.leaf, servers.authority, servers.root][place]
    let right = try Self.judge(
      servers.identity, hosts: "{\"pinned.test\":\(Rule.pins(kind, servers.backup, pinned))}",
      anchors: [servers.root])
    #expect(right.judgements == ["accepted"])
    let wrong = try Self.judge(
      servers.identity, hosts: "{\"pinned.test\":\(Rule.pins(kind, servers.otherRoot))}",
      anchors: [servers.root])
    #expect(wrong.judgements == ["refused rejected pins"])
    // The backup alone: what a policy looks like after the keys it should still hold were cut.
    let backup = try Self.judge(
      servers.identity, hosts: "{\"pinned.test\":\(Rule.pins(kind, servers.backup))}",
      anchors: [servers.root])
    #expect(backup.judgements == ["refused rejected pins"])
  }

  @Test("a server that turned to its backup key is accepted")
  func rotatedToBackup() throws {
    let servers = try Servers()
    let next = try servers.authority.issue(.server("pinned.test"), key: servers.backup.key)
    let seen = try Self.judge(
      ServerIdentity(next, above: [servers.authority]),
      hosts: "{\"pinned.test\":\(Rule.pins("leaf", servers.leaf, servers.backup))}",
      anchors: [servers.root])
    #expect(seen.judgements == ["accepted"])
  }

  @Test(
    "names float over a rotation where the chain lets them",
    arguments: [
      ("prefixWithNumber Pin CA R", "accepted"), ("prefix Pin CA", "accepted"),
      ("exact Pin CA R3", "refused rejected pins"),
    ])
  func rotatedAuthority(link: String, outcome: String) throws {
    let servers = try Servers()
    let next = try servers.root.issue(.authority("Pin CA R4"))
    let identity = ServerIdentity(try next.issue(.server("pinned.test")), above: [next])
    let rule = try Rule.chain("exact Pin Root 1", link, "any", anchors: [servers.root])
    let seen = try Self.judge(
      identity, hosts: "{\"pinned.test\":\(rule)}", anchors: [servers.root])
    #expect(seen.judgements == [outcome])
  }

  @Test("a cloned root passes for its names, and an anchored key refuses it")
  func clonedRoot() throws {
    let servers = try Servers()
    let root = try servers.root.cloned()
    let authority = try root.issue(.authority("Pin CA R3"))
    let clone = ServerIdentity(
      try authority.issue(.server("pinned.test")), above: [authority])
    // What anybody can do who may install a root, such as a debugging proxy.
    let anchors = [servers.root, root]
    let names = try Rule.chain("exact Pin Root 1", "exact Pin CA R3", "exact pinned.test")
    let both = try Rule.chain(
      "exact Pin Root 1", "exact Pin CA R3", "exact pinned.test", anchors: [servers.root])
    #expect(
      try Self.judge(clone, hosts: "{\"pinned.test\":\(names)}", anchors: anchors).judgements
        == ["accepted"])
    #expect(
      try Self.judge(clone, hosts: "{\"pinned.test\":\(both)}", anchors: anchors).judgements
        == ["refused rejected pins"])
    #expect(
      try Self.judge(servers.identity, hosts: "{\"pinned.test\":\(both)}", anchors: anchors)
        .judgements == ["accepted"])
  }

  @Test("another path satisfies the pins when the first one does not, and is the one shown")
  func crossSigned() throws {
    let servers = try Servers()
    let cross = try servers.root.crossSigned(by: servers.otherRoot)
    let identity = ServerIdentity(servers.leaf, above: [servers.authority, cross])
    let anchors = [servers.root, servers.otherRoot]
    let pinned = "{\"pinned.test\":\(try Rule.pins("anchor", servers.otherRoot))}"
    let seen = try Self.judge(identity, hosts: pinned, anchors: anchors)
    #expect(seen.judgements == ["accepted"])
    #expect(
      seen.client.verifiedChain
        == [servers.leaf, servers.authority, cross, servers.otherRoot].map(\.der))
    // Without the other root among the anchors there is no such path.
    let refused = try Self.judge(identity, hosts: pinned, anchors: [servers.root])
    #expect(refused.judgements == ["refused rejected pins"])
  }

  @Test("a denied key is refused whatever the rule, unless another path has none")
  func denied() throws {
    let servers = try Servers()
    let one = try servers.root.issue(.authority("Shared CA 1"))
    let two = try one.crossSigned(by: servers.otherRoot)
    let identity = ServerIdentity(try one.issue(.server("pinned.test")), above: [one, two])
    let anchors = [servers.root, servers.otherRoot]
    for hosts in [
      "{\"pinned.test\":\(try Rule.pins("any", one))}", "{\"pinned.test\":{\"mode\":\"exempt\"}}",
      "{\"other.test\":{\"mode\":\"exempt\"}}",
      "{\"pinned.test\":\(Rule.report(try Rule.pins("any", servers.backup)))}",
    ] {
      let seen = try Self.judge(
        identity, hosts: hosts, denied: anchors, anchors: anchors, onUnpinned: .allow)
      #expect(seen.judgements == ["refused rejected denied"])
      let left = try Self.judge(
        identity, hosts: hosts, denied: [servers.root], anchors: anchors, onUnpinned: .allow)
      #expect(left.judgements.first?.hasPrefix("refused") == false)
      #expect(left.client.verifiedChain.last == servers.otherRoot.der)
    }
  }

  @Test(
    "modes, and hosts that no rule governs",
    arguments: [
      ("pinned.test", "report", UnpinnedHosts.reject, "reported"),
      ("pinned.test", "exempt", .reject, "exempt"),
      ("other.test", "enforce", .reject, "refused notPinned unpinned"),
      ("other.test", "enforce", .allow, "notPinned"),
      ("*", "enforce", .allow, "refused rejected pins"),
    ])
  func modes(pattern: String, mode: String, onUnpinned: UnpinnedHosts, outcome: String) throws {
    let servers = try Servers()
    let pins = try Rule.pins("any", servers.backup)
    let rule =
      switch mode {
      case "report": Rule.report(pins)
      case "exempt": "{\"mode\":\"exempt\"}"
      default: pins
      }
    let seen = try Self.judge(
      servers.identity, hosts: "{\"\(pattern)\":\(rule)}", anchors: [servers.root],
      onUnpinned: onUnpinned)
    #expect(seen.judgements == [outcome])
  }

  @Test("without pins to satisfy, trust alone still refuses")
  func exemptIsStillTrusted() throws {
    let servers = try Servers()
    let server = try LoopbackServer(servers.identity)
    for hosts in [
      "{\"pinned.test\":{\"mode\":\"exempt\"}}", "{\"other.test\":{\"mode\":\"exempt\"}}",
    ] {
      let policy = CurrentPolicy(try SignedPolicies().policy(hosts: hosts))
      let hooked = try HookedClient(policy, anchors: [servers.otherRoot], onUnpinned: .allow)
      let seen = try hooked.shakeHands(with: server, .verified("pinned.test"))
      #expect(seen.judgements == ["untrusted untrusted 1"])
      #expect(seen.server.alert == 48 && seen.server.received.isEmpty)
    }
  }
}
