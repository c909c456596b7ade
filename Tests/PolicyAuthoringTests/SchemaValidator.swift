import Foundation
import TestSupport

/// An implementation of JSON Schema that is not ours: Debian's python3-jsonschema.
enum SchemaValidator {
  static let schema = Vectors.packageRoot.appendingPathComponent("examples/policy.schema.json")
  private static let script = Vectors.packageRoot.appendingPathComponent("Tests/Schema/validate.py")
  private static let python = URL(fileURLWithPath: "/usr/bin/python3")

  struct Failure: Error {
    let status: Int32
  }

  /// What the schema finds in each document, as "place keyword"; nil without a validator.
  static func faults(in documents: [[UInt8]]) throws -> [[String]]? {
    guard FileManager.default.isExecutableFile(atPath: python.path) else { return nil }
    // A file, since a pipe that nobody reads while it is written would fill up.
    let input = FileManager.default.temporaryDirectory
      .appendingPathComponent("pin-policy-schema-\(UUID().uuidString)")
    let lines = documents.map { Data($0).base64EncodedString() + "\n" }.joined()
    try Data(lines.utf8).write(to: input)
    defer { try? FileManager.default.removeItem(at: input) }

    let process = Process()
    process.executableURL = python
    process.arguments = [script.path, schema.path]
    process.standardInput = try FileHandle(forReadingFrom: input)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus == 77 { return nil }
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return try text.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode([String].self, from: $0)
    }
  }

  /// Says how many documents were validated, or that none could be, on standard error.
  static func report(_ what: String, ran count: Int?) {
    let outcome = count.map { "\($0) ran" } ?? "0 ran, skipped: install python3-jsonschema"
    FileHandle.standardError.write(Data("schema: \(what): \(outcome)\n".utf8))
  }
}
