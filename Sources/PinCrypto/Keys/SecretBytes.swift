internal import COpenSSL

/// Bytes that are wiped with `OPENSSL_cleanse` when the last reference goes: a passphrase, or a
/// private key in some encoding.
///
/// A class, so that passing it around copies a reference and never the bytes. It prints and
/// reflects as its length alone.
@safe
public final class SecretBytes: @unchecked Sendable {
  // Unchecked: written by the initialiser alone, then only read until `deinit`.
  private let storage: UnsafeMutableRawBufferPointer
  public let count: Int

  /// Makes room for `capacity` bytes and lets `fill` write them.
  ///
  /// - Parameter fill: writes at the start of the zeroed room that it is given and returns how many
  ///   bytes count; the rest stays out of sight and is wiped all the same.
  public init<E: Error>(
    capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) {
    let storage = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(capacity, 1), alignment: 1)
    unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe self.storage = storage
    do {
      count = min(max(try unsafe fill(storage), 0), storage.count)
    } catch {
      // `deinit` does not run for an object that was never whole.
      unsafe Self.release(storage)
      throw error
    }
  }

  deinit { unsafe Self.release(storage) }

  private static func release(_ storage: UnsafeMutableRawBufferPointer) {
    unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
    unsafe storage.deallocate()
  }

  /// Copies bytes that are not the caller's to wipe.
  public convenience init(copying bytes: some Collection<UInt8>) {
    unsafe self.init(capacity: bytes.count) { room in
      unsafe room.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// Takes the bytes over: the array is overwritten with zeros.
  ///
  /// - Precondition: the array shares its storage with no other, or the other's bytes stay.
  public convenience init(wiping bytes: inout [UInt8]) {
    self.init(copying: bytes)
    Self.wipe(&bytes)
  }

  /// Overwrites an array's bytes with zeros.
  public static func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
  }

  /// Calls `body` with the bytes, which must not outlive the call.
  public func withBytes<Result, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    try unsafe body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
  }

  /// A copy that nobody wipes, for what turned out to be public.
  package func copied() -> [UInt8] { unsafe withBytes { unsafe Array($0) } }

  /// The bytes `range`, cut to what is there, as a secret of their own.
  package func slice(_ range: Range<Int>) -> SecretBytes {
    let range = range.clamped(to: 0..<count)
    return unsafe withBytes { bytes in
      unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }

  /// Calls `body` with a view of the bytes that checks its bounds.
  package func withSpan<Result, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> Result
  ) throws(E) -> Result {
    try unsafe withBytes { bytes throws(E) in
      try unsafe body(bytes.bindMemory(to: UInt8.self).span)
    }
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "SecretBytes(\(count) bytes)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
