extension JSONDocument {
  /// A place among the members or elements of one container, for loops that retain nothing:
  /// ```swift
  /// var cursor = document.cursor(in: object)
  /// while let name = document.next(&cursor) { use(name, document.value(of: name)) }
  /// ```
  public struct Cursor: Sendable {
    @usableFromInline var index: UInt32
    @usableFromInline let end: UInt32
    /// 1 in an object, whose successive names have values between them; else 0.
    @usableFromInline let step: UInt32

    @inlinable
    init(index: UInt32, end: UInt32, step: UInt32) {
      self.index = index
      self.end = end
      self.step = step
    }
  }

  /// Stands before the first member or element; what is no container has none.
  @inlinable
  public func cursor(in node: Node) -> Cursor {
    let entry = self[node]
    guard entry.kind.isContainer else { return Cursor(index: 0, end: 0, step: 0) }
    return Cursor(
      index: node.index &+ 1, end: entry.next, step: entry.kind == .object ? 1 : 0)
  }

  /// The next member's name, or the next element.
  @inlinable
  public func next(_ cursor: inout Cursor) -> Node? {
    guard cursor.index < cursor.end else { return nil }
    let node = Node(index: cursor.index)
    cursor.index = tape[Int(cursor.index &+ cursor.step)].next
    return node
  }

  /// The value of the member whose name this is; a value is its own.
  @inlinable
  public func value(of name: Node) -> Node {
    self[name].flags.contains(.name) ? Node(index: name.index &+ 1) : name
  }

  /// The members in the order of the document; none for what is no object.
  @inlinable
  public func members(of node: Node) -> Members {
    Members(
      document: self,
      cursor: kind(of: node) == .object ? cursor(in: node) : Cursor(index: 0, end: 0, step: 0))
  }

  /// The elements in order; none for what is no array.
  @inlinable
  public func elements(of node: Node) -> Elements {
    Elements(
      document: self,
      cursor: kind(of: node) == .array ? cursor(in: node) : Cursor(index: 0, end: 0, step: 0))
  }

  /// The value of the member with this name, compared after unescaping.
  ///
  /// - Complexity: linear in the members.
  public func member(_ name: String, of node: Node) -> Node? {
    guard kind(of: node) == .object else { return nil }
    var cursor = cursor(in: node)
    while let candidate = next(&cursor) {
      if withUTF8(of: candidate, { Self.equal($0, name.utf8) }) { return value(of: candidate) }
    }
    return nil
  }

  private static func equal(_ bytes: Span<UInt8>, _ text: String.UTF8View) -> Bool {
    guard bytes.count == text.count else { return false }
    var index = 0
    for byte in text {
      if bytes[index] != byte { return false }
      index += 1
    }
    return true
  }

  public struct Members: Sequence, IteratorProtocol, Sendable {
    @usableFromInline let document: JSONDocument
    @usableFromInline var cursor: Cursor

    @inlinable
    init(document: JSONDocument, cursor: Cursor) {
      self.document = document
      self.cursor = cursor
    }

    @inlinable
    public mutating func next() -> (name: Node, value: Node)? {
      guard let name = document.next(&cursor) else { return nil }
      return (name, document.value(of: name))
    }
  }

  public struct Elements: Sequence, IteratorProtocol, Sendable {
    @usableFromInline let document: JSONDocument
    @usableFromInline var cursor: Cursor

    @inlinable
    init(document: JSONDocument, cursor: Cursor) {
      self.document = document
      self.cursor = cursor
    }

    @inlinable
    public mutating func next() -> Node? { document.next(&cursor) }
  }
}
