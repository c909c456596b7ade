import Foundation
import TestSupport

/// A session with the command line and what it must print, read from a text file.
///
/// ```
/// # words for the reader
/// $ a command for sh; a backslash at the end continues it
/// + a further line of the command, as a here-document needs
/// | a line of standard output
/// ! a line of standard error
/// = 1
/// ```
/// `= N` is the exit status, 0 where there is none. `{*}` in a line stands for any text.
struct Transcript {
  struct Step {
    var command: String
    var output: [String] = []
    var words: [String] = []
    var status: Int32 = 0
    /// The line of the command in the file, from 1.
    let line: Int
  }

  var preamble: [String] = []
  var steps: [Step] = []

  init(_ text: String) throws {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let rest = String(line.dropFirst(2))
      switch line.prefix(2) {
      case "$ ":
        steps.append(Step(command: rest, line: index + 1))
      case "+ ", "+": steps[steps.count - 1].command += "\n" + rest
      case "| ", "|": steps[steps.count - 1].output.append(rest)
      case "! ", "!": steps[steps.count - 1].words.append(rest)
      case "= ":
        guard let status = Int32(rest) else { throw Fault.badLine(index + 1) }
        steps[steps.count - 1].status = status
      case "# ", "#", "": break
      default:
        guard let last = steps.last, last.command.hasSuffix("\\") else {
          throw Fault.badLine(index + 1)
        }
        steps[steps.count - 1].command += "\n" + line
      }
    }
  }

  enum Fault: Error { case badLine(Int) }
}

/// Runs commands in a folder of its own, with the built `policyctl` first in `PATH`.
struct Session {
  private let place: TemporaryFolder
  var folder: URL { place.url }

  init() throws { place = try TemporaryFolder() }

  func copy(_ file: URL) throws {
    try FileManager.default.copyItem(at: file, to: place.file(file.lastPathComponent))
  }

  /// Runs a command line with sh; standard input is empty.
  func run(_ command: String) throws -> ChildProcess.Outcome {
    let binaries = ChildProcess.policyctl.deletingLastPathComponent().path
    return try ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      // Servers that run in this process ignore SIGPIPE, which children would inherit.
      ["--default-signal=PIPE", "/bin/sh", "-c", command], in: folder,
      environment: [
        "PATH": binaries + ":/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8",
        "TZ": "Pacific/Auckland", "NO_COLOR": "",
      ])
  }
}

/// The lines of a text; a last line without its line break is marked.
func lines(of text: String) -> [String] {
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  if lines.last == "" {
    lines.removeLast()
  } else {
    lines[lines.count - 1] += "{no line break}"
  }
  return lines
}

/// Whether the line is the pattern, in which `{*}` stands for any text.
func matches(_ line: String, _ pattern: String) -> Bool {
  let pieces = pattern.components(separatedBy: "{*}")
  guard pieces.count > 1 else { return line == pattern }
  guard line.hasPrefix(pieces[0]) else { return false }
  var rest = line.dropFirst(pieces[0].count)
  for piece in pieces.dropFirst().dropLast() {
    guard let range = rest.range(of: piece) else { return false }
    rest = rest[range.upperBound...]
  }
  return rest.hasSuffix(pieces[pieces.count - 1])
}
