import PinPolicy
import PolicyAuthoring
import StrictJSON

/// A source document as it stands in a file.
enum SourceFile {
  /// - Parameter hint: what to do about a signed policy in its place.
  /// - Throws: exit 3 for a file that can't be read or a document that is bad; exit 2 for a signed
  ///   policy in its place.
  static func read(
    _ path: String, hint: String = "give the document that it was made of"
  ) throws(Failure) -> SourceDocument {
    let bytes: [UInt8]
    do { bytes = try BoundedFile.read(path, limit: Limits.standard.policyBytes) } catch {
      throw Failure(error, status: .badInput)
    }
    do { return try SourceDocument(parsing: bytes) } catch {
      // The choice was made by the options and stands; this only says what may have been meant.
      if looksSigned(bytes) {
        throw .usage(
          "signed-policy", "this looks like a signed policy, and a source document is needed",
          detail: [.init("file", .string(path))],
          hint: hint)
      }
      throw Failure(error, status: .badInput, about: path)
    }
  }

  /// What to do about a source document in the place of a signed policy.
  static let hintToSign = "this looks like a source document: policyctl sign makes a policy of it"

  /// Whether the text could be a source document: a JSON object.
  static func looksUnsigned(_ bytes: [UInt8]) -> Bool {
    let blanks: [UInt8] = [0x20, 0x09, 0x0a, 0x0d]
    return bytes.first { !blanks.contains($0) } == UInt8(ascii: "{")
  }

  /// Whether the text could be a compact JWS: its header is a JSON object in base64url.
  private static func looksSigned(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("ey".utf8)) && bytes.count { $0 == UInt8(ascii: ".") } == 2
  }
}
