import PinCrypto
import PinPolicy
import Testing

@Suite("fitness of public keys")
struct PublicKeyFitnessTests {
  /// An odd number of this many bits with no property that matters here.
  static func modulus(bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0x5b, count: (bits + 7) / 8)
    bytes[0] = 1 << UInt8((bits - 1) % 8)
    return bytes
  }

  static let exponent: [UInt8] = [1, 0, 1]

  @Test(
    "RSA has 2048 to 8192 bits",
    arguments: [
      (1024, false), (2040, false), (2047, false), (2048, true), (2049, true), (3072, true),
      (4096, true), (8192, true), (8193, false), (16384, false),
    ])
  func size(bits: Int, isFit: Bool) throws {
    let key = try PublicKey(rsaModulus: Self.modulus(bits: bits), exponent: Self.exponent)
    #expect(key.kind == .rsa(bits: bits))
    if isFit {
      try key.checkFitForPolicies()
    } else {
      #expect(throws: KeyError.rsaSize(bits: bits)) { try key.checkFitForPolicies() }
    }
  }

  @Test(
    "the exponent is odd and 65537 to 2^64",
    arguments: [
      ("01", false), ("03", false), ("11", false), ("ffff", false), ("010000", false),
      ("010001", true), ("010002", false), ("010003", true), ("ffffffffffffffff", true),
      ("fffffffffffffffe", false), ("010000000000000000", false), ("010000000000000001", false),
    ])
  func exponent(text: String, isFit: Bool) throws {
    let key = try PublicKey(
      rsaModulus: Self.modulus(bits: 2048), exponent: [UInt8](hex: text))
    if isFit {
      try key.checkFitForPolicies()
    } else {
      #expect(throws: KeyError.rsaExponent) { try key.checkFitForPolicies() }
    }
  }

  @Test("the modulus is odd")
  func evenModulus() throws {
    var modulus = Self.modulus(bits: 2048)
    modulus[255] -= 1
    let key = try PublicKey(rsaModulus: modulus, exponent: Self.exponent)
    #expect(throws: KeyError.rsaModulus) { try key.checkFitForPolicies() }
  }

  @Test("a modulus that is a power of 65537 modulo each small prime has the ROCA fingerprint")
  func roca() throws {
    // 65537^128 itself, big-endian: (2^16 + 1) times, by shifting and adding.
    var power: [UInt8] = [1]
    for _ in 0..<128 {
      var sum = [UInt8](repeating: 0, count: power.count + 3)
      var carry = 0
      for index in 0..<sum.count {
        let low = power.count - 1 - index
        let high = low + 2
        let digit =
          (power.indices.contains(low) ? Int(power[low]) : 0)
          + (power.indices.contains(high) ? Int(power[high]) : 0) + carry
        sum[sum.count - 1 - index] = UInt8(digit & 0xff)
        carry = digit >> 8
      }
      power = Array(sum.drop { $0 == 0 })
    }
    let key = try PublicKey(rsaModulus: power, exponent: Self.exponent)
    #expect(key.kind == .rsa(bits: 2049))
    #expect(throws: KeyError.rocaModulus) { try key.checkFitForPolicies() }
    // The next odd number is none.
    power[power.count - 1] += 2
    try PublicKey(rsaModulus: power, exponent: Self.exponent).checkFitForPolicies()
  }

  @Test("EC keys are on P-256, P-384 and P-521", arguments: SignatureAlgorithm.Curve.allCases)
  func curves(curve: SignatureAlgorithm.Curve) throws {
    let key = try Tokens.key(for: curve.algorithm).publicKey
    #expect(key.kind == .ec(curve))
    #expect(key.supportedAlgorithms == [curve.algorithm])
    try key.checkFitForPolicies()
  }

  @Test(
    "other kinds are held, named and refused",
    arguments: [
      (
        "302a300506032b6570032100450ac8afd7e94588bb08312459bcd4e9d3aa549cddcd1ac0bc2069b4247ca451",
        .unfitKind(.other("Ed25519")), "Ed25519"
      ),
      (
        "3056301006072a8648ce3d020106052b8104000a034200047e9306b38df4820aef7f944c54576f4d588b7cc2"
          + "0acd98aca612191bafa35ce1144546322c07174f3f835d461e3149263f273e33ccee3e35b37c05c6d68540"
          + "aa",
        .unfitKind(.other("EC secp256k1")), "EC secp256k1"
      ),
      // P-256 with all its parameters written out.
      (
        "3082014b3082010306072a8648ce3d02013081f7020101302c06072a8648ce3d0101022100ffffffff000000"
          + "01000000000000000000000000ffffffffffffffffffffffff305b0420ffffffff00000001000000000000"
          + "000000000000fffffffffffffffffffffffc04205ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0"
          + "f63bce3c3e27d2604b031500c49d360886e704936a6678e1139d26b7819f7e900441046b17d1f2e12c4247"
          + "f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33"
          + "576b315ececbb6406837bf51f5022100ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9ca"
          + "c2fc63255102010103420004297b17ed7199a591a0b3ca8977c88769ed3fd3d34bfc724c17b06d15cda132"
          + "190164b9f467de19ef03ad646709a373ab9c8ffde34461f2a708ebd1f15a76555e",
        .explicitCurve, "EC P-256"
      ),
    ] as [(String, KeyError, String)])
  func unfit(spki: String, reason: KeyError, kind: String) throws {
    let key = try PublicKey(trustedDER: [UInt8](hex: spki))
    #expect(key.kind.description == kind)
    #expect(throws: reason) { try key.checkFitForPolicies() }
  }

  @Test("a compressed point is the same key under the same id, with a pin of its own")
  func compressedPoint() throws {
    let key = try Tokens.p256.get().publicKey
    guard case .ec(_, let x, let y) = key.numbers else {
      Issue.record("not an EC key")
      return
    }
    let algorithm = [UInt8](hex: "301306072a8648ce3d020106082a8648ce3d030107")
    let point: [UInt8] = [0x00, 0x02 + y[31] & 1] + x
    let compressed = try PublicKey(
      trustedDER: DER.sequence(algorithm, DER.element(0x03, point)))
    try compressed.checkFitForPolicies()
    #expect(compressed.thumbprint == key.thumbprint)
    #expect(compressed.spkiPin != key.spkiPin)
  }

  @Test("a point is on its curve, and not at infinity")
  func points() throws {
    guard case .ec(let curve, let x, var y) = try Tokens.p256.get().publicKey.numbers else {
      Issue.record("not an EC key")
      return
    }
    y[31] ^= 1
    #expect(throws: KeyError.pointNotOnCurve) { try PublicKey(curve: curve, x: x, y: y) }
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(throws: KeyError.pointNotOnCurve) { try PublicKey(curve: curve, x: zero, y: zero) }
    let algorithm = [UInt8](hex: "301306072a8648ce3d020106082a8648ce3d030107")
    let infinity = DER.sequence(algorithm, DER.element(0x03, [0x00, 0x00]))
    let error = #expect(throws: KeyError.self) {
      try PublicKey(trustedDER: infinity).checkFitForPolicies()
    }
    #expect(error?.category == .key)
  }

  @Test(
    "RSASSA-PSS parameters fit when both digests are the algorithm's and the salt is no longer",
    arguments: [
      (nil, [.ps256, .ps384, .ps512]),
      (Parameters(digest: 1, mask: 1, salt: 32), [.ps256]),
      (Parameters(digest: 2, mask: 2, salt: 48), [.ps384]),
      (Parameters(digest: 3, mask: 3, salt: 64), [.ps512]),
      (Parameters(digest: 1, mask: 1, salt: nil), [.ps256]),  // the default is 20
      (Parameters(digest: 1, mask: 1, salt: 0), [.ps256]),
      (Parameters(digest: 1, mask: 1, salt: 33), []),
      (Parameters(digest: 1, mask: 3, salt: 32), []),
      (Parameters(digest: 1, mask: nil, salt: 32), []),  // the default is MGF1 with SHA-1
      (Parameters(digest: nil, mask: nil, salt: nil), []),
    ] as [(Parameters?, [SignatureAlgorithm])])
  func pssParameters(parameters: Parameters?, algorithms: [SignatureAlgorithm]) throws {
    let key = try PublicKey(
      trustedDER: Self.pssKey(parameters: parameters.map(\.der) ?? []))
    #expect(key.kind == .rsaPSS(bits: 2048))
    #expect(key.supportedAlgorithms == algorithms)
    if algorithms.isEmpty {
      #expect(throws: KeyError.pssParameters) { try key.checkFitForPolicies() }
    } else {
      try key.checkFitForPolicies()
    }
  }

  @Test("a key is the one DER text of what it says")
  func onlyDER() throws {
    // A default that is written out (X.690 §11.5), and a byte behind the numbers.
    let spelledOut = Self.pssKey(parameters: Parameters(digest: 1, mask: 1, salt: 20).der)
    #expect(throws: KeyError.notDER) { try PublicKey(trustedDER: spelledOut) }
    let algorithm = [UInt8](hex: "300d06092a864886f70d0101010500")
    let key = DER.sequence(
      DER.integer(Self.modulus(bits: 2048)), DER.integer(Self.exponent))
    let good = DER.sequence(algorithm, DER.element(0x03, [0] + key))
    try PublicKey(trustedDER: good).checkFitForPolicies()
    let longer = DER.sequence(algorithm, DER.element(0x03, [0] + key + [0]))
    #expect(throws: KeyError.notDER) { try PublicKey(trustedDER: longer) }
    #expect(throws: KeyError.trailingBytes) { try PublicKey(trustedDER: good + [0]) }
    #expect(throws: KeyError.trailingBytes) { try PublicKey(trustedDER: good + good) }
  }

  /// RSASSA-PSS-params (RFC 4055 §3.1); 1, 2, 3 stand for SHA-256, -384, -512, nil for the default.
  struct Parameters {
    let digest: UInt8?
    let mask: UInt8?
    let salt: UInt8?

    var der: [UInt8] {
      func hash(_ number: UInt8) -> [UInt8] {
        DER.sequence([0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, number], [5, 0])
      }
      let mgf1 = [UInt8](hex: "06092a864886f70d010108")
      return DER.sequence(
        digest.map { DER.element(0xa0, hash($0)) } ?? [],
        mask.map { DER.element(0xa1, DER.sequence(mgf1, hash($0))) } ?? [],
        salt.map { DER.element(0xa2, DER.integer([$0])) } ?? [])
    }
  }

  static func pssKey(parameters: [UInt8]) -> [UInt8] {
    let identifier = [UInt8](hex: "06092a864886f70d01010a")
    let key = DER.sequence(DER.integer(modulus(bits: 2048)), DER.integer(exponent))
    return DER.sequence(
      DER.sequence(identifier, parameters), DER.element(0x03, [0] + key))
  }

  @Test(
    "the thumbprint is RFC 7638's, its own example",
    arguments: [
      (
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECP"
          + "ebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2Q"
          + "vzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQF"
          + "h6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
        "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
      )
    ])
  func thumbprint(modulus: String, thumbprint: String) throws {
    let key = try PublicKey(
      rsaModulus: #require(Base64URL.decode(modulus)), exponent: Self.exponent)
    #expect(key.thumbprint == thumbprint)
  }
}
