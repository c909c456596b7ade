/// A JSON text that was judged whole (RFC 8259), and an index over its bytes.
///
/// Nothing is copied or converted until it is asked for. Beyond the RFC, a text is refused that has
/// a byte order mark, a member twice in one object, a lone surrogate, or more of anything than
/// ``JSONLimits`` grants. Passing a document on as an argument retains nothing; iterating over
/// ``members(of:)`` does once, over a ``Cursor`` never.
public struct JSONDocument: Sendable {
  public enum Kind: UInt8, Sendable {
    case object, array, string, number, `true`, `false`, null
  }

  /// A name or a value of the document that it came from; of no other.
  public struct Node: Hashable, Sendable {
    @usableFromInline let index: UInt32

    @inlinable
    init(index: UInt32) { self.index = index }
  }

  public let bytes: [UInt8]
  @usableFromInline let tape: [TapeNode]

  /// Judges `bytes` and builds the index: two nodes a member, one an element, 16 bytes each.
  ///
  /// Time grows with the bytes, whatever stands in them. Of several faults the first in the text is
  /// told, but a repeated member only when its object ends.
  /// - Throws: ``JSONError`` with the place of the first byte that can't continue the document; for
  ///   an escape, a number or a word its first character.
  public init(parsing bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
    tape = try TapeBuilder.tape(of: bytes, limits: limits)
    self.bytes = bytes
  }

  @inlinable
  public var root: Node { Node(index: 0) }

  @inlinable
  public func kind(of node: Node) -> Kind { self[node].kind }

  /// How many members or elements; 0 for what is no container.
  @inlinable
  public func count(of node: Node) -> Int {
    let entry = self[node]
    return entry.kind.isContainer ? Int(entry.length) : 0
  }

  /// Where the text of a name or value begins, in bytes from 0, quotation mark included.
  public func byteOffset(of node: Node) -> Int {
    let entry = self[node]
    return entry.kind == .string ? Int(entry.offset) - 1 : Int(entry.offset)
  }

  @inlinable
  subscript(node: Node) -> TapeNode { tape[Int(node.index)] }
}

extension JSONDocument.Kind {
  @inlinable
  var isContainer: Bool { self == .object || self == .array }
}
