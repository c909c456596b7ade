import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// What a file holds that can be pinned, made by `openssl`.
@Suite("pinnable items")
struct PinnableItemTests {
  private static func bench() throws -> Workbench {
    let bench = try Workbench()
    try bench.run(
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout rsa.pem -out rsa.crt -subj /CN=one")
    try bench.run("openssl genpkey -algorithm ED25519 -out ed.pem")
    try bench.run("openssl req -x509 -new -key ed.pem -out ed.crt -subj /O=nameless")
    try bench.run("openssl x509 -in ed.crt -outform der -out ed.der")
    return bench
  }

  private static func kinds(_ items: [PinnableItem]) -> [String] {
    items.map { item in
      switch item {
      case .certificate(let certificate): "certificate \(certificate.commonName.names)"
      case .key(.privateKey): "private"
      case .key(.publicKey): "public"
      case .key(.request): "request"
      }
    }
  }

  @Test("a bundle gives its certificates and keys in its order")
  func bundle() throws {
    let bench = try Self.bench()
    let bundle = try ["ed.crt", "rsa.pem", "rsa.crt"].flatMap { try bench.bytes($0) }
    let items = try PinnableItem.all(in: SecretBytes(copying: bundle)) { nil }
    #expect(Self.kinds(items) == ["certificate []", "private", #"certificate ["one"]"#])
    #expect(items.map(\.keyDescription) == ["Ed25519", "RSA 2048", "RSA 2048"])
    #expect(items[1].spkiPin == items[2].spkiPin)
  }

  @Test("a certificate in DER is one item")
  func der() throws {
    let bench = try Self.bench()
    let items = try PinnableItem.all(in: SecretBytes(copying: bench.bytes("ed.der"))) { nil }
    #expect(Self.kinds(items) == ["certificate []"])
    #expect(throws: CertificateError.trailingBytes(index: 0)) {
      try PinnableItem.all(in: SecretBytes(copying: bench.bytes("ed.der") + [0])) { nil }
    }
  }

  @Test("a PKCS#12 file gives its certificates beside its key")
  func pkcs12() throws {
    let bench = try Self.bench()
    try bench.run(
      "openssl pkcs12 -export -inkey rsa.pem -in rsa.crt -certfile ed.crt -out all.p12 -passout pass:x"
    )
    let items = try PinnableItem.all(in: SecretBytes(copying: bench.bytes("all.p12"))) {
      SecretBytes(copying: "x".utf8)
    }
    #expect(
      Self.kinds(items).sorted() == [#"certificate ["one"]"#, "certificate []", "private"])
    #expect(throws: KeyError.file(.wrongPassphrase)) {
      try PinnableItem.all(in: SecretBytes(copying: bench.bytes("all.p12"))) {
        SecretBytes(copying: "y".utf8)
      }
    }
  }

  @Test("what holds no key by itself is called what it is")
  func foreign() throws {
    let bench = try Self.bench()
    for form in ["pem", "der"] {
      try bench.run("openssl crl2pkcs7 -nocrl -certfile ed.crt -outform \(form) -out \(form).p7b")
      #expect(throws: KeyError.file(.found(.pkcs7, wanted: .pinnable))) {
        try PinnableItem.all(in: SecretBytes(copying: bench.bytes("\(form).p7b"))) { nil }
      }
    }
    let list = try TestCertificate.root("Lists").revocationList(revoking: [])
    let text =
      "-----BEGIN X509 CRL-----\n\(Data(list).base64EncodedString())\n-----END X509 CRL-----"
    for bytes in [list, Array(text.utf8)] {
      #expect(throws: KeyError.file(.found(.revocationList, wanted: .pinnable))) {
        try PinnableItem.all(in: SecretBytes(copying: bytes)) { nil }
      }
    }
  }
}

/// What a client may show to a server.
@Suite("client identities")
struct ClientIdentityTests {
  /// A minute on: the certificates are made while the test runs.
  private static var soon: Int64 { Int64(Date().timeIntervalSince1970) + 60 }

  private static func bench() throws -> Workbench {
    let bench = try Workbench()
    for name in ["a", "b"] {
      try bench.run(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(name).pem -out \(name).crt -days 30 -subj /CN=\(name)"
      )
    }
    try bench.run(
      "openssl pkcs12 -export -inkey a.pem -in a.crt -certfile b.crt -out a.p12 -passout pass:x")
    return bench
  }

  private static func read(
    _ bench: Workbench, _ files: [String], key: String? = nil, at time: Int64 = soon
  ) throws -> ClientIdentity {
    let bytes = try files.flatMap { try bench.bytes($0) }
    let key = try key.map { SecretBytes(copying: try bench.bytes($0)) }
    return try ClientIdentity(reading: SecretBytes(copying: bytes), keyFile: key, at: time) {
      SecretBytes(copying: "x".utf8)
    }
  }

  @Test(
    "the key's own certificate is found, wherever it stood, and a stranger is left out",
    arguments: [
      (["a.crt", "b.crt", "a.pem"], nil), (["b.crt", "a.crt"], "a.pem"), (["a.p12"], nil),
    ] as [([String], String?)])
  func order(files: [String], key: String?) throws {
    let identity = try Self.read(Self.bench(), files, key: key)
    #expect(identity.certificates.map(\.commonName.names) == [["a"]])
  }

  @Test(
    "what does not belong together is refused",
    arguments: [
      (["a.crt"], nil, .noKey), (["a.pem"], nil, .noCertificate),
      (["a.crt"], "b.pem", .mismatch(certificate: "CN = a")),
      (["a.crt", "a.pem", "b.pem"], nil, .severalKeys(count: 2)),
    ] as [([String], String?, ClientIdentityError)])
  func refusal(files: [String], key: String?, reason: ClientIdentityError) throws {
    let bench = try Self.bench()
    #expect(throws: reason) { try Self.read(bench, files, key: key) }
  }

  @Test("a certificate is refused outside its validity, inclusive at both ends")
  func validity() throws {
    let bench = try Self.bench()
    let certificate = try Self.read(bench, ["a.p12"]).certificates[0]
    let start = try #require(certificate.notBefore)
    let end = try #require(certificate.notAfter)
    for time in [start, end] { _ = try Self.read(bench, ["a.p12"], at: time) }
    #expect(
      throws: ClientIdentityError.expired(certificate: "CN = a", notAfter: end, at: end + 1)
    ) { try Self.read(bench, ["a.p12"], at: end + 1) }
    #expect(
      throws: ClientIdentityError.notYetValid(
        certificate: "CN = a", notBefore: start, at: start - 1)
    ) { try Self.read(bench, ["a.p12"], at: start - 1) }
  }
}
