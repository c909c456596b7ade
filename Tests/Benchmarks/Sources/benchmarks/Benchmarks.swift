import CBaseline
import Foundation
import PinCrypto

/// What `compare.py` drives.
///
/// - `benchmarks FOLDER prepare` makes keys and signs the folder's payloads.
/// - `benchmarks FOLDER memory HOSTS` prints by how many bytes the process grew while it loaded the
///   policy, at most and at the end.
/// - `benchmarks FOLDER` answers each line `CASE … COUNT` with the nanoseconds of COUNT turns, or for
///   `allocations` with how many there were.
@main
enum Benchmarks {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else { throw Fault("a folder is missing") }
    let folder = Folder(URL(fileURLWithPath: arguments[1]))
    switch arguments.dropFirst(2).first {
    case "prepare": try Material(folder).prepare()
    case "memory":
      guard let hosts = arguments.last.flatMap({ Int($0) }) else {
        throw Fault("no number of hosts")
      }
      try PolicyLoading(folder).printMemory(hosts: hosts)
    default: try answerLines(folder)
    }
  }

  private static func answerLines(_ folder: Folder) throws {
    let signatures = Signatures(folder)
    let loading = PolicyLoading(folder)
    let lookups = Lookups(loading)
    let trust = Trust(folder)
    baseline_answer_by_line()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 3, let turns = Int(words[words.count - 1]) else { throw Fault(line) }
      switch words[0] {
      case "load": print(try loading.load(hosts: try number(words[1]), turns: turns))
      case "resolve": print(try lookups.time(words[1], hosts: try number(words[2]), turns: turns))
      case "trust": print(try trust.time(words[1], words[2], turns: turns))
      case "allocations":
        print(try lookups.allocations(hosts: try number(words[1]), turns: turns))
      default:
        guard let algorithm = SignatureAlgorithm(rawValue: words[1]) else { throw Fault(line) }
        print(try signatures.time(words[0], algorithm, turns: turns))
      }
    }
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw Fault(text) }
    return number
  }
}

struct Fault: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// The folder that the payloads, keys and signed policies are in.
struct Folder {
  let url: URL
  init(_ url: URL) { self.url = url }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: url.appendingPathComponent(name))
  }
}
