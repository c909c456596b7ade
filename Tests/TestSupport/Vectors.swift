public import Foundation

/// The outside test vectors, which live beside the repository and never in it.
public enum Vectors {
  /// `PIN_VECTORS`, or `../shared/vectors` beside the checkout; nil when there is no such folder.
  public static let folder: URL? = {
    let url: URL
    if let path = ProcessInfo.processInfo.environment["PIN_VECTORS"] {
      url = URL(fileURLWithPath: path)
    } else {
      url = packageRoot.deletingLastPathComponent().appendingPathComponent("shared/vectors")
    }
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }()

  /// The package's own folder.
  public static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  public static var isPresent: Bool { folder != nil }

  public static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { throw VectorError.absent(path) }
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// The cases of a file of JSON lines, read with Foundation: a reader that is not the one on test.
  public static func lines(_ path: String) throws -> [Case] {
    try bytes(path).split(separator: 0x0a).map { line in
      guard let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
        throw VectorError.notAnObject(path)
      }
      return Case(object: object)
    }
  }

  /// Says how many cases of a file ran, or that it was skipped, on standard error.
  public static func report(_ path: String, ran: Int, exceptions: Int = 0) {
    let note = exceptions == 0 ? "" : ", \(exceptions) listed exceptions"
    FileHandle.standardError.write(Data("vectors: \(path): \(ran) ran\(note)\n".utf8))
  }

  public static func reportSkipped(_ path: String) {
    FileHandle.standardError.write(
      Data("vectors: \(path): 0 ran, skipped: set PIN_VECTORS to the vectors' folder\n".utf8))
  }
}

public enum VectorError: Error {
  case absent(String)
  case notAnObject(String)
}

/// One case: a JSON object with typed look-ups.
public struct Case: @unchecked Sendable {  // immutable Foundation values
  public let object: [String: Any]

  public init(object: [String: Any]) { self.object = object }

  public var id: String { string("id") ?? "?" }

  public func string(_ name: String) -> String? { object[name] as? String }
  public func integer(_ name: String) -> Int64? { (object[name] as? NSNumber)?.int64Value }
  public func bool(_ name: String) -> Bool? { object[name] as? Bool }
  public func list(_ name: String) -> [Case] {
    (object[name] as? [[String: Any]] ?? []).map(Case.init(object:))
  }
  public func strings(_ name: String) -> [String] { object[name] as? [String] ?? [] }
  public func child(_ name: String) -> Case? { (object[name] as? [String: Any]).map(Case.init) }

  /// `parts` of a recipe joined: `text` repeated `repeat` times, `counter` replaced by 0, 1, 2 ….
  public static func joined(_ parts: [Case]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      let text = Array((part.string("text") ?? "").utf8)
      let count = Int(part.integer("repeat") ?? 1)
      guard let counter = part.string("counter").map({ Array($0.utf8) }) else {
        bytes.reserveCapacity(bytes.count + text.count * count)
        // Doubling: a text of 64 MB would take a minute piece by piece in an unoptimised build.
        var (block, left) = (text, count)
        while left > 0 {
          if left % 2 == 1 { bytes += block }
          left /= 2
          if left > 0 { block += block }
        }
        continue
      }
      let pieces = split(text, separator: counter)
      for number in 0..<count {
        for (index, piece) in pieces.enumerated() {
          if index > 0 { bytes += Array(String(number).utf8) }
          bytes += piece
        }
      }
    }
    return bytes
  }

  private static func split(_ text: [UInt8], separator: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = [[]]
    var index = 0
    while index < text.count {
      if text[index...].starts(with: separator) {
        pieces.append([])
        index += separator.count
      } else {
        pieces[pieces.count - 1].append(text[index])
        index += 1
      }
    }
    return pieces
  }
}
