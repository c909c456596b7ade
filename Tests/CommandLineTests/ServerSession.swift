import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import TestSupport

/// Runs `policyctl` against servers on loopback.
struct ServerSession {
  let session: Session

  init() throws { session = try Session() }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: session.folder.appendingPathComponent(name))
  }

  func write(_ certificates: [TestCertificate], to name: String) throws {
    try write(certificates.map { try $0.pem }.joined(), to: name)
  }

  /// Writes a source document with these rules, each a host and its JSON.
  func policy(_ rules: [(String, String)], denied: [String] = []) throws {
    let denied =
      denied.isEmpty
      ? "" : #""denied":["# + denied.map { "\"\($0)\"" }.joined(separator: ",") + "],"
    let hosts = rules.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    try write(#"{"aud":"t",\#(denied)"hosts":{\#(hosts)}}"#, to: "policy.json")
  }

  /// Runs `policyctl` until a server that never answers has been asked so many times, and some more;
  /// then interrupts it.
  func interrupted(
    _ arguments: [String], waitingFor silent: LoopbackServer, _ count: Int
  ) throws -> (status: Int32, seconds: Double, output: String, errors: String) {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = ChildProcess.policyctl
    process.arguments = arguments
    process.currentDirectoryURL = session.folder
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let end = Date().addingTimeInterval(30)
    while silent.connectionCount < count, end.timeIntervalSinceNow > 0 { usleep(10_000) }
    // The servers that answer have done so by then, or are about to.
    usleep(200_000)
    let start = Date()
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    func text(_ pipe: Pipe) -> String {
      String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    return (
      process.terminationReason == .exit ? process.terminationStatus : -1,
      -start.timeIntervalSinceNow, text(output), text(errors)
    )
  }

  /// A server that takes connections and says nothing.
  static func silent() throws -> LoopbackServer {
    var options = LoopbackServer.Options()
    options.prelude = { socket in
      var byte: UInt8 = 0
      while read(socket, &byte, 1) == 1 {}
      return false
    }
    return try LoopbackServer(options) { _ in [] }
  }

  /// Runs a command line; each line of its output is a JSON object.
  func json(_ command: String) throws -> (status: Int32, lines: [Case], errors: String) {
    let outcome = try session.run(command)
    let lines = try outcome.outputText.split(separator: "\n").map { line in
      Case(object: try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:])
    }
    return (outcome.status, lines, outcome.errorText)
  }
}

extension TestCertificate {
  /// The pin that a policy holds of it.
  var pin: String { get throws { try Certificate(der: der).spki.description } }
}

/// A pin that nobody has the key of.
let nobodysPin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
