import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import TestSupport
import Testing

@Suite("certificates")
struct CertificateTests {
  @Test("an extension stands once in it (RFC 5280 §4.2), and there are not more than allowed")
  func extensions() throws {
    func made(_ extensions: [String]) throws -> TestCertificate {
      var shape = CertificateShape(commonNames: ["Extended"])
      shape.hasKeyIdentifiers = false
      shape.extensions = extensions.map { .init($0, "DER:0500") }
      return try TestCertificate.selfSigned(shape)
    }
    let numbered = (1...65).map { "1.2.3.\($0)" }
    #expect(try made(Array(numbered.prefix(64))).read.commonName.readable == "Extended")
    #expect(throws: CertificateError.tooManyExtensions(index: 0, limit: 64)) {
      try made(numbered).read
    }
    for places in [["1.2.3", "1.2.3"], ["1.2.3", "1.2.4", "1.2.3"], ["1.2.4", "1.2.3", "1.2.3"]] {
      #expect(throws: CertificateError.duplicateExtension(index: 0)) { try made(places).read }
    }
    // Nothing is compared where there is too much: these were a minute of somebody's processor.
    #expect(throws: CertificateError.tooManyExtensions(index: 0, limit: 64)) {
      try made((1...3000).map { "1.2.3.\($0)" }).read
    }
  }

  @Test("what is read for people is what openssl reads")
  func fields() throws {
    let openssl = try #require(ChildProcess.find("openssl"))
    let folder = try TemporaryFolder()
    let authority = try TestCertificate.root("Fields CA")
    let leaf = try authority.issue(
      .server("a.test", "192.0.2.7", "2001:db8::1").with {
        $0.hosts = []
        $0.extensions = [
          .init(
            "subjectAltName",
            "DNS:a.test,IP:192.0.2.7,IP:2001:db8::1,URI:spiffe://a.test/x,email:a@a.test,RID:1.2.3")
        ]
      })
    try leaf.pem.write(to: folder.file("leaf.pem"), atomically: true, encoding: .utf8)
    let text = try ChildProcess.run(
      openssl,
      [
        "x509", "-in", "leaf.pem", "-noout", "-serial", "-ext",
        "subjectKeyIdentifier,authorityKeyIdentifier",
      ], in: folder.url
    ).outputText
    func hexadecimal(_ bytes: [UInt8]?, _ separator: String) -> String {
      (bytes ?? []).map { (String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)).uppercased() }
        .joined(separator: separator)
    }
    let read = try leaf.read
    #expect(text.contains("serial=\(read.serial)\n"))
    #expect(read.subjectKeyIdentifier?.count == 20)
    #expect(
      text.contains("Subject Key Identifier: \n    \(hexadecimal(read.subjectKeyIdentifier, ":"))"))
    #expect(read.authorityKeyIdentifier == (try authority.read.subjectKeyIdentifier))
    #expect(text.contains(hexadecimal(read.authorityKeyIdentifier, ":")))
    #expect(
      read.alternativeNames == [
        "a.test", "192.0.2.7", "2001:0db8:0000:0000:0000:0000:0000:0001", "spiffe://a.test/x",
        "a@a.test",
      ])
  }
}
