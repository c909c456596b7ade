internal import COpenSSL

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
