/// One name or value of a document, 16 bytes: where its text is and where its successor is.
///
/// Nodes stand in document order; a member is its name's node and then its value's.
@usableFromInline
struct TapeNode: Sendable {
  /// The text's first byte: of a string or name the one after the quotation mark.
  @usableFromInline var offset: UInt32
  /// Bytes of the text, of a string or name without its quotation marks; members or elements of a
  /// container.
  @usableFromInline var length: UInt32
  /// The index after the last node inside this one; after a name, its value's.
  @usableFromInline var next: UInt32
  @usableFromInline var kind: JSONDocument.Kind
  @usableFromInline var flags: Flags

  @usableFromInline
  struct Flags: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @usableFromInline
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The text has an escape, so it isn't what it spells.
    @usableFromInline static var escaped: Flags { Flags(rawValue: 1) }
    /// A member's name.
    @usableFromInline static var name: Flags { Flags(rawValue: 2) }
    /// In an open container: the names of the one around it were ascending.
    static var ascending: Flags { Flags(rawValue: 4) }
  }

  /// - Parameter offset: below 2^32, as every document is shorter.
  @inline(__always)
  init(offset: Int, length: UInt32, next: UInt32, kind: JSONDocument.Kind, flags: Flags = []) {
    self.offset = UInt32(truncatingIfNeeded: offset)
    self.length = length
    self.next = next
    self.kind = kind
    self.flags = flags
  }
}
