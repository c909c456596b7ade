import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinVerifier
import Synchronization
import Testing

@Suite("Concurrency of handshakes")
struct HandshakeConcurrencyTests {
  @Test("many threads share one SSL_CTX while the policy is replaced")
  func handshakes() throws {
    let root = try TestCertificate.root("Concurrent Root")
    let stranger = try TestCertificate.root("Unknown Root")
    let good = ServerIdentity(try root.issue(.server("good.test")))
    let bad = ServerIdentity(try stranger.issue(.server("bad.test")))
    let server = try LoopbackServer { [$0 == "good.test" ? good : bad] }
    let policies = try SignedPolicies()
    let rule = try Rule.pins("any", root)
    let versions = try [rule, Rule.report(rule)].map {
      try policies.policy(hosts: "{\"*\":\($0)}")
    }
    let policy = CurrentPolicy(versions[0])
    let hooked = try HookedClient(policy, anchors: [root])

    let wrong = Mutex<[String]>([])
    let (threads, rounds) = (8, 12)
    DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
      guard thread < threads else {
        for round in 0..<(rounds * 4) {
          policy.replace(with: versions[round % 2])
          usleep(1000)
        }
        return
      }
      var session: TLSSession?
      for round in 0..<rounds {
        let isGood = (thread + round) % 3 != 0
        do {
          let outcome = try hooked.client.connect(
            to: server, .verified(isGood ? "good.test" : "bad.test"), session: session)
          if outcome.isEstablished != isGood {
            wrong.withLock { $0.append("thread \(thread), round \(round): \(outcome.faults)") }
          }
          session = outcome.session ?? session
        } catch {
          wrong.withLock { $0.append("thread \(thread), round \(round): \(error)") }
        }
      }
    }
    let failures = wrong.withLock { $0 }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    let judgements = Set(hooked.judgements())
    #expect(judgements.isSubset(of: ["accepted", "untrusted untrusted 0"]))
    #expect(judgements.count == 2)
  }
}
