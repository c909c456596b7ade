public import PinPolicy

extension HostName {
  /// Reads a host as somebody types it: a look-up in which U-labels are converted to A-labels.
  ///
  /// Needs libidn2 for names beyond ASCII, and for nothing else.
  /// - Throws: ``HostAuthoringError``.
  public init(authoring text: String) throws(HostAuthoringError) {
    if let converted = try Self.converted(text) {
      self = converted
      return
    }
    do { try self.init(text) } catch { throw .host(error) }
  }

  /// Reads a host as a source document spells it, in ASCII or with U-labels, without brackets.
  init(sourceKey text: String) throws(HostAuthoringError) {
    if let converted = try Self.converted(text) {
      self = converted
      return
    }
    do { try self.init(source: text) } catch { throw .host(error) }
  }

  /// UTF-8 bytes of a name before conversion: far more than 253 bytes of A-labels can come from,
  /// decomposed letters in four-byte scalars included.
  private static let longestText = 4096

  /// The name that a text beyond ASCII maps to; nil for one in ASCII, which stays as it is.
  private static func converted(_ text: String) throws(HostAuthoringError) -> HostName? {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    guard text.utf8.count <= longestText else { throw .tooLong(bytes: text.utf8.count) }
    // Which ASCII character stands in the way is told better by the rules for ASCII: a port, a path.
    if text.utf8.contains(where: { !isLetterDigitHyphenOrDot($0) }) {
      let letters = text.unicodeScalars.map { $0.isASCII ? Character($0) : "a" }
      do { _ = try HostName(source: String(letters)) } catch {
        guard case .wildcardLabel = error else { throw .host(error) }
        let name = try HostName(sourceKey: String(text.unicodeScalars.dropFirst(2)))
        throw .host(.wildcardLabel(name.description))
      }
    }
    let library: LibIDN2
    do { library = try LibIDN2.shared.get() } catch { throw .libraryMissing(error.reason) }
    // One dot and no more is stripped, and before the mapping: U+3002 at the end stays a dot.
    let name = text.utf8.last == UInt8(ascii: ".") ? String(text.unicodeScalars.dropLast()) : text
    let ascii: String
    do { ascii = try library.asciiForm(of: name) } catch {
      throw .notConvertible(text, reason: error.reason)
    }
    let host: HostName
    do { host = try HostName(payload: ascii) } catch { throw .converts(text, to: ascii, error) }
    guard !host.isAddress else { throw .convertsToAddress(text, host.description) }
    return host
  }

  private static func isLetterDigitHyphenOrDot(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x80...0xff, UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
