internal import Glibc
package import PinPolicy

/// The three segments of a compact JWS (RFC 7515 §3.1), decoded, unverified.
package struct CompactJWS: Sendable {
  /// The text as it was given: the signing input is a prefix of it and never copied.
  package let bytes: [UInt8]
  private let signingInputCount: Int
  package let header: [UInt8]
  /// What the message says its payload is. Nobody has vouched for it.
  package let unverifiedPayload: [UInt8]
  package let signature: [UInt8]

  /// Takes the text apart: steps 1 and 2 of a policy's verification.
  ///
  /// - Throws: ``JWSError/tooLong(bytes:limit:)``, ``JWSError/notThreeSegments(found:)``,
  ///   ``JWSError/notBase64URL(_:)``, ``JWSError/headerTooLong(bytes:limit:)``.
  package init(_ bytes: [UInt8], limits: Limits = .standard) throws(JWSError) {
    guard bytes.count <= limits.policyBytes else {
      throw .tooLong(bytes: bytes.count, limit: limits.policyBytes)
    }
    // RFC 7515 §7.1: header, payload and signature, nothing less and nothing more.
    let stops = Self.fullStops(in: bytes)
    guard let stops else {
      throw .notThreeSegments(found: bytes.count { $0 == UInt8(ascii: ".") } + 1)
    }
    // RFC 7515 §5.2 steps 2, 6 and 7. The order of the text, so that the first fault is told.
    guard let header = Base64URL.decode(bytes[..<stops.first]) else {
      throw .notBase64URL(.header)
    }
    guard let payload = Base64URL.decode(bytes[(stops.first + 1)..<stops.second]) else {
      throw .notBase64URL(.payload)
    }
    guard let signature = Base64URL.decode(bytes[(stops.second + 1)...]) else {
      throw .notBase64URL(.signature)
    }
    guard header.count <= limits.headerBytes else {
      throw .headerTooLong(bytes: header.count, limit: limits.headerBytes)
    }
    self.bytes = bytes
    signingInputCount = stops.second
    self.header = header
    unverifiedPayload = payload
    self.signature = signature
  }

  /// ASCII(BASE64URL(header) ‖ '.' ‖ BASE64URL(payload)) (RFC 7515 §5.2 step 8), as it was sent.
  package var signingInput: ArraySlice<UInt8> { bytes[..<signingInputCount] }

  /// Where the two full stops are; nil when there are not two.
  private static func fullStops(in bytes: [UInt8]) -> (first: Int, second: Int)? {
    guard let first = offset(in: bytes, from: 0),
      let second = offset(in: bytes, from: first + 1),
      offset(in: bytes, from: second + 1) == nil
    else { return nil }
    return (first, second)
  }

  private static func offset(in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in
      guard start < buffer.count, let base = buffer.baseAddress,
        let found = unsafe memchr(base + start, Int32(UInt8(ascii: ".")), buffer.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}
