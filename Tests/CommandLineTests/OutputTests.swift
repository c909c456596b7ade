import PinPolicy
import StrictJSON
import Testing

@testable import policyctl

@Suite("output")
struct OutputTests {
  @Test(
    "escapes what would not show as itself",
    arguments: [
      ("plain", "plain"), ("Zürich ½ 日本", "Zürich ½ 日本"),
      ("\u{1b}[2J", "\\u{1b}[2J"), ("a\nb\r\tc", "a\\nb\\r\\tc"),
      ("\u{7f}\u{9b}1m", "\\u{7f}\\u{9b}1m"),
      ("\u{202e}moc.elpmaxe", "\\u{202e}moc.elpmaxe"), ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"),
      ("a\u{2028}b", "a\\u{2028}b"), ("\u{e0041}", "\\u{e0041}"), ("\0", "\\u{0}"),
    ])
  func people(text: String, shown: String) {
    #expect(Line(text).rendered(inColour: false) == shown + "\n")
    #expect(Line(text, .bad).rendered(inColour: true) == "\u{1b}[1;31m\(shown)\u{1b}[0m\n")
  }

  @Test("writes JSON that is harmless on a terminal and the same document")
  func json() throws {
    let text = "\u{9b}1m \u{202e} \u{1f600} \u{e0041} é"
    let escaped = PrintableText.escape(
      json: JSONWriter.text(.string(text), order: .asGiven, indent: nil))
    #expect(escaped == "\"\\u009b1m \\u202e \u{1f600} \\udb40\\udc41 é\"")
    let limits = JSONLimits(bytes: 1000, depth: 4, numberCharacters: 8)
    let document = try JSONDocument(parsing: Array(escaped.utf8), limits: limits)
    #expect(document.string(document.root) == text)
  }

  @Test("cuts a message at 256 scalars and keeps both ends")
  func message() {
    let long = "begin " + String(repeating: "é", count: 400) + " end"
    let cut = PrintableText.message(long)
    #expect(cut.unicodeScalars.count == 256)
    #expect(cut.hasPrefix("begin é"))
    #expect(cut.hasSuffix("é end"))
    #expect(PrintableText.message(String(repeating: "é", count: 256)).unicodeScalars.count == 256)
    #expect(!PrintableText.message(String(repeating: "é", count: 256)).contains("…"))
  }

  @Test("reports the whole text behind a message that is cut")
  func detail() {
    let name = String(repeating: "x", count: 300)
    let failure = Failure(
      .payload, code: "unknown-member", "there is no member \(name)",
      detail: [JSONMember("member", .string(name))], status: .refused, about: "p.jws")
    let text = JSONWriter.text(failure.json, order: .asGiven, indent: nil)
    #expect(text.contains("\"detail\":{\"member\":\"\(name)\",\"file\":\"p.jws\"}"))
    #expect(text.contains("there is no member xxx"))
    #expect(text.contains("…"))
  }

  @Test("ends with the worse of two outcomes")
  func status() {
    #expect(ExitStatus.refused.worse(.badInput) == .badInput)
    #expect(ExitStatus.usage.worse(.success) == .usage)
  }
}
