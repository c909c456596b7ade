import Foundation
import LoopbackTLS
import PinProbe
import Synchronization
import Testing

@Suite("Concurrency of probes")
struct ProbeConcurrencyTests {
  @Test("many threads share a probe, its contexts, and what stops them")
  func probe() throws {
    let pki = try TestPKI.shared.get()
    let identities = [pki.ecdsa, pki.rsa]
    let server = try LoopbackServer { _ in identities }
    let probe = try TLSProbe()
    let target = try Endpoint("localhost:\(server.port)", defaultPort: nil)
    let cancellation = Cancellation()
    var (answers, stopped) = (0, 0)
    try Workers<String>.run(60, atOnce: 6, until: cancellation) { index in
      do throws(ProbeFailure) {
        let endpoint = Endpoint(host: target.host, port: target.port)
        let answer = try probe.ask(endpoint, at: target, until: cancellation)
        return answer.handshakes.map(\.keyType.rawValue).joined(separator: " ")
      } catch { return error.code }
    } take: { _, result in
      answers += result == "ecdsa rsa" ? 1 : 0
      stopped += result == "cancelled" ? 1 : 0
      #expect(["ecdsa rsa", "cancelled"].contains(result))
      if answers == 30 { cancellation.cancel() }
    }
    #expect(answers >= 30 && answers + stopped <= 60)
  }

  @Test("each job is done once, and no more at once than allowed")
  func bound() throws {
    let running = Mutex((now: 0, most: 0))
    var taken: [Int: Int] = [:]
    try Workers<Int>.run(200, atOnce: 7, until: Cancellation()) { index in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      usleep(1000)
      running.withLock { $0.now -= 1 }
      return index * 2
    } take: { index, value in
      #expect(taken.updateValue(value, forKey: index) == nil)
    }
    #expect(taken.count == 200 && taken.allSatisfy { $1 == $0 * 2 })
    #expect((2...7).contains(running.withLock { $0.most }))
  }

  @Test("no job is no work") func none() throws {
    try Workers<Int>.run(0, atOnce: 4, until: Cancellation()) {
      $0
    } take: { _, _ in
      Issue.record("a job that is not there")
    }
  }

  @Test("once cancelled no further job begins, and what was done is handed over")
  func cancelled() throws {
    let cancellation = Cancellation()
    var count = 0
    try Workers<Int>.run(10_000, atOnce: 2, until: cancellation) { index in
      if index == 5 { cancellation.cancel() }
      usleep(500)
      return index
    } take: { _, _ in
      count += 1
    }
    #expect((5...20).contains(count))
  }
}
