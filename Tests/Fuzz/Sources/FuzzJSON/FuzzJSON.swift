import StrictJSON

/// Reads any bytes. What is accepted is walked, written and read again; whether it should have been
/// is asked of ``Grammar``, which is slow and simple.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let limits = JSONLimits(bytes: 4096, depth: 16, numberCharacters: 32)
  let grammar = Grammar.accepts(bytes)
  do {
    let document = try JSONDocument(parsing: bytes, limits: limits)
    precondition(grammar, "accepts what the grammar does not")
    visit(document.root, of: document)
    checkRewriting(of: document, limits: limits)
  } catch {
    precondition(error.isLimit || !grammar, "refuses what the grammar accepts: \(error)")
    check(error, in: bytes)
  }
  return 0
}

/// Every error has a place inside the text.
private func check(_ error: JSONError, in bytes: [UInt8]) {
  precondition(error.byteOffset >= 0 && error.byteOffset <= bytes.count)
  let (line, column) = JSONDocument.position(of: error.byteOffset, in: bytes)
  precondition(error.line == line && error.column == column)
  _ = error.path?.description
}

/// Asks everything that can be asked of a node and of those in it.
private func visit(_ node: JSONDocument.Node, of document: JSONDocument) {
  let text = document.string(node)
  let sameText = document.withUTF8(of: node) { bytes in
    bytes.indices.map { bytes[$0] } == Array(text.utf8)
  }
  precondition(sameText)
  precondition(
    document.matches(node, "type") == (document.kind(of: node) == .string && text == "type"))
  if let integer = document.integer(node) { precondition(text == String(integer)) }
  let position = document.position(of: node)
  precondition(position.line >= 1 && position.column >= 1)

  let path = document.path(to: node)
  var count = 0
  for (name, value) in document.members(of: node) {
    precondition(document.value(of: name) == value)
    precondition(document.path(to: name) == path.member(document.string(name)))
    precondition(document.path(to: value) == path.member(document.string(name)))
    precondition(document.member(document.string(name), of: node) == value)
    visit(value, of: document)
    count += 1
  }
  for element in document.elements(of: node) {
    precondition(document.path(to: element) == path.index(count))
    visit(element, of: document)
    count += 1
  }
  precondition(count == document.count(of: node))
}

/// What is written reads back as the same, and canonical output is its own canonical form.
private func checkRewriting(of document: JSONDocument, limits: JSONLimits) {
  // Escapes make control characters six times as long, and pictures of numbers gain quotes.
  let larger = JSONLimits(
    bytes: limits.bytes * 6 + 64, depth: limits.depth, numberCharacters: limits.numberCharacters)
  func read(_ bytes: [UInt8]) -> JSONValue {
    do {
      let again = try JSONDocument(parsing: bytes, limits: larger)
      return value(of: again.root, in: again)
    } catch {
      preconditionFailure("does not read what was written: \(error)")
    }
  }
  let given = value(of: document.root, in: document)
  precondition(read(JSONWriter.bytes(given, order: .asGiven)) == given)
  precondition(read(Array(JSONWriter.text(given, order: .asGiven, indent: 1).utf8)) == given)
  let canonical = JSONWriter.bytes(given, order: .canonical)
  precondition(JSONWriter.bytes(read(canonical), order: .canonical) == canonical)
}

/// The value of a node; a number that is no integer of 64 bits becomes its text.
private func value(of node: JSONDocument.Node, in document: JSONDocument) -> JSONValue {
  switch document.kind(of: node) {
  case .object:
    .object(
      document.members(of: node).map {
        JSONMember(document.string($0.name), value(of: $0.value, in: document))
      })
  case .array: .array(document.elements(of: node).map { value(of: $0, in: document) })
  case .string: .string(document.string(node))
  case .number:
    Int64(document.string(node)).map(JSONValue.integer) ?? .string(document.string(node))
  case .true: .bool(true)
  case .false: .bool(false)
  case .null: .null
  }
}
