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
    return value(document.root, document)
  }

  // Recursion ends with the document's depth, which has a limit.
  private static func value(_ node: JSONDocument.Node, _ document: JSONDocument) -> JSONValue? {
    switch document.kind(of: node) {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .string: return .string(document.string(node))
    case .number: return document.integer(node).map { .integer($0) }
    case .array:
      var elements: [JSONValue] = []
      for element in document.elements(of: node) {
        guard let value = value(element, document) else { return nil }
        elements.append(value)
      }
      return .array(elements)
    case .object:
      var members: [JSONMember] = []
      for (name, element) in document.members(of: node) {
        guard let value = value(element, document) else { return nil }
        members.append(JSONMember(document.string(name), value))
      }
      return .object(members)
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [Line] {
    let text =
      value(bytes).map { JSONWriter.text($0, order: .asGiven, indent: 2) }
      ?? String(decoding: bytes, as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \(String($0))" }
  }
}
