import PinCrypto
import PinPolicy
import StrictJSON
import Testing

@Suite("JWS verifier")
struct JWSVerifierTests {
  static let all = Set(Profile.allCases)

  static func header(
    _ profile: Profile = .standard, alg: String = "ES256", kid: String? = nil
  ) -> String {
    let kid = kid.map { #","kid":"\#($0)""# } ?? ""
    return #"{"alg":"\#(alg)"\#(kid),"typ":"\#(profile.type)"}"#
  }

  @Test("accepts what each key signed, and says who, how and what", arguments: Profile.allCases)
  func accepts(profile: Profile) throws {
    for algorithm in SignatureAlgorithm.allCases {
      let key = try Tokens.key(for: algorithm)
      let identifier = Tokens.thumbprint(key)
      let trusted = try TrustedKeys([
        TrustedKey(key.publicKey, algorithms: [algorithm], profile: profile, issuedBefore: 5)
      ])
      let message = try Tokens.message(
        header: Self.header(profile, alg: algorithm.rawValue, kid: identifier), key: key,
        algorithm: algorithm)
      let verifier = JWSVerifier(trustedKeys: trusted, profiles: [profile])
      let payload = try verifier.verify(message)
      #expect(payload.bytes == Tokens.payload)
      #expect(payload.profile == profile)
      #expect(payload.algorithm == algorithm.rawValue)
      #expect(payload.keyIdentifier == identifier)
      #expect(payload.issuedBefore == 5)
    }
  }

  @Test("profile standard: kid must name a trusted key, and that key alone may have signed")
  func standardKid() throws {
    let key = try Tokens.p256.get()
    let other = try Tokens.otherP256.get()
    let p384 = try Tokens.p384.get()
    let identifier = Tokens.thumbprint(key)
    let trusted = try Tokens.trusting(key, p384)
    let both = try Tokens.trusting(key, other)
    let rows: [(TrustedKeys, String?, JWSError?)] = [
      (trusted, identifier, nil),
      (trusted, nil, .missingKeyIdentifier(trusted: trusted.identifiers)),
      (trusted, "", .unknownKeyIdentifier("", trusted: trusted.identifiers)),
      (
        trusted, String(identifier.dropLast()),
        .unknownKeyIdentifier(String(identifier.dropLast()), trusted: trusted.identifiers)
      ),
      (
        trusted, identifier + "=",
        .unknownKeyIdentifier(identifier + "=", trusted: trusted.identifiers)
      ),
      (
        trusted, Tokens.thumbprint(other),
        .unknownKeyIdentifier(Tokens.thumbprint(other), trusted: trusted.identifiers)
      ),
      (
        trusted, Tokens.thumbprint(p384),
        .keyNotForAlgorithm(Tokens.thumbprint(p384), .es256, allowed: [.es384])
      ),
      (both, Tokens.thumbprint(other), .badSignature(keys: [Tokens.thumbprint(other)])),
    ]
    for (keys, kid, reason) in rows {
      let message = try Tokens.message(header: Self.header(kid: kid), key: key)
      let verifier = JWSVerifier(trustedKeys: keys)
      if let reason {
        #expect(throws: reason) { try verifier.verify(message) }
      } else {
        #expect(try verifier.verify(message).keyIdentifier == identifier)
      }
    }
  }

  @Test("profile cnpinning: kid is a hint, but one that names a key binds")
  func cnpinningKid() throws {
    let key = try Tokens.p256.get()
    let other = try Tokens.otherP256.get()
    let p384 = try Tokens.p384.get()
    let identifier = Tokens.thumbprint(key)
    let keys = try Tokens.trusting(other, p384, key)
    let rows: [(TrustedKeys, String?, JWSError?)] = [
      (keys, nil, nil), (keys, "", nil), (keys, "unknown", nil), (keys, identifier, nil),
      (keys, Tokens.thumbprint(other), .badSignature(keys: [Tokens.thumbprint(other)])),
      (
        keys, Tokens.thumbprint(p384),
        .keyNotForAlgorithm(Tokens.thumbprint(p384), .es256, allowed: [.es384])
      ),
      (try Tokens.trusting(p384), nil, .noKey(.es256, .cnpinning)),
      (try Tokens.trusting(other), nil, .badSignature(keys: [Tokens.thumbprint(other)])),
    ]
    for (keys, kid, reason) in rows {
      let message = try Tokens.message(header: Self.header(.cnpinning, kid: kid), key: key)
      let verifier = JWSVerifier(trustedKeys: keys, profiles: [.cnpinning])
      if let reason {
        #expect(throws: reason) { try verifier.verify(message) }
      } else {
        #expect(try verifier.verify(message).keyIdentifier == identifier)
      }
    }
  }

  @Test("kid is compared byte for byte")
  func identifierBytes() throws {
    // KELVIN SIGN is no K, though Swift's strings are equal.
    let key = try Tokens.p256.get()
    let jwk = try JWKTests.jwk(key.publicKey, ["kid": .string("K")])
    let trusted = try TrustedKeys([TrustedKey(jwk: jwk)])
    let message = try Tokens.message(header: Self.header(kid: "\u{212A}"), key: key)
    #expect(
      throws: JWSError.unknownKeyIdentifier("\u{212A}", trusted: trusted.identifiers)
    ) {
      try JWSVerifier(trustedKeys: trusted).verify(message)
    }
  }

  @Test("a JWK's kid names its key too, and the thumbprint is what is told")
  func alias() throws {
    let key = try Tokens.p256.get()
    let jwk = try JWKTests.jwk(key.publicKey, ["kid": .string("release-key")])
    let verifier = JWSVerifier(trustedKeys: try TrustedKeys([TrustedKey(jwk: jwk)]))
    for kid in ["release-key", Tokens.thumbprint(key)] {
      let message = try Tokens.message(header: Self.header(kid: kid), key: key)
      #expect(try verifier.verify(message).keyIdentifier == Tokens.thumbprint(key))
    }
  }

  @Test("a key that is bound to one profile signs no other")
  func boundProfile() throws {
    let key = try Tokens.p256.get()
    let identifier = Tokens.thumbprint(key)
    for (profile, other) in [(Profile.standard, Profile.cnpinning), (.cnpinning, .standard)] {
      let keys = try TrustedKeys([TrustedKey(key.publicKey, profile: other)])
      let verifier = JWSVerifier(trustedKeys: keys, profiles: Self.all)
      #expect(throws: JWSError.keyNotForProfile(identifier, profile)) {
        try verifier.verify(
          Tokens.message(header: Self.header(profile, kid: identifier), key: key))
      }
    }
    let keys = try TrustedKeys([TrustedKey(key.publicKey, profile: .standard)])
    #expect(throws: JWSError.noKey(.es256, .cnpinning)) {
      try JWSVerifier(trustedKeys: keys, profiles: Self.all).verify(
        Tokens.message(header: Self.header(.cnpinning), key: key))
    }
  }

  @Test("an RSA key does what it was stated for, and no more")
  func boundAlgorithm() throws {
    let key = try Tokens.rsa.get()
    let identifier = Tokens.thumbprint(key)
    let verifier = JWSVerifier(trustedKeys: try Tokens.trusting(key, algorithms: [.ps256]))
    for algorithm in [SignatureAlgorithm.rs256, .ps384] {
      #expect(
        throws: JWSError.keyNotForAlgorithm(identifier, algorithm, allowed: [.ps256])
      ) {
        try verifier.verify(
          Tokens.message(
            header: Self.header(alg: algorithm.rawValue, kid: identifier), key: key,
            algorithm: algorithm))
      }
    }
  }

  @Test("the steps are taken in order: a message with all faults is told its first")
  func order() throws {
    let key = try Tokens.p256.get()
    var limits = Limits.standard
    limits.policyBytes = 400
    let verifier = JWSVerifier(
      trustedKeys: try Tokens.trusting(key), profiles: [.standard], limits: limits)
    let header = Base64URL.text(#"{"alg":"HS256","typ":"JWT"}"#.utf8)
    let noKid = Base64URL.text(Self.header().utf8)
    let signed = Base64URL.text(Self.header(kid: Tokens.thumbprint(key)).utf8)
    let rows: [(String, JWSError)] = [
      (
        String(repeating: "!", count: 401), .tooLong(bytes: 401, limit: 400)
      ),
      ("\(header).=", .notThreeSegments(found: 2)),
      ("\(header).=.", .notBase64URL(.payload)),
      ("\(header).W10.", .profileNotAccepted(.cnpinning)),
      ("\(noKid).W10.", .missingKeyIdentifier(trusted: verifier.trustedKeys.identifiers)),
      ("\(signed).W10.", .emptySignature),
      ("\(signed).W10.AAAA", .notDER),
    ]
    for (text, reason) in rows {
      #expect(throws: reason) { try verifier.verify(Array(text.utf8)) }
    }
  }

  @Test("one bit anywhere makes it another message")
  func bitFlips() throws {
    let key = try Tokens.p256.get()
    let verifier = JWSVerifier(trustedKeys: try Tokens.trusting(key))
    let message = try Tokens.message(
      header: Self.header(kid: Tokens.thumbprint(key)), key: key)
    #expect(throws: Never.self) { try verifier.verify(message) }
    for index in message.indices {
      for bit in [UInt8(1), 4, 32] {
        var other = message
        other[index] ^= bit
        #expect(throws: JWSError.self) { try verifier.verify(other) }
      }
    }
  }

  // MARK: Signatures

  @Test(
    "DER and raw signatures are told apart by what the verifier expects, never guessed",
    arguments: SignatureAlgorithm.Curve.allCases)
  func encodings(curve: SignatureAlgorithm.Curve) throws {
    let algorithm = curve.algorithm
    let key = try Tokens.key(for: algorithm)
    let trusted = try Tokens.trusting(key)
    let input =
      Base64URL.encode(
        Self.header(alg: algorithm.rawValue, kid: Tokens.thumbprint(key)).utf8) + [0x2e]
    let der = try key.sign(input, algorithm: algorithm)
    let raw = try ECDSASignature(der: der, curve: curve).raw
    let half = curve.coordinateBytes
    let rows: [(ECDSAEncoding, [UInt8], JWSError?)] = [
      (.der, der, nil), (.jose, raw, nil),
      (.der, raw, .otherECDSAEncoding(.jose)), (.jose, der, .otherECDSAEncoding(.der)),
      (.der, der + [0], .notDER), (.der, raw.dropLast(), .notDER),
      (.jose, raw.dropLast(), .notRaw(expectedBytes: 2 * half)),
      (.jose, raw + [0], .notRaw(expectedBytes: 2 * half)),
      (.jose, [UInt8](repeating: 0, count: 2 * half), .numberOutOfRange),
      (.der, DER.sequence(DER.integer([0]), DER.integer([1])), .numberOutOfRange),
      (
        .der, DER.sequence(DER.integer([1]), DER.integer([1])),
        .badSignature(keys: [Tokens.thumbprint(key)])
      ),
      (.jose, Array(raw[half...] + raw[..<half]), .badSignature(keys: [Tokens.thumbprint(key)])),
      (.der, [], .emptySignature), (.jose, [], .emptySignature),
    ]
    for (encoding, signature, reason) in rows {
      let message = input + [0x2e] + Base64URL.encode(signature)
      let verifier = JWSVerifier(trustedKeys: trusted, ecdsa: encoding)
      if let reason {
        #expect(throws: reason, "\(encoding) \(signature)") { try verifier.verify(message) }
        if case .otherECDSAEncoding(let other) = reason {
          #expect(reason.message.contains("--ecdsa \(other.rawValue)"))
        }
      } else {
        // The signing input has an empty payload.
        #expect(try verifier.verify(message).bytes.isEmpty)
      }
    }
  }

  @Test("a 2n-byte signature that is DER as well and does not verify gets the hint too")
  func bothShapes() throws {
    let key = try Tokens.p256.get()
    // 30 3e 02 1d … 02 1d …: 64 bytes.
    let number = [UInt8](repeating: 0x11, count: 29)
    let signature = DER.sequence(DER.integer(number), DER.integer(number))
    #expect(signature.count == 64)
    for (expected, other) in [(ECDSAEncoding.der, ECDSAEncoding.jose), (.jose, .der)] {
      #expect(throws: JWSError.otherECDSAEncoding(other)) {
        try JWSVerifier(trustedKeys: Tokens.trusting(key), ecdsa: expected).verify(
          Base64URL.encode(Self.header(kid: Tokens.thumbprint(key)).utf8) + [0x2e, 0x2e]
            + Base64URL.encode(signature))
      }
    }
  }

  @Test("RSA signatures of a wrong scheme, digest, length or salt do not verify")
  func rsa() throws {
    let key = try Tokens.rsa.get()
    let identifier = Tokens.thumbprint(key)
    let input = [UInt8]("input".utf8)
    let reason = JWSError.badSignature(keys: [identifier])
    for signer in SignatureAlgorithm.allCases where signer.scheme == .pkcs1 || signer.scheme == .pss
    {
      let signature = try key.sign(input, algorithm: signer)
      for algorithm in key.publicKey.supportedAlgorithms {
        if algorithm == signer {
          try key.publicKey.verify(signature, over: input, algorithm: algorithm)
        } else {
          #expect(throws: reason, "\(signer) as \(algorithm)") {
            try key.publicKey.verify(signature, over: input, algorithm: algorithm)
          }
        }
      }
      for wrong in [signature + [0], [0] + signature, Array(signature.dropLast()), [1]] {
        #expect(throws: reason) {
          try key.publicKey.verify(wrong, over: input, algorithm: signer)
        }
      }
    }
  }

  @Test("a key does what its type and curve allow, whatever is asked of it")
  func impossible() throws {
    let key = try Tokens.p256.get().publicKey
    for algorithm in SignatureAlgorithm.allCases where algorithm != .es256 {
      #expect(
        throws: JWSError.keyNotForAlgorithm(
          key.thumbprint ?? "", algorithm, allowed: [.es256])
      ) { try key.verify([1], over: [], algorithm: algorithm) }
    }
  }

  @Test("from many threads at once each message gets its own verdict")
  func concurrency() async throws {
    let keys = try [Tokens.p256, Tokens.p384, Tokens.p521, Tokens.rsa].map { try $0.get() }
    let trusted = try TrustedKeys(
      keys.map { try TrustedKey($0.publicKey, algorithms: SignatureAlgorithm.allCases) })
    let verifier = JWSVerifier(trustedKeys: trusted, profiles: Self.all)
    let messages = try SignatureAlgorithm.allCases.map { algorithm in
      let key = try Tokens.key(for: algorithm)
      return try Tokens.message(
        header: Self.header(alg: algorithm.rawValue, kid: Tokens.thumbprint(key)),
        payload: Array(algorithm.rawValue.utf8), key: key, algorithm: algorithm)
    }
    let wrong = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var wrong = 0
          for round in 0..<90 {
            var message = messages[(task + round) % messages.count]
            let isAltered = round % 3 == 0
            if isAltered { message[message.count - 20] ^= 1 }
            let payload = try? verifier.verify(message)
            if (payload == nil) != isAltered { wrong += 1 }
            if let payload, payload.bytes != Array(payload.algorithm.utf8) { wrong += 1 }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }
}
