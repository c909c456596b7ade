import LoopbackTLS
import PinCrypto
import PinPolicy
import Testing

@Suite("what a client identity sends")
struct ClientIdentityPathTests {
  private let root: TestCertificate
  private let authority: TestCertificate
  private let lower: TestCertificate
  private let leaf: TestCertificate
  private let key: PrivateKey

  init() throws {
    root = try TestCertificate.root("Clients Root")
    authority = try root.issue(.authority("Clients CA"))
    lower = try authority.issue(.authority("Clients CA 2"))
    leaf = try lower.issue(.server("me").with { $0.extendedKeyUsage = "clientAuth" })
    key = try PrivateKey(reading: SecretBytes(copying: leaf.key.pem.utf8)) { nil }
  }

  private func sent(_ given: [TestCertificate]) throws -> [[UInt8]] {
    try ClientIdentity(key: key, certificates: given.map { try $0.read }, at: TestTime.now)
      .certificates.map(\.der)
  }

  @Test("each certificate is followed by its issuer, without the root (RFC 5246 §7.4.2)")
  func order() throws {
    let stranger = try TestCertificate.root("Stranger").issue(.authority("Stranger CA"))
    let expected = [leaf, lower, authority].map(\.der)
    for given in [
      [leaf, lower, authority], [root, stranger, authority, lower, leaf],
      [authority, leaf, root, lower, lower],
    ] {
      #expect(try sent(given) == expected)
    }
    #expect(try sent([leaf, authority]) == [leaf.der])
    // Of one name, the one whose key signed.
    let plain = lower.shape.with { $0.hasKeyIdentifiers = false }
    let other = try authority.issue(plain)
    #expect(try sent([leaf, other, lower, authority]) == expected)
  }

  @Test("times are written as the reader likes")
  func times() throws {
    let error = ClientIdentityError.expired(certificate: "CN = me", notAfter: 60, at: 61)
    #expect(error.message.contains("expired at 60 (seconds since 1970): get"))
    #expect(error.message { "T\($0)" }.contains("expired at T60: get"))
  }
}
