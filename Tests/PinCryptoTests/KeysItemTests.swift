import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// What `pin`, `key show` and `key id` read: every key and request of a file.
@Suite("key items")
struct KeysItemTests {
  private func all(_ bytes: [UInt8], _ passphrase: String? = nil) throws -> [KeyItem] {
    try KeyItem.all(in: SecretBytes(copying: bytes)) { passphrase.map { SecretBytes($0) } }
  }

  @Test(
    "public keys of every kind, in PEM and DER, with the pin that openssl computes",
    arguments: [
      ("EC -pkeyopt ec_paramgen_curve:P-256", "EC P-256"),
      ("EC -pkeyopt ec_paramgen_curve:P-384", "EC P-384"),
      ("EC -pkeyopt ec_paramgen_curve:P-521", "EC P-521"),
      ("EC -pkeyopt ec_paramgen_curve:secp256k1", "EC secp256k1"),
      ("EC -pkeyopt ec_paramgen_curve:brainpoolP256r1", "EC brainpoolP256r1"),
      ("RSA -pkeyopt rsa_keygen_bits:1024", "RSA 1024"),
      ("RSA -pkeyopt rsa_keygen_bits:2048", "RSA 2048"),
      ("RSA-PSS -pkeyopt rsa_keygen_bits:2048", "RSASSA-PSS 2048"), ("ED25519", "Ed25519"),
      ("ED448", "Ed448"), ("X25519", "X25519"),
    ])
  func publicKeys(options: String, kind: String) throws {
    let bench = try Workbench()
    try bench.run("openssl genpkey -algorithm \(options) -out k.pem")
    let der = try bench.spki(of: "k.pem")
    try bench.put(der, at: "p.der")
    let digest = try bench.run("openssl dgst -sha256 -binary p.der")
    let pin = "sha256/" + Data(digest).base64EncodedString()
    for bytes in [der, try bench.run("openssl pkey -in k.pem -pubout")] {
      let items = try all(bytes)
      #expect(items.count == 1)
      let key = try #require(items.first?.publicKey)
      #expect(key.kind.description == kind)
      #expect(key.spkiBytes == der)
      #expect(key.spkiPin.description == pin)
    }
  }

  @Test("requests in PEM and DER give the key's bytes as they stand, and the names")
  func requests() throws {
    let bench = try Workbench()
    try bench.makeKey("P-256", at: "k.pem")
    let spki = try bench.spki(of: "k.pem")
    for (subject, names) in [
      ("/CN=www.example.com", ["www.example.com"]), ("/O=x", []), ("/CN=a/O=x/CN=b", ["a", "b"]),
      ("/CN=Zür\u{300}ich", ["Zür\u{300}ich"]),
    ] {
      for form in ["PEM", "DER"] {
        let bytes = try bench.run(
          "openssl req -new -utf8 -key k.pem -subj \(subject) -outform \(form)")
        guard case .request(let request) = try #require(try all(bytes).first) else {
          Issue.record("no request")
          continue
        }
        #expect(request.publicKey.spkiBytes == spki)
        #expect(request.commonNames == names)
      }
    }
  }

  @Test("a key in a request that libcrypto would write otherwise keeps its bytes")
  func requestBytes() throws {
    let bench = try Workbench()
    try bench.makeKey("P-256", at: "k.pem")
    let spki = try bench.run(
      "openssl ec -in k.pem -pubout -conv_form compressed -outform DER")
    #expect(spki.count < 91)
    try bench.run("openssl ec -in k.pem -conv_form compressed -out c.pem")
    let request = try bench.run("openssl req -new -key c.pem -subj /CN=x -outform DER")
    let item = try #require(try all(request).first)
    #expect(Data(request).range(of: Data(item.publicKey.spkiBytes)) != nil)
    #expect(item.publicKey.spkiBytes == spki)
    #expect(try all(spki).first?.publicKey.spkiBytes == spki)
  }

  @Test("several things in one file come in its order")
  func order() throws {
    let bench = try Workbench()
    try bench.makeKey("P-256", at: "a.pem")
    try bench.makeKey("RSA", at: "b.pem")
    try bench.put(Workbench.passphrase.utf8, at: "pass")
    try bench.run("openssl pkey -in b.pem -pubout -out b.pub")
    try bench.run("openssl req -new -key b.pem -subj /CN=b -out b.csr")
    try bench.run("openssl pkcs8 -topk8 -in a.pem -passout file:pass -out a.enc")
    try bench.run("openssl ecparam -name prime256v1 -genkey -out e.pem")
    let bytes = try bench.run("cat a.enc b.csr e.pem b.pub a.pem")
    let items = try all(bytes, Workbench.passphrase)
    let a = try bench.spki(of: "a.pem")
    let b = try bench.spki(of: "b.pem")
    let e = try bench.spki(of: "e.pem")
    #expect(items.map(\.publicKey.spkiBytes) == [a, b, e, b, a])
    #expect(throws: KeyError.file(.passphraseMissing)) { try all(bytes) }
  }

  @Test("what is neither key nor request is named")
  func others() throws {
    let bench = try Workbench()
    try bench.makeKey("P-256", at: "k.pem")
    #expect(throws: KeyError.file(.found(.ecParameters, wanted: .key))) {
      try all(try bench.run("openssl ecparam -name prime256v1"))
    }
    #expect(throws: KeyError.file(.found(.rsaPublicKey, wanted: .key))) {
      try bench.makeKey("RSA", at: "r.pem")
      _ = try all(try bench.run("openssl rsa -in r.pem -RSAPublicKey_out"))
    }
    let certificate = try bench.run("openssl req -x509 -new -key k.pem -subj /CN=x")
    #expect(throws: KeyError.file(.found(.certificate, wanted: .key))) { try all(certificate) }
  }
}
