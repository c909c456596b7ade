import Foundation
import TestSupport
import Testing

/// Where this file is; transcripts and fixtures stand beside it.
private let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

@Suite("transcripts")
struct TranscriptTests {
  static let files: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: here.appendingPathComponent("Transcripts").path)
    return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test("there are transcripts") func presence() { #expect(!Self.files.isEmpty) }

  @Test("prints what the transcript says", arguments: files)
  func transcript(name: String) throws {
    let file = here.appendingPathComponent("Transcripts/\(name)")
    let transcript = try Transcript(String(contentsOf: file, encoding: .utf8))
    #expect(!transcript.steps.isEmpty)
    let session = try session()
    for step in transcript.steps {
      let outcome = try session.run(step.command)
      let problems = differences(step, outcome)
      if !problems.isEmpty {
        Issue.record("\(name):\(step.line): $ \(step.command)\n\(problems)")
      }
    }
  }

  /// A session with the fixtures and the demo keys in its folder.
  private func session() throws -> Session {
    let session = try Session()
    let fixtures = here.appendingPathComponent("Fixtures")
    for name in try FileManager.default.contentsOfDirectory(atPath: fixtures.path) {
      try session.copy(fixtures.appendingPathComponent(name))
    }
    let demo = Vectors.packageRoot.appendingPathComponent("keys")
    for name in try FileManager.default.contentsOfDirectory(atPath: demo.path)
    where name.hasSuffix(".pem") {
      try session.copy(demo.appendingPathComponent(name))
    }
    return session
  }

  private func differences(_ step: Transcript.Step, _ outcome: ChildProcess.Outcome) -> String {
    var text = ""
    func compare(_ expected: [String], _ met: [String], _ mark: String) {
      let same =
        expected.count == met.count && zip(met, expected).allSatisfy { matches($0, $1) }
      guard !same else { return }
      text += "expected:\n" + expected.map { "\(mark) \($0)\n" }.joined()
      text += "met:\n" + met.map { "\(mark) \($0)\n" }.joined()
    }
    compare(step.output, lines(of: outcome.outputText), "|")
    compare(step.words, lines(of: outcome.errorText), "!")
    if step.status != outcome.status {
      text += "expected: = \(step.status)\nmet: = \(outcome.status)\n"
    }
    return text
  }
}
