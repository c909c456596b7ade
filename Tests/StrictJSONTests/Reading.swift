import StrictJSON
import Testing

extension JSONLimits {
  /// What a policy is read with.
  static let policy = JSONLimits(bytes: 4 * 1024 * 1024, depth: 16, numberCharacters: 32)
}

extension JSONDocument {
  init(_ text: String, limits: JSONLimits = .policy) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// The value of a document whose numbers are all integers of 64 bits.
  func value(_ node: Node) throws -> JSONValue {
    switch kind(of: node) {
    case .object:
      .object(try members(of: node).map { JSONMember(string($0.name), try value($0.value)) })
    case .array: .array(try elements(of: node).map(value))
    case .string: .string(string(node))
    case .number: .integer(try #require(Int64(string(node))))
    case .true: .bool(true)
    case .false: .bool(false)
    case .null: .null
    }
  }
}

/// The error that reading these bytes gives, nil when they are read.
func refusal(_ bytes: [UInt8], limits: JSONLimits = .policy) -> JSONError? {
  do {
    _ = try JSONDocument(parsing: bytes, limits: limits)
    return nil
  } catch {
    return error
  }
}

func refusal(_ text: String, limits: JSONLimits = .policy) -> JSONError? {
  refusal(Array(text.utf8), limits: limits)
}
