internal import COpenSSL

/// What libcrypto said about a failure: its whole error queue, oldest first.
public struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
  public let entries: [Entry]

  public struct Entry: Equatable, Sendable {
    /// The packed code of `ERR_get_error`.
    public let code: UInt
    /// `error:0A000086:library::reason`.
    public let text: String
  }

  /// Empties this thread's error queue into a value.
  package static func drained() -> OpenSSLError {
    var entries: [Entry] = []
    // libcrypto keeps 16 entries a thread; the bound holds should that change.
    while entries.count < 64 {
      let code = ERR_get_error()
      if code == 0 { break }
      let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
        guard let start = text.baseAddress else { return "" }
        unsafe ERR_error_string_n(code, start, text.count)
        return unsafe String(cString: start)
      }
      entries.append(Entry(code: code, text: text))
    }
    return OpenSSLError(entries: entries)
  }

  /// Forgets what earlier calls on this thread left in the queue.
  package static func clear() { ERR_clear_error() }

  public var description: String {
    entries.isEmpty ? "no reason given" : entries.map(\.text).joined(separator: "; ")
  }
}
