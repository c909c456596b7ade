public import Foundation

/// A program that a test runs to its end, with its output and a time limit.
public enum ChildProcess {
  public struct Outcome: Sendable {
    public let status: Int32
    public let output: [UInt8]
    public let errors: [UInt8]

    public var outputText: String { String(decoding: output, as: UTF8.self) }
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  public struct TimedOut: Error {
    public let program: String
    public let seconds: Double
  }

  /// Runs a program; output goes through files, so that no pipe can fill up.
  ///
  /// - Parameter environment: What differs from the test's own; an empty value removes a name.
  /// - Throws: ``TimedOut`` once the program was killed for running longer than `seconds`.
  public static func run(
    _ program: URL, _ arguments: [String], input: [UInt8] = [], in folder: URL? = nil,
    environment: [String: String] = [:], seconds: Double = 60
  ) throws -> Outcome {
    let streams = try TemporaryFolder()
    defer { withExtendedLifetime(streams) {} }
    let inputFile = streams.url.appendingPathComponent("in")
    let outputFile = streams.url.appendingPathComponent("out")
    let errorFile = streams.url.appendingPathComponent("err")
    try Data(input).write(to: inputFile)
    try Data().write(to: outputFile)
    try Data().write(to: errorFile)

    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? streams.url
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      .filter { !$0.value.isEmpty }
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    if ended.wait(timeout: .now() + seconds) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
      throw TimedOut(program: program.lastPathComponent, seconds: seconds)
    }
    return Outcome(
      status: process.terminationStatus, output: [UInt8](try Data(contentsOf: outputFile)),
      errors: [UInt8](try Data(contentsOf: errorFile)))
  }

  /// The file of that name in the folders of `PATH`.
  public static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// `policyctl` as the build left it beside the test bundle.
  public static let policyctl = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("policyctl")
}

/// A folder of its own that goes away with its owner: keep the owner for as long as the folder.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("pin-policy-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
