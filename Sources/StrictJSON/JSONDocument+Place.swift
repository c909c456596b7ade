extension JSONDocument {
  /// The place of a value, or of the member whose name the node is.
  ///
  /// - Complexity: linear in the nodes before it, for it is asked when something is wrong.
  public func path(to node: Node) -> JSONPath {
    var path = JSONPath.root
    let target = value(of: node).index
    var container = root
    while container.index < target {
      var cursor = cursor(in: container)
      var index = 0
      var inside: Node?
      while let entry = next(&cursor) {
        let value = value(of: entry)
        if target < self[value].next {
          path =
            kind(of: container) == .object ? path.member(string(entry)) : path.index(index)
          inside = value
          break
        }
        index += 1
      }
      guard let inside else { break }
      container = inside
    }
    return path
  }

  /// Where a name or value begins, quotation mark included: line and column from 1, columns in
  /// Unicode scalars.
  public func position(of node: Node) -> (line: Int, column: Int) {
    Self.position(of: byteOffset(of: node), in: bytes)
  }

  /// Line and column, from 1, of a byte of a text that is UTF-8 up to there.
  ///
  /// Lines end with LF. Columns are Unicode scalars; the byte after a sequence that is cut short has
  /// a column of its own.
  public static func position(of byteOffset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(max(0, byteOffset)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xc0 != 0x80 {  // no continuation of a scalar that was counted
        column += 1
      }
    }
    return (line, column)
  }
}
