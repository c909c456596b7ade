import Foundation
import TestSupport
import Testing

/// Software that is not ours, and the count of what it was asked.
struct Peer {
  let name: String
  let program: URL

  /// Finds a program; one that is missing is said aloud, with a count of nothing.
  init?(_ name: String, program: String? = nil) {
    let path = program.map { URL(fileURLWithPath: $0) } ?? ChildProcess.find(name)
    guard let path, FileManager.default.isExecutableFile(atPath: path.path) else {
      Peer.say("\(name): 0 checks ran, skipped: it is not installed")
      return nil
    }
    self.name = name
    self.program = path
  }

  /// Debian's own Python, which sees Debian's packages.
  static let python = "/usr/bin/python3"

  func run(
    _ arguments: [String], input: [UInt8] = [], in folder: URL, seconds: Double = 60
  ) throws -> ChildProcess.Outcome {
    try ChildProcess.run(program, arguments, input: input, in: folder, seconds: seconds)
  }

  func report(checks: Int) { Peer.say("\(name): \(checks) checks ran") }

  static func say(_ text: String) {
    FileHandle.standardError.write(Data("interop: \(text)\n".utf8))
  }
}

/// A file of this folder, which a peer runs.
func peerProgram(_ name: String) -> String {
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path
}

extension ChildProcess.Outcome {
  /// `ALG WHAT ANSWER` lines by their first two words.
  var answers: [String: String] {
    var answers: [String: String] = [:]
    for line in outputText.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      if words.count == 3 { answers["\(words[0]) \(words[1])"] = words[2] }
    }
    return answers
  }
}
