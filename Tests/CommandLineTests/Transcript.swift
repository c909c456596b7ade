import Foundation

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

/// What a command did.
struct Outcome {
  let output: String
  let words: String
  let status: Int32
}

/// Runs commands in a folder of its own, with the built `policyctl` first in `PATH`.
final class Session {
  let folder: URL
  var environment: [String: String]

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("policyctl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    environment = [
      "PATH": Self.binary.deletingLastPathComponent().path + ":/usr/bin:/bin",
      "TERM": "xterm", "LC_ALL": "C.UTF-8", "TZ": "Pacific/Auckland",
    ]
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The program that was built beside the tests.
  static let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("policyctl")

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  func copy(_ file: URL) throws {
    try FileManager.default.copyItem(
      at: file, to: folder.appendingPathComponent(file.lastPathComponent))
  }

  /// Runs a command line with sh; standard input is empty.
  func run(_ command: String) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: nothing waits for a reader, whatever is printed.
    let places = ["stdout", "stderr"].map {
      folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + "." + $0)
    }
    defer { for place in places { try? FileManager.default.removeItem(at: place) } }
    let files = try places.map { place in
      _ = FileManager.default.createFile(atPath: place.path, contents: nil)
      return try FileHandle(forWritingTo: place)
    }
    process.standardOutput = files[0]
    process.standardError = files[1]
    try process.run()
    process.waitUntilExit()
    let texts = try places.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Outcome(output: texts[0], words: texts[1], status: process.terminationStatus)
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
