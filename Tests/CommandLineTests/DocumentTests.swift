import Foundation
import TestSupport
import Testing

@testable import policyctl

/// docs/command-line.md is what people go by: its examples run, its tables name every option.
@Suite("docs/command-line.md")
struct DocumentTests {
  let text: String

  init() throws {
    text = try String(
      contentsOf: Vectors.packageRoot.appendingPathComponent("docs/command-line.md"),
      encoding: .utf8)
  }

  @Test("every example prints what the document says")
  func examples() throws {
    let session = try Session()
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures")
    for (name, copy) in [
      ("ec.pem", "signing.pem"), ("ec.pub.pem", "signing.pub.pem"),
      ("policy.json", "policy.json"), ("request.csr", "request.csr"),
      ("chain.pem", "chain.pem"), ("root.pem", "root.pem"),
    ] {
      try FileManager.default.copyItem(
        at: fixtures.appendingPathComponent(name), to: session.folder.appendingPathComponent(copy))
    }
    var ran = 0
    for (command, expected) in Self.commands(in: text) {
      let met = lines(of: try session.run("exec 2>&1\n\(command)").outputText)
      let same =
        met.count == expected.count
        && zip(met, expected).allSatisfy {
          matches($0, $1.replacingOccurrences(of: "…", with: "{*}"))
        }
      #expect(same, "$ \(command)\n\(met.joined(separator: "\n"))")
      ran += 1
    }
    #expect(ran >= 25)
  }

  @Test("every verb has a section, whose tables name its options and no others")
  func options() throws {
    let sections = text.components(separatedBy: "\n## ").dropFirst().map { section in
      (title: String(section.prefix { $0 != "\n" }), body: section)
    }
    for verb in HelpText.leaves(of: Policyctl.verbs) where verb.name != "keygen" {
      let section = try #require(
        sections.first { $0.title == verb.name }, "no section for \(verb.name)")
      let rows = section.body.split(separator: "\n").filter { $0.hasPrefix("| `-") }
      let named = Set(
        rows.flatMap { row in
          row.split(separator: "|")[0].matches(of: /--([a-z-]+)/).map { String($0.1) }
        })
      #expect(named == Set(verb.options.map(\.name)), "\(verb.name)")
    }
  }

  @Test("every exit status has its row")
  func statuses() {
    for status in ExitStatus.allCases {
      #expect(text.contains("\n| \(status.rawValue) | "))
    }
  }

  /// The commands of the blocks marked `console`, and the lines that follow each.
  private static func commands(in text: String) -> [(command: String, output: [String])] {
    var commands: [(command: String, output: [String])] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else if isInside, !commands.isEmpty {
        commands[commands.count - 1].output.append(String(line))
      }
    }
    return commands
  }
}
