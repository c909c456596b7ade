import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import PinCrypto

/// What a private JWK must be (RFC 7517 §4, RFC 7518 §6).
@Suite("private JWKs")
struct KeysJWKTests {
  private static let stock = Result {
    (
      rsa: try PrivateKey.generate(for: .ps256), ec: try PrivateKey.generate(for: .es512),
      other: try PrivateKey.generate(for: .es512)
    )
  }

  enum Kind: Sendable { case rsa, ec }

  private static func members(_ kind: Kind) throws -> [String: Any] {
    let stock = try stock.get()
    let text = try (kind == .rsa ? stock.rsa : stock.ec).jwk()
    return try JSONSerialization.jsonObject(with: Data(text.copied())) as? [String: Any] ?? [:]
  }

  private static func read(_ members: [String: Any]) throws -> PrivateKey {
    try readPrivate([UInt8](try JSONSerialization.data(withJSONObject: members)))
  }

  private static func number(_ name: String, _ kind: Kind) throws -> [UInt8] {
    let text = try #require(try members(kind)[name] as? String)
    return try #require(Base64URL.decode(text))
  }

  @Test("what is written is read")
  func roundTrip() throws {
    for kind in [Kind.rsa, .ec] {
      let stock = try Self.stock.get()
      let key = try Self.read(try Self.members(kind))
      let original = kind == .rsa ? stock.rsa : stock.ec
      #expect(key.publicKey.spkiBytes == original.publicKey.spkiBytes)
      #expect(try Self.members(kind)["kid"] as? String == original.publicKey.thumbprint)
    }
  }

  @Test(
    "every member must be there, a string, and base64url",
    arguments: [
      (Kind.rsa, ["n", "e", "d", "p", "q", "dp", "dq", "qi"]), (.ec, ["x", "y", "d"]),
    ])
  func presence(kind: Kind, names: [String]) throws {
    for name in names {
      var members = try Self.members(kind)
      let text = try #require(members[name] as? String)
      members[name] = nil
      // Without d a key of the curve is public.
      if kind == .ec, name == "d" {
        #expect(throws: KeyError.file(.found(.publicJWK, wanted: .privateKey))) {
          try Self.read(members)
        }
      } else {
        #expect(throws: KeyError.jwk(member: name, .missing)) { try Self.read(members) }
      }
      members[name] = 1
      #expect(throws: KeyError.jwk(member: name, .wrongType)) { try Self.read(members) }
      for bad in [text + "=", text + "\n", "+" + text.dropFirst()] {
        members[name] = bad
        #expect(throws: KeyError.jwk(member: name, .notBase64URL)) { try Self.read(members) }
      }
    }
  }

  @Test("lengths are exact")
  func lengths() throws {
    for name in ["x", "y", "d"] {
      var members = try Self.members(.ec)
      let bytes = try Self.number(name, .ec)
      for wrong in [[0] + bytes, Array(bytes.dropLast()), []] {
        members[name] = Base64URL.text(wrong)
        #expect(throws: KeyError.jwk(member: name, .wrongLength(expectedBytes: 66))) {
          try Self.read(members)
        }
      }
    }
    for name in ["n", "e", "d", "p", "q", "dp", "dq", "qi"] {
      var members = try Self.members(.rsa)
      members[name] = Base64URL.text([0] + (try Self.number(name, .rsa)))
      #expect(throws: KeyError.jwk(member: name, .leadingZeros)) { try Self.read(members) }
      members[name] = ""
      #expect(throws: KeyError.jwk(member: name, .missing)) { try Self.read(members) }
    }
  }

  @Test(
    "the numbers of an RSA key belong together",
    arguments: [
      ("n", "n is not p·q"), ("e", "e·d is not 1 modulo p − 1 and q − 1"),
      ("d", "e·d is not 1 modulo p − 1 and q − 1"), ("p", "n is not p·q"), ("q", "n is not p·q"),
      ("dp", "dp is not d modulo p − 1"), ("dq", "dq is not d modulo q − 1"),
      ("qi", "qi is not the inverse of q modulo p"),
    ])
  func rsaConsistency(name: String, what: String) throws {
    var members = try Self.members(.rsa)
    var bytes = try Self.number(name, .rsa)
    bytes[bytes.count - 1] ^= 2
    members[name] = Base64URL.text(bytes)
    #expect(throws: KeyError.file(.inconsistent(what))) { try Self.read(members) }
    // The same numbers in PKCS#1: the check is not the JWK's.
    let bench = try Workbench()
    try bench.put(try Self.stock.get().rsa.pkcs8PEM(passphrase: nil).copied(), at: "k.pem")
    var der = Data(try bench.run("openssl rsa -in k.pem -traditional -outform DER"))
    let place = try #require(der.range(of: Data(try Self.number(name, .rsa))))
    der[place.upperBound - 1] ^= 2
    #expect(throws: KeyError.file(.inconsistent(what))) { try readPrivate([UInt8](der)) }
  }

  @Test("p and q that are swapped belong together only with all that goes with them")
  func swapped() throws {
    var members = try Self.members(.rsa)
    for (one, other) in [("p", "q"), ("dp", "dq")] {
      let kept = members[one]
      members[one] = members[other]
      members[other] = kept
    }
    #expect(throws: KeyError.file(.inconsistent("qi is not the inverse of q modulo p"))) {
      try Self.read(members)
    }
  }

  @Test("the numbers of an EC key belong together")
  func ecConsistency() throws {
    let what = "d is out of range, or the point is not d times the generator"
    let stock = try Self.stock.get()
    let other = try JSONSerialization.jsonObject(with: Data(try stock.other.jwk().copied()))
    let foreign = try #require((other as? [String: Any])?["d"] as? String)
    let own = try Self.number("d", .ec)
    var altered = own
    altered[65] ^= 1
    let zero = [UInt8](repeating: 0, count: 66)
    let highest = [UInt8](repeating: 0xff, count: 66)
    for text in [foreign] + [altered, zero, highest].map(Base64URL.text) {
      var members = try Self.members(.ec)
      members["d"] = text
      #expect(throws: KeyError.file(.inconsistent(what))) { try Self.read(members) }
    }
    var members = try Self.members(.ec)
    var x = try Self.number("x", .ec)
    x[65] ^= 1
    members["x"] = Base64URL.text(x)
    // libcrypto 3.0 does not say why it can't decode such a point.
    #expect {
      try Self.read(members)
    } throws: { error in
      switch error {
      case KeyError.pointNotOnCurve, KeyError.unreadable: true
      default: false
      }
    }
    // In PKCS#8 the point comes last: that of another key.
    let mine = try stock.ec.pkcs8DER(passphrase: nil).copied()
    let theirs = try stock.other.pkcs8DER(passphrase: nil).copied()
    #expect(throws: KeyError.file(.inconsistent(what))) {
      try readPrivate(Array(mine.dropLast(133) + theirs.suffix(133)))
    }
  }

  @Test(
    "other kinds are refused by the member that says so",
    arguments: [
      (#"{"kty":"oct","k":"AAAA"}"#, "kty", .unsupported), (#"{"d":"AAAA"}"#, "kty", .missing),
      (#"{"kty":1,"d":"AAAA"}"#, "kty", .wrongType), (#"{}"#, "kty", .missing),
      (#"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA","d":"AA"}"#, "crv", .unsupported),
      (#"{"kty":"EC","x":"AA","y":"AA","d":"AA"}"#, "crv", .missing),
      (#"{"kty":"OKP","crv":"X25519","x":"AA"}"#, "crv", .unsupported),
      (#"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, "x", .wrongLength(expectedBytes: 32)),
      (#"{"keys":[]}"#, "keys", .wrongType), (#"{"keys":1}"#, "keys", .wrongType),
    ] as [(String, String, JWKFault)])
  func unsupported(text: String, member: String, fault: JWKFault) {
    #expect(throws: KeyError.jwk(member: member, fault)) { try readPrivate(Array(text.utf8)) }
  }

  @Test("a key of three primes is refused")
  func threePrimes() throws {
    var members = try Self.members(.rsa)
    members["oth"] = [["r": "AA", "d": "AA", "t": "AA"]]
    #expect(throws: KeyError.jwk(member: "oth", .unsupported)) { try Self.read(members) }
    let bench = try Workbench()
    try bench.run(
      "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_primes:3 "
        + "-out k.pem")
    #expect(throws: KeyError.file(.unsupportedRSA)) { try readPrivate(try bench.bytes("k.pem")) }
  }

  @Test("a JWK Set is read whole, and one key is one key")
  func sets() throws {
    let rsa = try Self.members(.rsa)
    let ec = try Self.members(.ec)
    func set(_ keys: [[String: Any]]) throws -> [UInt8] {
      [UInt8](try JSONSerialization.data(withJSONObject: ["keys": keys]))
    }
    let stock = try Self.stock.get()
    #expect(try readPrivate(set([ec])).publicKey.spkiBytes == stock.ec.publicKey.spkiBytes)
    #expect(throws: KeyError.file(.severalKeys(count: 2))) { try readPrivate(set([ec, rsa])) }
    let items = try KeyItem.all(in: SecretBytes(copying: try set([ec, rsa]))) { nil }
    #expect(
      items.map(\.publicKey.spkiBytes)
        == [stock.ec.publicKey.spkiBytes, stock.rsa.publicKey.spkiBytes])
    let unusable = UnusableKey(index: 1, reason: .jwk(member: "kty", .unsupported))
    #expect(throws: KeyError.unusableKeys([unusable])) {
      try readPrivate(set([ec, ["kty": "oct", "k": "AAAA"]]))
    }
    let many = [[String: Any]](repeating: [:], count: KeyLimits.entries + 1)
    #expect(throws: KeyError.file(.tooManyEntries(limit: KeyLimits.entries))) {
      try readPrivate(set(many))
    }
  }

  @Test("a private JWK is not a public one, nor the other way round")
  func roles() throws {
    let stock = try Self.stock.get()
    let secret = try stock.ec.jwk()
    #expect(throws: KeyError.file(.found(.privateJWK, wanted: .publicKey))) {
      try PublicKey(reading: secret)
    }
    let half = JSONWriter.bytes(try #require(stock.ec.publicKey.jwk), order: .asGiven)
    #expect(throws: KeyError.file(.found(.publicJWK, wanted: .privateKey))) {
      try readPrivate(half)
    }
    #expect(
      try PublicKey(reading: SecretBytes(copying: half)).spkiBytes
        == stock.ec.publicKey.spkiBytes)
  }

  @Test("a member that stands twice is refused")
  func duplicates() throws {
    let text = #"{"kty":"EC","kty":"EC","d":"AA"}"#
    #expect {
      try readPrivate(Array(text.utf8))
    } throws: { error in
      guard case KeyError.json(let error) = error else { return false }
      return error.reason == .duplicateMember("kty")
    }
  }

  @Test("public Edwards keys are read and written", arguments: ["ED25519", "ED448"])
  func edwards(kind: String) throws {
    let bench = try Workbench()
    try bench.makeKey(kind, at: "k.pem")
    let spki = try bench.spki(of: "k.pem")
    let key = try PublicKey(reading: SecretBytes(copying: spki))
    let jwk = JSONWriter.bytes(try #require(key.jwk), order: .asGiven)
    #expect(try PublicKey(reading: SecretBytes(copying: jwk)).spkiBytes == spki)
    let pair = try readPrivate(try bench.bytes("k.pem"))
    #expect(throws: KeyError.unfitKind(key.kind)) { try pair.jwk() }
  }
}
