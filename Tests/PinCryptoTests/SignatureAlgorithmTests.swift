import PinCrypto
import PinPolicy
import Testing

@Suite("signature algorithms")
struct SignatureAlgorithmTests {
  @Test("there are nine, and neither `none` nor HMAC among them")
  func nine() {
    #expect(
      SignatureAlgorithm.allCases.map(\.rawValue) == [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
      ])
  }

  @Test("the registered token is known in both profiles, its a-z form in cnpinning alone")
  func tokens() {
    for algorithm in SignatureAlgorithm.allCases {
      let token = algorithm.rawValue
      let mixed = String(token.prefix(1)) + token.dropFirst().lowercased()
      for profile in Profile.allCases {
        #expect(SignatureAlgorithm(token: token, profile: profile) == algorithm)
        #expect(SignatureAlgorithm(token: mixed, profile: profile) == nil)
      }
      #expect(SignatureAlgorithm(token: token.lowercased(), profile: .standard) == nil)
      #expect(SignatureAlgorithm(token: token.lowercased(), profile: .cnpinning) == algorithm)
    }
  }
}
