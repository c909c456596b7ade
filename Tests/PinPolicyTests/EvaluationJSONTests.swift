import StrictJSON
import Testing

@testable import PinPolicy

@Suite("the shapes of evaluate --json")
struct EvaluationJSONTests {
  private let nameless = PathCertificate(
    commonName: CommonName(["a", nil]), spki: SPKIPin(words: (0, 0, 0, 1)))
  private let root = PathCertificate(
    commonName: CommonName(["Root CA"]), spki: SPKIPin(words: (0, 0, 0, 2)))
  private let namelessPin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE="
  private let rootPin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAI="

  @Test("lengths: both numbers, both lists from the root, null where there is no name")
  func lengths() {
    let diagnostic = Diagnostic.lengths(
      chain: 1, expected: ["R", nil, "x"], met: ["Root CA", nil])
    #expect(
      text(diagnostic.json)
        == #"{"chain":1,"lengths":[3,2],"expected":["R",null,"x"],"met":["Root CA",null]}"#)
  }

  @Test("unreadable: the certificate's number from the root")
  func unreadable() {
    #expect(
      text(Diagnostic.unreadable(chain: 0, certificate: 2).json) == #"{"chain":0,"unreadable":2}"#)
  }

  @Test("link: its number, its value, the name it met")
  func link() {
    let diagnostic = Diagnostic.link(chain: 0, link: 1, value: "R", commonName: "Root CA")
    #expect(
      text(diagnostic.json) == #"{"chain":0,"link":1,"value":"R","commonName":"Root CA"}"#)
  }

  @Test("spki: the digests seen, with the names they belong to")
  func spki() {
    let names = "[\"a\",\"\u{FFFD}\"]"
    #expect(
      text(Diagnostic.spki(kind: .any, seen: [nameless, root]).json)
        == #"{"kind":"spki.any","seen":[{"spki":"\#(namelessPin)","commonNames":\#(names)},"#
        + #"{"spki":"\#(rootPin)","commonNames":["Root CA"]}]}"#)
    #expect(
      text(Diagnostic.spki(kind: .ca, seen: []).json) == #"{"kind":"spki.ca","seen":[]}"#)
  }

  @Test("denied: the key")
  func denied() {
    #expect(text(Diagnostic.denied(root.spki).json) == #"{"denied":"\#(rootPin)"}"#)
  }

  @Test("a judgement: host, pattern, step, mode, trust, verdict, by, diagnostics")
  func judgement() throws {
    let host = try HostName("a.example")
    let rule = HostRule(
      pattern: .wildcard, mode: .report,
      pinSet: PinSet(any: [nameless.spki], anchor: [root.spki], requirement: .any))
    let judgement = PinEvaluator.evaluate(
      host: host, resolution: Resolution(step: .wildcard, rules: [rule], ruleIndex: 0), denied: [],
      paths: [[root]])
    #expect(
      text(.object(judgement.members))
        == #"{"host":"a.example","pattern":"*","step":"wildcard","mode":"report","#
        + #""trust":{"valid":true,"path":[{"commonNames":["Root CA"],"spki":"\#(rootPin)"}]},"#
        + #""verdict":"accepted","by":[{"kind":"spki.anchor","index":0}],"diagnostics":"#
        + #"[{"kind":"spki.any","seen":[{"spki":"\#(rootPin)","commonNames":["Root CA"]}]}]}"#)
  }

  @Test("pattern and mode are null where no rule governs the host")
  func noRule() throws {
    let judgement = PinEvaluator.evaluate(
      host: try HostName("a.example"),
      resolution: Resolution(step: .none, rules: [], ruleIndex: nil), denied: [],
      paths: [[root]])
    #expect(
      text(.object(Array(judgement.members.prefix(4))))
        == #"{"host":"a.example","pattern":null,"step":"none","mode":null}"#)
    #expect(
      text(.object(Array(judgement.members.suffix(3))))
        == #"{"verdict":"notPinned","by":[],"diagnostics":[]}"#)
  }

  private func text(_ value: JSONValue) -> String {
    JSONWriter.text(value, order: .asGiven, indent: nil)
  }
}
