import PinPolicy
import Testing

@Suite("What is signed")
struct EncodingTests {
  private static let pin = Payload.pin
  private static let other = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

  private static func encoded(
    _ text: String, profile: Profile = .standard, keepNotes: Bool = false
  ) throws -> String {
    let bytes = try Payload.decode(text, profile: profile).payloadBytes(keepNotes: keepNotes)
    // What is written must read as what it was written from.
    let again = try UnverifiedPolicy(decoding: bytes, profile: profile)
    #expect(again.policy.payloadBytes(keepNotes: keepNotes) == bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("members are sorted, white space and defaults are left out")
  func canonical() throws {
    #expect(
      try Self.encoded(
        """
        { "hosts": { "*": {"mode": "exempt"},
            "B.example": {"mode": "enforce", "includesSubdomains": false, "require": "all",
                          "spki": {"leaf": ["\(Self.pin)"], "any": ["\(Self.other)"]}} },
          "exp": 2, "version": 1, "iat": 1, "aud": "\\u0061" }
        """)
        == "{\"aud\":\"a\",\"exp\":2,\"hosts\":{\"*\":{\"mode\":\"exempt\"},"
        + "\"b.example\":{\"spki\":{\"any\":[\"\(Self.other)\"],\"leaf\":[\"\(Self.pin)\"]}}},"
        + "\"iat\":1,\"version\":1}")
  }

  @Test("everything that is said is written, lists keep order and repeats")
  func everything() throws {
    let lists = "[\"\(Self.pin)\",\"\(Self.other)\",\"\(Self.pin)\"]"
    let text =
      "{\"aud\":\"a\",\"denied\":\(lists),\"exp\":2,\"hosts\":{\"h\":{"
      + "\"chains\":[[{\"type\":\"suffix\",\"value\":\"é\\\"\"},{\"type\":\"any\"},"
      + "{\"type\":\"prefixWithNumber\",\"value\":\"R\"}],"
      + "[{\"type\":\"exact\",\"value\":\"a\"}],[{\"type\":\"exact\",\"value\":\"a\"}],"
      + "[{\"type\":\"prefix\",\"value\":\"/\"}]],"
      + "\"includesSubdomains\":true,\"mode\":\"report\",\"require\":\"any\","
      + "\"spki\":{\"anchor\":\(lists),\"any\":\(lists),\"ca\":\(lists),\"leaf\":\(lists)}}},"
      + "\"iat\":1,\"iss\":\"i\",\"refreshHint\":60,"
      + "\"reportTo\":[\"https://b\",\"https://a\"],\"version\":1}"
    #expect(try Self.encoded(text) == text)
  }

  @Test("notes are written only when they are kept")
  func notes() throws {
    let text = Payload.rule("\"mode\": \"exempt\", \"note\": \"why\"")
    #expect(try !Self.encoded(text).contains("note"))
    #expect(
      try Self.encoded(text, keepNotes: true).contains("{\"mode\":\"exempt\",\"note\":\"why\"}"))
  }

  @Test("profile cnpinning writes hosts beside the claims, and every type")
  func cnpinning() throws {
    #expect(
      try Self.encoded(
        Payload.cnpinning("\"Z\": [[{\"value\": \"a\"}]], \"*\": [\(Payload.chain)]"),
        profile: .cnpinning, keepNotes: true)
        == "{\"*\":[[{\"type\":\"exact\",\"value\":\"CA\"}]],\"exp\":2,\"iat\":1,"
        + "\"z\":[[{\"type\":\"exact\",\"value\":\"a\"}]]}")
  }
}
