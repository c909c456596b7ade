import PinPolicy
import StrictJSON
import Testing

@testable import PolicyAuthoring

@Suite("The starter policy")
struct StarterPolicyTests {
  @Test("parses, has a rule of each kind, and says in every note what to do")
  func parses() throws {
    let document = try SourceDocument(parsing: Array(StarterPolicy.text.utf8))
    #expect(Set(document.rules.map(\.mode)) == Set(HostRule.Mode.allCases))
    #expect(document.rules.contains { $0.includesSubdomains })
    #expect(document.rules.contains { $0.pattern == .wildcard })
    #expect(document.rules.contains { !$0.pinSet.chains.isEmpty && !$0.pinSet.anchor.isEmpty })
    #expect(document.rules.allSatisfy { $0.note?.isEmpty == false })
    #expect(document.acceptedFindings.map(\.code) == ["wildcard-reaches-ip"])
  }

  @Test("makes a policy with a second key for every host that has pins")
  func backup() throws {
    let document = try SourceDocument(parsing: Array(StarterPolicy.text.utf8))
    for rule in document.rules where rule.mode != .exempt {
      let pinSet = rule.pinSet
      #expect(Set(pinSet.any + pinSet.ca + pinSet.anchor).count >= 2)
      for pin in pinSet.any + pinSet.ca + pinSet.anchor {
        #expect(document.name(of: pin) != nil)
      }
    }
    let payload = try document.policy(window: someTime).payloadBytes(keepNotes: false)
    #expect(!String(decoding: payload, as: UTF8.self).contains("note"))
  }

  @Test("is laid out for people: short lines but for the notes, and a final line feed")
  func layout() {
    #expect(StarterPolicy.text.hasSuffix("}\n"))
    for line in StarterPolicy.text.split(separator: "\n") where !line.contains("\"note\"") {
      #expect(line.count <= 100)
    }
  }
}
