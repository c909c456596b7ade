import PinPolicy
import StrictJSON

/// The names that a source document gives to pins and to sets of them.
///
/// Every name is known, none stands for itself, and how many pins each stands for is counted before
/// any of them is copied: sets of sets grow without bound.
struct PinNames: Sendable {
  private enum Meaning {
    case pin(SPKIPin)
    /// The names of a set, as a range of ``members``.
    case set(Range<Int>)
  }

  private var meanings: [Meaning] = []
  private var members: [Int] = []
  private var indices: [String: Int] = [:]
  /// How many pins each name stands for, no higher than `most + 1`.
  private var counts: [Int] = []
  private let most: Int
  private var namesByPin: [SPKIPin: String] = [:]

  /// Reads the members `pins` and `sets` of a document.
  /// - Parameter most: how many pins a list may have, above which counting stops.
  init(reading document: JSONDocument, most: Int) throws(SourceFault) {
    self.most = most
    if let pins = document.member("pins", of: document.root) { try readPins(pins, of: document) }
    if let sets = document.member("sets", of: document.root) { try readSets(sets, of: document) }
  }

  /// What a pin is called: the first name it was given, if any.
  func name(of pin: SPKIPin) -> String? { namesByPin[pin] }

  /// How many pins a name stands for, no higher than one above the limit; nil for no name.
  func count(of name: String) -> Int? { index(of: name).map { counts[$0] } }

  /// Appends the pins that a name stands for, in the order of its sets.
  ///
  /// - Complexity: linear in the pins that are appended, whose ``count(of:)`` the caller has judged.
  func expand(_ name: String, into pins: inout [SPKIPin]) {
    guard let index = index(of: name) else { return }
    var open = [index]
    while let index = open.popLast() {
      switch meanings[index] {
      case .pin(let pin): pins.append(pin)
      case .set(let range): open.append(contentsOf: members[range].reversed())
      }
    }
  }

  /// Strings are equal by canonical equivalence, which takes KELVIN SIGN for a `K`; names are not.
  private func index(of name: String) -> Int? {
    name.utf8.allSatisfy { $0 < 0x80 } ? indices[name] : nil
  }
}

// MARK: - Reading

extension PinNames {
  private mutating func readPins(
    _ pins: JSONDocument.Node, of document: JSONDocument
  ) throws(SourceFault) {
    try document.require(.object, at: pins)
    for (name, value) in document.members(of: pins) {
      try document.require(.string, at: value)
      let pin: SPKIPin
      do { pin = try SPKIPin(document.string(value)) } catch {
        throw SourceFault(.rule(.pin(error)), at: value)
      }
      let text = try Self.name(name, of: document)
      add(text, .pin(pin), count: 1)
      if namesByPin[pin] == nil { namesByPin[pin] = text }
    }
  }

  private mutating func readSets(
    _ sets: JSONDocument.Node, of document: JSONDocument
  ) throws(SourceFault) {
    try document.require(.object, at: sets)
    // Sets may name sets that come later, so all names are taken down first.
    let first = meanings.count
    for (name, _) in document.members(of: sets) {
      let text = try Self.name(name, of: document)
      guard indices[text] == nil else { throw SourceFault(.sameName, at: name) }
      add(text, .set(0..<0), count: Self.isUncounted)
    }
    /// Where each of ``members`` is written.
    var places: [JSONDocument.Node] = []
    for (offset, (_, list)) in document.members(of: sets).enumerated() {
      try document.require(.array, at: list)
      guard document.count(of: list) > 0 else { throw SourceFault(.rule(.emptyList), at: list) }
      let start = members.count
      for element in document.elements(of: list) {
        try document.require(.string, at: element)
        let text = document.string(element)
        guard let member = index(of: text) else {
          throw SourceFault(.rule(.unknownName(text)), at: element)
        }
        members.append(member)
        places.append(element)
      }
      meanings[first + offset] = .set(start..<members.count)
    }
    for set in first..<meanings.count {
      if let entry = countPins(of: set) {
        throw SourceFault(.cyclicName(document.string(places[entry])), at: places[entry])
      }
    }
  }

  private mutating func add(_ name: String, _ meaning: Meaning, count: Int) {
    indices[name] = meanings.count
    meanings.append(meaning)
    counts.append(count)
  }

  /// 1 to 64 of `a-z A-Z 0-9 . _ -`.
  private static func name(
    _ node: JSONDocument.Node, of document: JSONDocument
  ) throws(SourceFault) -> String {
    let text = document.string(node)
    let isName =
      (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
    guard isName else { throw SourceFault(.badName, at: node) }
    return text
  }
}

// MARK: - Counting

extension PinNames {
  private static let isUncounted = 0
  private static let isOpen = -1

  /// Counts the pins of a set and of all that it holds, without recursion: a document may nest sets
  /// as deeply as it is long.
  ///
  /// - Returns: The index in ``members`` of an entry that leads back to a set around it, if any.
  private mutating func countPins(of set: Int) -> Int? {
    var open: [(set: Int, rest: Range<Int>)] = []
    enter(set, &open)
    while let (set, rest) = open.last {
      guard let entry = rest.first else {
        close(set)
        open.removeLast()
        continue
      }
      open[open.count - 1].rest = rest.dropFirst()
      let member = members[entry]
      if counts[member] == Self.isOpen { return entry }
      enter(member, &open)
    }
    return nil
  }

  private mutating func enter(_ set: Int, _ open: inout [(set: Int, rest: Range<Int>)]) {
    guard counts[set] == Self.isUncounted, case .set(let range) = meanings[set] else { return }
    counts[set] = Self.isOpen
    open.append((set, range))
  }

  private mutating func close(_ set: Int) {
    guard case .set(let range) = meanings[set] else { return }
    // A member counts `most + 1` at most, so the sum over a document's worth of them fits.
    counts[set] = min(members[range].reduce(0) { $0 &+ counts[$1] }, most &+ 1)
    // A set of one is that one, so that expansion costs what it makes and not how deep it goes.
    if range.count == 1 { meanings[set] = meanings[members[range.lowerBound]] }
  }
}

extension JSONDocument {
  /// Refuses a value of another type, `null` always among them.
  func require(
    _ kind: PolicyDecodingError.Kind, at node: JSONDocument.Node
  ) throws(SourceFault) {
    do throws(PolicyFault) { try expect(kind, at: node) } catch { throw SourceFault(error) }
  }
}
