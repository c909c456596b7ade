internal import COpenSSL

/// A block of a PEM text (RFC 7468), decoded.
package struct PEMBlock: Sendable {
  package let label: String
  /// RFC 1421 header lines: how OpenSSL's older form encrypts the contents, or something odd.
  package let headers: String
  package let contents: SecretBytes

  /// Reads every block. Text around blocks is no part of them (RFC 7468 §2) and is skipped.
  ///
  /// - Parameter most: more blocks than these are refused.
  /// - Throws: ``KeyFileFault/malformedPEM(_:)`` for a block that is cut or not Base64,
  ///   ``KeyFileFault/tooManyEntries(limit:)``.
  package static func all(
    in text: SecretBytes, atMost most: Int = KeyLimits.entries
  ) throws(KeyError) -> [PEMBlock] {
    OpenSSLError.clear()
    return try unsafe text.withBytes { bytes throws(KeyError) in
      // Borrows the bytes.
      guard let count = Int32(exactly: bytes.count),
        let source = unsafe BIO_new_mem_buf(bytes.baseAddress, count)
      else { throw .openSSL(.drained()) }
      defer { unsafe BIO_free(source) }
      var blocks: [PEMBlock] = []
      while let block = unsafe next(source) {
        guard blocks.count < most else { throw .file(.tooManyEntries(limit: most)) }
        blocks.append(block)
      }
      // Nothing more of a PEM text is how it ends well.
      let last = ERR_peek_last_error()
      guard ERR_GET_LIB(last) == ERR_LIB_PEM, ERR_GET_REASON(last) == PEM_R_NO_START_LINE else {
        throw .file(.malformedPEM(.drained()))
      }
      OpenSSLError.clear()
      return blocks
    }
  }

  private static func next(_ source: OpaquePointer) -> PEMBlock? {
    var label: UnsafeMutablePointer<CChar>?
    var headers: UnsafeMutablePointer<CChar>?
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    // PEM_FLAG_SECURE: it may be a private key, so libcrypto wipes what it decodes on the way.
    let flags = UInt32(PEM_FLAG_SECURE | PEM_FLAG_EAY_COMPATIBLE)
    guard unsafe PEM_read_bio_ex(source, &label, &headers, &bytes, &count, flags) == 1,
      let label = unsafe label, let headers = unsafe headers, let bytes = unsafe bytes
    else { return nil }
    defer {
      unsafe CRYPTO_secure_free(label, #fileID, #line)
      unsafe CRYPTO_secure_free(headers, #fileID, #line)
      unsafe CRYPTO_secure_clear_free(bytes, count, #fileID, #line)
    }
    return unsafe PEMBlock(
      label: String(cString: label), headers: String(cString: headers),
      contents: SecretBytes(copying: UnsafeBufferPointer(start: bytes, count: count)))
  }
}
