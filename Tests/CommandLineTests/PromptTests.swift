import Foundation
import Glibc
import TestSupport
import Testing

/// A program whose standard input is a terminal, and whose standard error is read as it comes.
private final class TerminalSession {
  let folder: TemporaryFolder
  private let process = Process()
  private let terminal: Int32
  private let device: Int32
  private let errors = Pipe()
  private var shown = ""

  init(_ arguments: [String]) throws {
    folder = try TemporaryFolder()
    // pts(4); Glibc's module leaves out posix_openpt and its kin.
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var locked: Int32 = 0
    var number: UInt32 = 0
    let (unlock, numberOf): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
    try #require(terminal >= 0 && ioctl(terminal, unlock, &locked) == 0)
    try #require(ioctl(terminal, numberOf, &number) == 0)
    device = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(device >= 0)
    process.executableURL = ChildProcess.policyctl
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle(fileDescriptor: device)
    process.standardOutput = FileHandle(fileDescriptor: device)
    process.standardError = errors
  }

  deinit {
    if process.isRunning { kill(SIGKILL) }
    close(terminal)
    close(device)
  }

  func start() throws { try process.run() }

  /// Waits until the text has been shown, at most ten seconds.
  func wait(for text: String) throws {
    let descriptor = errors.fileHandleForReading.fileDescriptor
    let end = Date().addingTimeInterval(10)
    while !shown.contains(text) {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = Int32(end.timeIntervalSinceNow * 1000)
      try #require(
        left > 0 && Glibc.poll(&poll, 1, left) > 0, "still waiting for \(text): \(shown)")
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      try #require(count > 0, "ended before \(text): \(shown)")
      shown += String(decoding: bytes[..<count], as: UTF8.self)
    }
    shown = ""
  }

  func kill(_ signal: Int32) { _ = Glibc.kill(process.processIdentifier, signal) }

  /// Whether a signal ended the process.
  var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

  /// What proc(5) says of the process's limits.
  func limits() throws -> String {
    try String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
  }

  func type(_ text: String) { _ = text.withCString { write(terminal, $0, strlen($0)) } }

  /// Waits for the end, at most ten seconds.
  func status() throws -> Int32 {
    let end = Date().addingTimeInterval(10)
    while process.isRunning {
      try #require(Date() < end, "does not end")
      usleep(10_000)
    }
    return process.terminationStatus
  }

  /// What the terminal shows of what was typed, and of standard output.
  func screen() -> String {
    _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(terminal, &bytes, bytes.count)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }

  /// Whether what is typed is shown, lines are edited, and Control-C is a signal.
  var isOrdinary: Bool {
    var flags = termios()
    guard tcgetattr(device, &flags) == 0 else { return false }
    let ordinary = tcflag_t(ECHO | ICANON | ISIG)
    return flags.c_lflag & ordinary == ordinary
  }
}

/// Serialised: each waits for a prompt, on a machine that may be busy.
@Suite("passphrase prompts", .serialized)
struct PromptTests {
  @Test("asks twice for a new passphrase, shows nothing of it, and leaves the terminal as it was")
  func newKey() throws {
    let session = try TerminalSession(["key", "new", "-o", "key.pem"])
    #expect(session.isOrdinary)
    try session.start()
    try session.wait(for: "New passphrase for key.pem: ")
    #expect(!session.isOrdinary)
    session.type("wrong\u{15}correcz\u{7f}t hörse\r")
    try session.wait(for: "The same again: ")
    session.type("correct hörse\n")
    #expect(try session.status() == 0)
    #expect(session.isOrdinary)
    #expect(!session.screen().contains("rse"))
    let opened = try ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/openssl"),
      [
        "pkey", "-in", session.folder.file("key.pem").path, "-passin", "pass:correct hörse",
        "-noout",
      ])
    #expect(opened.status == 0, "\(opened.errorText)")
  }

  @Test(
    "refuses two passphrases that differ, and an empty one",
    arguments: [("a\n", "b\n"), ("\n", "\n")])
  func refusal(first: String, second: String) throws {
    let session = try TerminalSession(["key", "new", "-o", "key.pem"])
    try session.start()
    try session.wait(for: "New passphrase for key.pem: ")
    session.type(first)
    try session.wait(for: "The same again: ")
    session.type(second)
    #expect(try session.status() == 2)
    #expect(!FileManager.default.fileExists(atPath: session.folder.file("key.pem").path))
  }

  @Test("Control-D breaks off and leaves the terminal as it was")
  func breakingOff() throws {
    let session = try TerminalSession(["key", "new", "-o", "key.pem"])
    try session.start()
    try session.wait(for: "New passphrase for key.pem: ")
    session.type("abc\u{4}")
    #expect(try session.status() == 3)
    #expect(session.isOrdinary)
  }

  @Test(
    "a signal from the keyboard ends the process as one, the terminal as it was",
    arguments: [("\u{3}", SIGINT), ("\u{1c}", SIGQUIT)])
  func keyboardSignals(key: String, signal: Int32) throws {
    let session = try TerminalSession(["key", "new", "-o", "key.pem"])
    try session.start()
    try session.wait(for: "New passphrase for key.pem: ")
    session.type("abc" + key)
    #expect(try session.status() == signal)
    #expect(session.wasKilled)
    #expect(session.isOrdinary)
  }

  @Test(
    "a signal from elsewhere too", arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM])
  func signals(signal: Int32) throws {
    let session = try TerminalSession(["key", "new", "-o", "key.pem"])
    try session.start()
    try session.wait(for: "New passphrase for key.pem: ")
    session.kill(signal)
    #expect(try session.status() == signal)
    #expect(session.wasKilled)
    #expect(session.isOrdinary)
  }

  @Test("a passphrase that is too long is read to its end and said to be")
  func tooLong() throws {
    let session = try TerminalSession(["key", "new", "-o", "key.pem"])
    try session.start()
    try session.wait(for: "New passphrase for key.pem: ")
    session.type(String(repeating: "x", count: 3000) + "\n")
    try session.wait(for: "A passphrase has at most 1024 bytes.")
    #expect(try session.status() == 3)
    #expect(session.isOrdinary)
  }

  @Test("whoever is asked for a passphrase dumps no core")
  func noCore() throws {
    let session = try TerminalSession(["key", "new", "-o", "key.pem"])
    try session.start()
    try session.wait(for: "New passphrase for key.pem: ")
    let limit = try session.limits().split(separator: "\n").first { $0.hasPrefix("Max core") }
    #expect(limit?.split(separator: " ").dropFirst(4) == ["0", "0", "bytes"])
    session.kill(SIGKILL)
  }

  @Test("asks once for the passphrase of a key that is there")
  func opening() throws {
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/locked.pem").path
    let session = try TerminalSession(["key", "id", fixture])
    try session.start()
    try session.wait(for: "Passphrase of \(fixture): ")
    session.type("correct horse\n")
    #expect(try session.status() == 0)
    #expect(session.screen().contains("rLmZZueoR-tHC4eobS3HT8pxrzwbBW6CVfHsTPMXUbA"))
  }
}
