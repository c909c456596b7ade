/// A JSON value to be written.
public enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONValue])
  /// Members in the order in which ``JSONWriter/Order/asGiven`` writes them; names are distinct.
  case object([JSONMember])
}

public struct JSONMember: Equatable, Sendable {
  public let name: String
  public let value: JSONValue

  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}
