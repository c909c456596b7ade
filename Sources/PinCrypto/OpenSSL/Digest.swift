internal import COpenSSL
internal import PinPolicy

/// The hash functions of FIPS 180-4 that policies use.
public enum Digest: String, CaseIterable, Sendable {
  case sha256 = "SHA-256"
  case sha384 = "SHA-384"
  case sha512 = "SHA-512"

  public var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The name by which libcrypto's providers know it.
  package var openSSLName: String {
    switch self {
    case .sha256: "SHA256"
    case .sha384: "SHA384"
    case .sha512: "SHA512"
    }
  }

  /// - Throws: ``OpenSSLError`` when libcrypto offers no such digest.
  public func hash(_ bytes: some Collection<UInt8>) throws(OpenSSLError) -> [UInt8] {
    let input = Array(bytes)
    var status: Int32 = 0
    let output = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      var length = 0
      status = unsafe EVP_Q_digest(
        nil, openSSLName, nil, input, input.count, buffer.baseAddress, &length)
      count = status == 1 ? length : 0
    }
    guard status == 1, output.count == byteCount else { throw OpenSSLError.drained() }
    return output
  }
}

extension Digest {
  /// SHA-256 as libcrypto's providers have it, looked up once: that takes longer than to hash a key.
  // Never changed and never freed.
  nonisolated(unsafe) private static let fetched = unsafe EVP_MD_fetch(nil, "SHA256", nil)

  /// The SHA-256 digest of part of an array, without an array for the answer.
  ///
  /// - Throws: ``OpenSSLError`` when libcrypto offers no SHA-256.
  static func pin(of bytes: [UInt8], in range: Range<Int>) throws(OpenSSLError) -> SPKIPin {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let isHashed = unsafe withUnsafeMutableBytes(of: &words) { digest in
      unsafe bytes.span.extracting(range).withUnsafeBytes { input in
        unsafe EVP_Digest(
          input.baseAddress, input.count,
          digest.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, fetched, nil) == 1
      }
    }
    guard isHashed else { throw OpenSSLError.drained() }
    return SPKIPin(
      words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
  }
}
