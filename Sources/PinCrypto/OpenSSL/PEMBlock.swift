internal import COpenSSL

/// A block of a PEM text (RFC 7468), still labelled.
package struct PEMBlock: Equatable, Sendable {
  package let label: String
  /// Whether RFC 1421 header lines stand in it: an encrypted key, or something odd.
  package let hasHeaders: Bool
  /// What it holds; empty unless the label is `PUBLIC KEY`, for nothing else is copied here.
  package let publicBytes: [UInt8]

  /// Reads every block. Text around blocks is no part of them (RFC 7468 §2) and is skipped.
  ///
  /// - Throws: ``KeyError/unreadable(_:)`` for a block that is cut or not Base64.
  package static func all(in text: [UInt8]) throws(KeyError) -> [PEMBlock] {
    OpenSSLError.clear()
    var blocks: [PEMBlock] = []
    let failed = unsafe text.withUnsafeBytes { buffer in
      guard let count = Int32(exactly: buffer.count),
        let source = unsafe BIO_new_mem_buf(buffer.baseAddress, count)
      else { return true }
      defer { unsafe BIO_free(source) }
      while let block = unsafe next(source) { blocks.append(block) }
      // Nothing more of a PEM text is how it ends well.
      return ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE
    }
    if failed { throw .unreadable(OpenSSLError.drained()) }
    OpenSSLError.clear()
    return blocks
  }

  private static func next(_ source: OpaquePointer) -> PEMBlock? {
    var label: UnsafeMutablePointer<CChar>?
    var headers: UnsafeMutablePointer<CChar>?
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard unsafe PEM_read_bio(source, &label, &headers, &bytes, &count) == 1,
      let label = unsafe label, let headers = unsafe headers, let bytes = unsafe bytes
    else { return nil }
    defer {
      unsafe CRYPTO_free(label, #fileID, #line)
      unsafe CRYPTO_free(headers, #fileID, #line)
      // It may be a private key that someone took for a public one.
      unsafe CRYPTO_clear_free(bytes, count, #fileID, #line)
    }
    let name = unsafe String(cString: label)
    return unsafe PEMBlock(
      label: name, hasHeaders: headers.pointee != 0,
      publicBytes: name == "PUBLIC KEY"
        ? Array(UnsafeBufferPointer(start: bytes, count: count)) : [])
  }
}
