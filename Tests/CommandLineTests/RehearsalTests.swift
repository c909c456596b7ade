import Foundation
import LoopbackTLS
import TestSupport
import Testing

/// `evaluate` before a rotation: with the next certificate, at a time to come.
@Suite("evaluate: a rehearsal")
struct RehearsalTests {
  private let folder: ServerSession
  private let root: TestCertificate
  private let next: TestCertificate
  private let leaf: TestCertificate
  private let change = TestTime.now + 30 * 86_400

  init() throws {
    let change = change
    folder = try ServerSession()
    root = try TestCertificate.root("Rehearsal Root X1")
    next = try TestCertificate.root("Rehearsal Root X2")
    leaf = try next.issue(.server("a.test").with { $0.notBefore = change })
    try folder.write([root, next], to: "roots.pem")
    try folder.write([leaf], to: "next.pem")
  }

  private func evaluate(
    _ policy: String, at time: Int64, _ options: String = ""
  ) throws -> (status: Int32, lines: [Case], errors: String) {
    try folder.json(
      "policyctl evaluate \(policy) a.test --chain next.pem --anchors-only roots.pem -q --json "
        + "--at \(time) \(options)")
  }

  @Test(
    "the next certificate is accepted from its first second, by a policy that pins its authority")
  func nextCertificate() throws {
    for (pins, verdict) in [
      ([try root.pin, try next.pin], "accepted"), ([try root.pin, nobodysPin], "rejected"),
    ] {
      let list = pins.map { "\"\($0)\"" }.joined(separator: ",")
      try folder.policy([("a.test", #"{"spki":{"anchor":[\#(list)]}}"#)])
      let early = try evaluate("policy.json", at: change - 1)
      #expect(early.status == 1)
      #expect(early.lines[0].child("trust")?.string("reason") == "not-yet-valid")
      let then = try evaluate("policy.json", at: change)
      #expect(then.lines[0].string("verdict") == verdict)
      #expect(then.status == (verdict == "accepted" ? 0 : 1))
    }
  }

  @Test("a signed policy that will have expired answers only with --ignore-window, and says so")
  func expiredByThen() throws {
    try folder.policy([("a.test", #"{"spki":{"anchor":["\#(try next.pin)","\#(nobodysPin)"]}}"#)])
    let signed = try folder.session.run(
      "policyctl key new -o key.pem --public-out pub.pem --no-passphrase -q && "
        + "policyctl sign policy.json --key key.pem --valid-for 7d -o policy.jws -q")
    #expect(signed.status == 0, "\(signed.errorText)")
    let refused = try evaluate("policy.jws", at: change, "--key pub.pem")
    #expect(refused.status == 1)
    #expect(refused.lines[0].child("error")?.string("code") == "expired")
    let answered = try evaluate("policy.jws", at: change, "--key pub.pem --ignore-window")
    #expect(answered.status == 0 && answered.lines[0].string("verdict") == "accepted")
    #expect(answered.lines[0].bool("verified") == true)
    #expect(answered.lines[0].bool("inForce") == false)
  }
}
