import PinCrypto
import PinPolicy
import StrictJSON

/// A signed policy that is looked at without checking its signature.
struct UnverifiedMessage {
  /// Stands before every line of what is shown of it, so that it is on every screen.
  static let margin: Line = "\("NOT VERIFIED", .bad) | "

  private let message: CompactJWS
  let path: String

  /// - Throws: exit 1 for what is no compact JWS, exit 3 for a file that can't be read.
  init(reading path: String) throws(Failure) {
    self.path = path
    let bytes = try SignedPolicyFile.read(path)
    do { message = try CompactJWS(bytes) } catch {
      throw Failure(
        error, status: .refused, about: path,
        hint: SourceFile.looksUnsigned(bytes) ? SourceFile.hintToSign : nil)
    }
  }

  /// The header, if it is one that a policy can have.
  func header() throws(Failure) -> ProtectedHeader {
    do {
      return try ProtectedHeader(decoding: message.header, accepting: Set(Profile.allCases))
    } catch { throw Failure(error, status: .refused, about: path) }
  }

  /// What the payload says, if it is a policy.
  func policy() throws(Failure) -> Policy {
    let profile = try header().profile
    do {
      return try UnverifiedPolicy(decoding: message.unverifiedPayload, profile: profile).policy
    } catch { throw Failure(error, status: .refused, about: path) }
  }

  /// The header and the payload as JSON; nil for one that is none, or has other numbers than whole
  /// ones.
  var headerValue: JSONValue? { Self.value(message.header) }
  var payloadValue: JSONValue? { Self.value(message.unverifiedPayload) }

  /// The header and the payload for people: indented, or as they are where they are not JSON.
  var headerLines: [Line] { Self.lines(message.header) }
  var payloadLines: [Line] { Self.lines(message.unverifiedPayload) }

  private static func value(_ bytes: [UInt8]) -> JSONValue? {
    guard let document = try? JSONDocument(parsing: bytes, limits: Limits.standard.json) else {
      return nil
    }
    var budget = Int.max
    return value(document.root, document, &budget)
  }

  // Recursion ends with the document's depth, which has a limit. Values are left out when the
  // budget is spent.
  private static func value(
    _ node: JSONDocument.Node, _ document: JSONDocument, _ budget: inout Int
  ) -> JSONValue? {
    budget &-= 1
    switch document.kind(of: node) {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .string: return .string(document.string(node))
    case .number: return document.integer(node).map { .integer($0) }
    case .array:
      var elements: [JSONValue] = []
      for element in document.elements(of: node) {
        guard budget > 0 else { break }
        guard let value = value(element, document, &budget) else { return nil }
        elements.append(value)
      }
      return .array(elements)
    case .object:
      var members: [JSONMember] = []
      for (name, element) in document.members(of: node) {
        guard budget > 0 else { break }
        guard let value = value(element, document, &budget) else { return nil }
        members.append(JSONMember(document.string(name), value))
      }
      return .object(members)
    }
  }

  /// The most values that people are shown, of a text that can't be read bytes, and of a line
  /// scalars.
  private static let most = (values: 2000, bytes: 16_384, scalars: 1000)

  private static func lines(_ bytes: [UInt8]) -> [Line] {
    var budget = most.values
    var isCut = false
    var text: String?
    if let document = try? JSONDocument(parsing: bytes, limits: Limits.standard.json) {
      let value = value(document.root, document, &budget)
      text = value.map { JSONWriter.text($0, order: .asGiven, indent: 2) }
      isCut = text != nil && budget <= 0
    }
    if text == nil {
      isCut = bytes.count > most.bytes
      text = String(decoding: bytes.prefix(most.bytes), as: UTF8.self)
    }
    var lines: [Line] = (text ?? "").utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { "    \(PrintableText.cut(String(Substring($0)), to: most.scalars))" }
    if isCut { lines.append("    … cut: it has \(bytes.count) bytes, and --json shows all") }
    return lines
  }
}
