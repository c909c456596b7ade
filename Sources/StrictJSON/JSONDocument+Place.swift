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
  /// Lines end with LF, with CR, or with both. Columns are Unicode scalars; after a cut sequence of
  /// bytes the next one is in a column of its own.
  public static func position(of byteOffset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    var previous: UInt8 = 0
    for byte in bytes.prefix(byteOffset) {
      switch byte {
      case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): column = 1
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        line += 1
        column = 1
      case 0x80...0xbf: break  // continues a scalar that was counted
      default: column += 1
      }
      previous = byte
    }
    return (line, column)
  }
}
