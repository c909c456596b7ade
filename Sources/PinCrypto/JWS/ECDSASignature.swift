/// An ECDSA signature whose numbers are in range: 1 ≤ r, s < n (SEC 1 §4.1.4 step 1).
///
/// libcrypto never sees one that was not read here: what it makes of BER, of negative numbers and
/// of bytes that follow is its business.
package struct ECDSASignature: Equatable, Sendable {
  package enum Fault: Error, Equatable, Sendable {
    /// Not the only DER text (X.690 §10, §8.3.2) of a pair of numbers that are not negative.
    case notDER
    /// Not exactly twice the coordinate length.
    case wrongLength(expected: Int)
    /// r or s is 0, or not below the order of the curve's base point.
    case outOfRange
  }

  package let curve: SignatureAlgorithm.Curve
  /// r‖s, each of the curve's coordinate length.
  package let raw: [UInt8]

  package init(raw: [UInt8], curve: SignatureAlgorithm.Curve) throws(Fault) {
    let half = curve.coordinateBytes
    guard raw.count == 2 * half else { throw .wrongLength(expected: 2 * half) }
    guard Self.isInRange(raw[..<half], curve), Self.isInRange(raw[half...], curve) else {
      throw .outOfRange
    }
    self.raw = raw
    self.curve = curve
  }

  package init(der: [UInt8], curve: SignatureAlgorithm.Curve) throws(Fault) {
    guard let (r, s) = Self.integers(of: der) else { throw .notDER }
    let half = curve.coordinateBytes
    guard r.count <= half, s.count <= half else { throw .outOfRange }
    var raw: [UInt8] = []
    raw.reserveCapacity(2 * half)
    raw.append(contentsOf: repeatElement(0, count: half - r.count))
    raw.append(contentsOf: der[r])
    raw.append(contentsOf: repeatElement(0, count: half - s.count))
    raw.append(contentsOf: der[s])
    try self.init(raw: raw, curve: curve)
  }

  package init(
    _ bytes: [UInt8], encoding: ECDSAEncoding, curve: SignatureAlgorithm.Curve
  ) throws(Fault) {
    switch encoding {
    case .der: try self.init(der: bytes, curve: curve)
    case .jose: try self.init(raw: bytes, curve: curve)
    }
  }

  package func bytes(_ encoding: ECDSAEncoding) -> [UInt8] {
    switch encoding {
    case .der: der
    case .jose: raw
    }
  }

  package var der: [UInt8] {
    let half = curve.coordinateBytes
    return DER.sequence(DER.integer(raw[..<half]), DER.integer(raw[half...]))
  }

  /// Whether the bytes are what `encoding` would write for some numbers, in range or not.
  package static func hasShape(
    of encoding: ECDSAEncoding, _ bytes: [UInt8], _ curve: SignatureAlgorithm.Curve
  ) -> Bool {
    switch encoding {
    case .der: integers(of: bytes) != nil
    case .jose: bytes.count == 2 * curve.coordinateBytes
    }
  }

  // MARK: DER

  /// Where the magnitudes of r and s stand, without leading zeros.
  private static func integers(of der: [UInt8]) -> (r: Range<Int>, s: Range<Int>)? {
    var position = 0
    guard let sequence = content(of: 0x30, in: der, at: &position, end: der.count),
      position == der.count
    else { return nil }
    position = sequence.lowerBound
    guard let r = magnitude(in: der, at: &position, end: sequence.upperBound),
      let s = magnitude(in: der, at: &position, end: sequence.upperBound),
      position == sequence.upperBound
    else { return nil }
    return (r, s)
  }

  /// X.690 §10.1: the length in the fewest bytes. Two numbers of P-521 need 138, so that of the
  /// long form only the one-byte kind can occur.
  private static func content(
    of tag: UInt8, in der: [UInt8], at position: inout Int, end: Int
  ) -> Range<Int>? {
    guard end - position >= 2, der[position] == tag else { return nil }
    var count = Int(der[position + 1])
    position += 2
    if count == 0x81 {
      guard position < end, der[position] >= 0x80 else { return nil }
      count = Int(der[position])
      position += 1
    } else if count >= 0x80 {
      return nil
    }
    guard count <= end - position else { return nil }
    let start = position
    position += count
    return start..<position
  }

  /// X.690 §8.3.2: no byte that could be left out; and no sign bit, for r and s are positive.
  private static func magnitude(
    in der: [UInt8], at position: inout Int, end: Int
  ) -> Range<Int>? {
    guard let number = content(of: 0x02, in: der, at: &position, end: end), !number.isEmpty,
      der[number.lowerBound] < 0x80
    else { return nil }
    guard der[number.lowerBound] == 0 else { return number }
    // Zero itself is one byte; it is out of range, not malformed.
    guard number.count > 1 else { return number }
    guard der[number.lowerBound + 1] >= 0x80 else { return nil }
    return (number.lowerBound + 1)..<number.upperBound
  }

  // MARK: Range

  private static func isInRange(
    _ number: ArraySlice<UInt8>, _ curve: SignatureAlgorithm.Curve
  ) -> Bool {
    number.contains { $0 != 0 } && number.lexicographicallyPrecedes(curve.order)
  }
}

extension SignatureAlgorithm.Curve {
  /// The order n of the base point, big-endian (FIPS 186-4 appendix D.1.2).
  package var order: [UInt8] {
    switch self {
    case .p256: Self.orderP256
    case .p384: Self.orderP384
    case .p521: Self.orderP521
    }
  }

  private static let orderP256: [UInt8] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
  ]

  private static let orderP384: [UInt8] =
    [UInt8](repeating: 0xff, count: 24) + [
      0xc7, 0x63, 0x4d, 0x81, 0xf4, 0x37, 0x2d, 0xdf, 0x58, 0x1a, 0x0d, 0xb2,
      0x48, 0xb0, 0xa7, 0x7a, 0xec, 0xec, 0x19, 0x6a, 0xcc, 0xc5, 0x29, 0x73,
    ]

  private static let orderP521: [UInt8] =
    [0x01] + [UInt8](repeating: 0xff, count: 32) + [
      0xfa, 0x51, 0x86, 0x87, 0x83, 0xbf, 0x2f, 0x96, 0x6b, 0x7f, 0xcc,
      0x01, 0x48, 0xf7, 0x09, 0xa5, 0xd0, 0x3b, 0xb5, 0xc9, 0xb8, 0x89,
      0x9c, 0x47, 0xae, 0xbb, 0x6f, 0xb7, 0x1e, 0x91, 0x38, 0x64, 0x09,
    ]
}
