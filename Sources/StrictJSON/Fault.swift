/// What stops a reader, before line, column and path are worked out.
struct Fault: Error {
  /// Which value the path of the error leads to.
  enum Place {
    /// None: the fault is outside the document's one value.
    case outside
    /// The innermost container that is open.
    case container
    /// The value that was due or being read.
    case value
    /// The value of the member with the name at this index, in the innermost open container.
    case member(Int)
  }

  let reason: JSONError.Reason
  let offset: Int
  let place: Place

  init(_ reason: JSONError.Reason, at offset: Int, _ place: Place = .value) {
    self.reason = reason
    self.offset = offset
    self.place = place
  }

  func error(in bytes: [UInt8], path: JSONPath?) -> JSONError {
    let (line, column) = JSONDocument.position(of: offset, in: bytes)
    return JSONError(
      reason: reason, byteOffset: offset, line: line, column: column, path: path)
  }
}
