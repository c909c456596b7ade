internal import COpenSSL

extension SecretBytes {
  /// Decodes all of the bytes with one of libcrypto's `d2i` functions.
  ///
  /// - Parameter free: frees what was decoded when bytes follow it.
  /// - Throws: ``KeyError/unreadable(_:)``, ``KeyError/trailingBytes``.
  func decode(
    with d2i: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
    free: (OpaquePointer) -> Void
  ) throws(KeyError) -> OpaquePointer {
    OpenSSLError.clear()
    return try unsafe withBytes { bytes throws(KeyError) in
      let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
      var next = unsafe start
      guard let decoded = unsafe d2i(&next, bytes.count) else {
        throw .unreadable(OpenSSLError.drained())
      }
      guard let start = unsafe start, let next = unsafe next, unsafe next - start == bytes.count
      else {
        unsafe free(decoded)
        throw .trailingBytes
      }
      return unsafe decoded
    }
  }

  /// What one of libcrypto's functions writes, to memory that it wipes.
  ///
  /// - Throws: ``KeyError/openSSL(_:)``.
  static func collect(_ body: (OpaquePointer) -> Int32) throws(KeyError) -> SecretBytes {
    OpenSSLError.clear()
    guard let output = unsafe BIO_new(BIO_s_secmem()) else { throw .openSSL(.drained()) }
    defer { unsafe BIO_free(output) }
    // `PEM_write_bio` gives the bytes written, the others 1.
    guard unsafe body(output) > 0 else { throw .openSSL(.drained()) }
    let bytes = unsafe SecretBytes(capacity: Int(clamping: BIO_ctrl_pending(output))) { room in
      Int(unsafe BIO_read(output, room.baseAddress, Int32(clamping: room.count)))
    }
    guard bytes.count > 0 else { throw .openSSL(.drained()) }
    return bytes
  }

  /// Calls `body` with the bytes as libcrypto takes passphrases.
  func withText<Result>(_ body: (UnsafePointer<CChar>?, Int32) -> Result) -> Result {
    unsafe withBytes { bytes in
      let text = unsafe bytes.bindMemory(to: CChar.self)
      return unsafe body(text.baseAddress, Int32(clamping: text.count))
    }
  }
}
