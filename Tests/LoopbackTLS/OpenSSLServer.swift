import Foundation

/// `openssl s_server` on a port that the system chose: a server that shares nothing with the code
/// on test. It is ended with its owner.
// @unchecked: the process is touched by init and deinit alone.
public final class OpenSSLServer: @unchecked Sendable {
  public struct NotStarted: Error {
    public let output: String
  }

  public let port: UInt16
  private let process = Process()
  private let folder: URL

  /// - Parameter arguments: added to those that choose port, certificate and chain, such as
  ///   `-tls1_1`, or `-cert2` for a second name.
  public init(_ identity: ServerIdentity, _ arguments: [String] = []) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pin-policy-server-\(UUID().uuidString)")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ name: String, _ text: String) throws -> String {
      let file = folder.appendingPathComponent(name)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        // Should this process crash, no server stays behind for long.
        "timeout", "300", "openssl", "s_server", "-accept", "127.0.0.1:0", "-www",
        "-cert", try write("leaf.pem", identity.leaf.pem),
        "-key", try write("key.pem", identity.leaf.key.pem),
      ] + arguments
    if !identity.above.isEmpty {
      let chain = try write("chain.pem", identity.above.map { try $0.pem }.joined())
      process.arguments? += ["-cert_chain", chain]
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It prints `ACCEPT 127.0.0.1:PORT` once it listens.
    var seen = Data()
    while let port = Self.port(in: seen), port == 0 {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      seen += more
    }
    guard let port = Self.port(in: seen), port != 0 else {
      kill(-process.processIdentifier, SIGKILL)
      throw NotStarted(output: String(decoding: seen, as: UTF8.self))
    }
    self.port = port
    // Read on, so that the pipe never fills up.
    output.fileHandleForReading.readabilityHandler = { source in
      if source.availableData.isEmpty { source.readabilityHandler = nil }
    }
  }

  deinit {
    // Both programs: `timeout` leads a group of its own. Threads of Dispatch hand a blocked SIGTERM on
    // to what they start.
    kill(-process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// 0 while the whole line is not there yet.
  private static func port(in output: Data) -> UInt16? {
    let lines = String(decoding: output, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard let line = lines.dropLast().first(where: { $0.hasPrefix("ACCEPT") }) else { return 0 }
    return line.split(separator: ":").last.flatMap { UInt16($0) }
  }
}
