import Foundation
import Glibc
import TestSupport
import Testing

@Suite("interruption")
struct InterruptionTests {
  /// A policy that is killed while it is written must be the old one or the new one, whole.
  @Test("kill -9 at any moment leaves the old policy or the new one")
  func killing() throws {
    let session = try Session()
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures")
    for name in ["ec.pem", "ec.pub.pem"] {
      try session.copy(fixtures.appendingPathComponent(name))
    }
    // Large, so that there is a while to be killed in.
    let hosts = (0..<9000).map { #""h\#($0).example.com":{"mode":"exempt"}"# }.joined(
      separator: ",")
    try Data(#"{"aud":"a","hosts":{\#(hosts)}}"#.utf8)
      .write(to: session.folder.appendingPathComponent("large.json"))
    let sign = "policyctl sign large.json --key ec.pem --valid-for 1d -o policy.jws -q"
    #expect(try session.run(sign).status == 0)

    var wasKilled = 0
    for attempt in 0..<24 {
      let process = Process()
      process.executableURL = ChildProcess.policyctl
      process.arguments = sign.split(separator: " ").dropFirst().map(String.init)
      process.currentDirectoryURL = session.folder
      try process.run()
      usleep(UInt32(attempt) * 4_000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal { wasKilled += 1 }
      let outcome = try session.run("policyctl verify policy.jws --key ec.pub.pem -q")
      #expect(outcome.status == 0, "attempt \(attempt): \(outcome.errorText)")
    }
    #expect(wasKilled > 0, "no attempt was in time")
  }

  @Test(
    "a signal at any moment leaves both halves of a key pair or none, and no temporary file",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func signals(signal: Int32) throws {
    for attempt in 0..<10 {
      let session = try Session()
      let process = Process()
      process.executableURL = ChildProcess.policyctl
      process.arguments = "key new --no-passphrase -q -o key.pem --public-out pub.pem"
        .split(separator: " ").map(String.init)
      process.currentDirectoryURL = session.folder
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(attempt) * 3_000)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      let names = try FileManager.default.contentsOfDirectory(atPath: session.folder.path).sorted()
      #expect(names == [] || names == ["key.pem", "pub.pem"])
    }
  }
}
