import PinCrypto
import PinPolicy
import Testing

@Suite("compact JWS")
struct CompactJWSTests {
  @Test(
    "refuses what is not three segments of base64url",
    arguments: [
      ("", .notThreeSegments(found: 1)),
      ("e30", .notThreeSegments(found: 1)),
      (#"{"payload":"e30"}"#, .notThreeSegments(found: 1)),
      ("e30.e30", .notThreeSegments(found: 2)),
      ("e30.e30.e30.e30", .notThreeSegments(found: 4)),
      ("e30.e30.e30.", .notThreeSegments(found: 4)),
      ("e30.e30.e30.e30.e30", .notThreeSegments(found: 5)),
      ("e30。e30。e30", .notThreeSegments(found: 1)),
      ("e3=.e30.e30", .notBase64URL(.header)),
      ("e31.e30.e30", .notBase64URL(.header)),
      (" e30.e30.e30", .notBase64URL(.header)),
      ("e30.e30=.e30", .notBase64URL(.payload)),
      ("e30.e/0.e30", .notBase64URL(.payload)),
      ("e30.e3.e30", .notBase64URL(.payload)),
      ("e30.e30.e+0", .notBase64URL(.signature)),
      ("e30.e30.e30\n", .notBase64URL(.signature)),
      ("e30.e30.e30\r\n", .notBase64URL(.signature)),
      ("e30.e30.e30 ", .notBase64URL(.signature)),
      ("e30.e30.e30\u{0}", .notBase64URL(.signature)),
      ("e30.e30.e3\n0", .notBase64URL(.signature)),
      ("!.!.!", .notBase64URL(.header)),
    ] as [(String, JWSError)])
  func refusal(text: String, reason: JWSError) {
    #expect(throws: reason) { try CompactJWS(Array(text.utf8)) }
  }

  @Test(
    "a segment may be empty: later steps judge what it should hold", arguments: ["..", "e30.."])
  func emptySegments(text: String) throws {
    let message = try CompactJWS(Array(text.utf8))
    #expect(message.unverifiedPayload.isEmpty)
    #expect(message.signature.isEmpty)
  }

  @Test("the signing input is the text up to the second full stop, as it was sent")
  func signingInput() throws {
    let message = try CompactJWS(Array("e30.W10.AQI".utf8))
    #expect(Array(message.signingInput) == Array("e30.W10".utf8))
    #expect(message.header == Array("{}".utf8))
    #expect(message.unverifiedPayload == Array("[]".utf8))
    #expect(message.signature == [1, 2])
  }

  @Test("the size is judged before anything else")
  func size() throws {
    var limits = Limits.standard
    limits.policyBytes = 11
    #expect(try CompactJWS(Array("e30.e30.e30".utf8), limits: limits).signature.count == 2)
    for text in ["e30.e30.e30A", "!!!!!!!!!!!!"] {
      #expect(throws: JWSError.tooLong(bytes: 12, limit: 11)) {
        try CompactJWS(Array(text.utf8), limits: limits)
      }
    }
  }

  @Test("a header has at most its limit of bytes, decoded")
  func headerSize() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: 4096)
    let tail = [UInt8]("..".utf8)
    #expect(try CompactJWS(Base64URL.encode(bytes) + tail).header.count == 4096)
    #expect(throws: JWSError.headerTooLong(bytes: 4097, limit: 4096)) {
      try CompactJWS(Base64URL.encode(bytes + [0x20]) + tail)
    }
  }
}
