import PinCrypto
import Testing

@Suite("ECDSA signatures")
struct ECDSASignatureTests {
  typealias Curve = SignatureAlgorithm.Curve

  @Test(
    "DER is read strictly, before libcrypto sees it",
    arguments: [
      ("30 06 02 01 01 02 01 01", nil),
      ("", .notDER),
      ("30", .notDER),
      ("30 00", .notDER),
      ("31 06 02 01 01 02 01 01", .notDER),  // SET
      ("10 06 02 01 01 02 01 01", .notDER),  // SEQUENCE as a primitive
      ("30 06 02 01 01 02 01 01 00", .notDER),  // a byte after
      ("30 07 02 01 01 02 01 01 00", .notDER),  // a byte after s, inside
      ("30 07 02 01 01 02 01 01", .notDER),  // one byte short
      ("30 05 02 01 01 02 01 01", .notDER),  // one byte long
      ("30 81 06 02 01 01 02 01 01", .notDER),  // long form where the short one fits
      ("30 82 00 06 02 01 01 02 01 01", .notDER),
      ("30 80 02 01 01 02 01 01 00 00", .notDER),  // indefinite
      ("30 89 01 00 00 00 00 00 00 00 06 02 01 01 02 01 01", .notDER),
      ("30 ff", .notDER),
      ("30 03 02 01 01", .notDER),  // r alone
      ("30 09 02 01 01 02 01 01 02 01 01", .notDER),  // three numbers
      ("30 05 02 00 02 01 01", .notDER),  // no bytes
      ("30 05 02 01 01 02 00", .notDER),
      ("30 06 03 01 01 02 01 01", .notDER),  // BIT STRING
      ("30 06 22 01 01 02 01 01", .notDER),  // INTEGER as a constructed one
      ("30 07 02 81 01 01 02 01 01", .notDER),
      ("30 07 02 02 00 01 02 01 01", .notDER),  // a zero that could be left out
      ("30 07 02 01 01 02 02 00 7f", .notDER),
      ("30 06 02 01 81 02 01 01", .notDER),  // negative
      ("30 06 02 01 01 02 01 ff", .notDER),
      ("30 07 02 02 00 80 02 01 01", nil),  // the zero that keeps 128 from being negative
      ("30 06 02 01 00 02 01 01", .outOfRange),
      ("30 06 02 01 01 02 01 00", .outOfRange),
      ("30 06 02 01 00 02 01 00", .outOfRange),
      ("30 06 02 05 01 02 01 01", .notDER),  // r runs over s
    ] as [(String, ECDSASignature.Fault?)])
  func strictness(text: String, fault: ECDSASignature.Fault?) throws {
    let bytes = [UInt8](hex: text.filter { $0 != " " })
    for curve in Curve.allCases {
      if let fault {
        #expect(throws: fault) { try ECDSASignature(der: bytes, curve: curve) }
      } else {
        #expect(try ECDSASignature(der: bytes, curve: curve).der == bytes)
      }
    }
  }

  @Test("r and s are 1 to n - 1, in either form", arguments: Curve.allCases)
  func range(curve: Curve) throws {
    let half = curve.coordinateBytes
    let zero = [UInt8](repeating: 0, count: half)
    let one = Array(zero.dropLast()) + [1]
    let order = curve.order
    var last = order
    last[half - 1] -= 1
    let top = [UInt8](repeating: 0xff, count: half)
    #expect(order.count == half)
    for good in [one, last] {
      for raw in [good + one, one + good] {
        let signature = try ECDSASignature(raw: raw, curve: curve)
        #expect(signature.raw == raw)
        #expect(try ECDSASignature(der: signature.der, curve: curve) == signature)
      }
    }
    for bad in [zero, order, top] {
      for (r, s) in [(bad, one), (one, bad), (bad, bad)] {
        #expect(throws: ECDSASignature.Fault.outOfRange) {
          try ECDSASignature(raw: r + s, curve: curve)
        }
        #expect(throws: ECDSASignature.Fault.outOfRange) {
          try ECDSASignature(der: DER.sequence(DER.integer(r), DER.integer(s)), curve: curve)
        }
      }
    }
    // One byte more than a coordinate: r + 256^n.
    let wide = DER.sequence(DER.integer([1] + zero), DER.integer(one))
    #expect(throws: ECDSASignature.Fault.outOfRange) {
      try ECDSASignature(der: wide, curve: curve)
    }
  }

  @Test("the raw form has exactly twice the coordinate's length", arguments: Curve.allCases)
  func rawLength(curve: Curve) {
    for count in [0, 1, 2 * curve.coordinateBytes - 1, 2 * curve.coordinateBytes + 1, 1000] {
      #expect(
        throws: ECDSASignature.Fault.wrongLength(expected: 2 * curve.coordinateBytes)
      ) { try ECDSASignature(raw: [UInt8](repeating: 1, count: count), curve: curve) }
    }
  }

  @Test("P-521 needs a length in the long form, and only its minimal kind is taken")
  func longForm() throws {
    let half = [UInt8](repeating: 0x01, count: 66)
    let der = try ECDSASignature(raw: half + half, curve: .p521).der
    #expect(der.prefix(3) == [0x30, 0x81, 0x88])
    #expect(throws: ECDSASignature.Fault.notDER) {
      try ECDSASignature(der: [0x30, 0x82, 0x00, 0x88] + der[3...], curve: .p521)
    }
  }

  @Test("a real signature survives both conversions", arguments: Curve.allCases)
  func conversion(curve: Curve) throws {
    let key = try Tokens.key(for: curve.algorithm)
    for index in 0..<20 {
      let input = [UInt8(index)]
      let der = try key.sign(input, algorithm: curve.algorithm)
      let raw = try ECDSASignature(der: der, curve: curve).raw
      #expect(raw.count == 2 * curve.coordinateBytes)
      #expect(try ECDSASignature(raw: raw, curve: curve).der == der)
      try key.publicKey.verify(raw, over: input, algorithm: curve.algorithm, ecdsa: .jose)
    }
  }
}
