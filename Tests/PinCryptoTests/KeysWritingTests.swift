import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import PinCrypto

/// Keys that are made and written here, in every form, read by programs that are not ours.
@Suite("making and writing keys")
struct KeysWritingTests {
  /// The demo keys, each with an algorithm of its own: finding primes takes a while.
  private static func pairs() throws -> [(SignatureAlgorithm, PrivateKey)] {
    try [
      ("es256", .es256), ("es384", .es384), ("es512", .es512), ("rsa2048", .rs256),
      ("rsa3072", .ps384), ("rsa4096", .ps512),
    ].map { (name: String, algorithm: SignatureAlgorithm) in
      (algorithm, try PrivateKey(reading: KeysDemoTests.read("demo-\(name).pem")) { nil })
    }
  }

  /// One of each family: what seals them takes a while, and is the same for all.
  private static func familyPairs() throws -> [(SignatureAlgorithm, PrivateKey)] {
    try pairs().filter { [.es256, .rs256].contains($0.0) }
  }

  @Test("each algorithm has its kind of key, and every one is new and fit")
  func generation() throws {
    let kinds: [SignatureAlgorithm: String] = [
      .rs256: "RSA 2048", .rs384: "RSA 3072", .rs512: "RSA 4096",
      .ps256: "RSA 2048", .ps384: "RSA 3072", .ps512: "RSA 4096",
      .es256: "EC P-256", .es384: "EC P-384", .es512: "EC P-521",
    ]
    let pairs = try SignatureAlgorithm.allCases.map { ($0, try PrivateKey.generate(for: $0)) }
    for (algorithm, key) in pairs {
      #expect(key.publicKey.kind.description == kinds[algorithm])
      #expect(key.publicKey.supportedAlgorithms.contains(algorithm))
      try key.publicKey.checkFitForPolicies()
      try key.checkConsistency()
    }
    #expect(Set(pairs.map { $1.publicKey.thumbprint }).count == pairs.count)
  }

  @Test("openssl reads every plain form, and we read it back")
  func openssl() throws {
    let bench = try Workbench()
    for (algorithm, key) in try Self.pairs() {
      let spki = key.publicKey.spkiBytes
      try bench.put(try key.pkcs8PEM(passphrase: nil).copied(), at: "plain.pem")
      try bench.put(try key.pkcs8DER(passphrase: nil).copied(), at: "plain.der")
      try bench.put(try key.publicKey.spkiPEM().utf8, at: "public.pem")
      for options in ["-in plain.pem -check", "-in plain.der -inform DER", "-in public.pem -pubin"]
      {
        let read = try bench.run("openssl pkey \(options) -pubout -outform DER")
        // `-check` says so before the key.
        #expect(read.suffix(spki.count) == spki[...], "\(algorithm), \(options)")
      }
      let openSSL = try bench.run("openssl pkey -in plain.pem -pubout")
      #expect(try bench.bytes("public.pem") == openSSL)
      for name in ["plain.pem", "plain.der"] {
        #expect(try readPrivate(try bench.bytes(name)).publicKey.spkiBytes == spki)
      }
      let half = try PublicKey(reading: SecretBytes(try key.publicKey.spkiPEM()))
      #expect(half.spkiBytes == spki)
    }
  }

  @Test("openssl reads what a passphrase seals, and we read it back")
  func sealed() throws {
    let bench = try Workbench()
    try bench.put(Workbench.passphrase.utf8, at: "pass")
    let secret = SecretBytes(Workbench.passphrase)
    for (algorithm, key) in try Self.familyPairs() {
      let spki = key.publicKey.spkiBytes
      try bench.put(try key.pkcs8PEM(passphrase: secret).copied(), at: "PEM")
      try bench.put(try key.pkcs8DER(passphrase: secret).copied(), at: "DER")
      for form in ["PEM", "DER"] {
        let read = try bench.run(
          "openssl pkey -in \(form) -inform \(form) -passin file:pass -pubout -outform DER")
        #expect(read == spki, "\(algorithm), \(form)")
        let own = try readPrivate(try bench.bytes(form), Workbench.passphrase)
        #expect(own.publicKey.spkiBytes == spki, "\(algorithm), \(form)")
      }
    }
  }

  @Test("a passphrase makes AES-256 under PBKDF2 with SHA-256, a new salt each time")
  func encryption() throws {
    let bench = try Workbench()
    guard let key = try Self.pairs().last?.1 else { return }
    let secret = SecretBytes(Workbench.passphrase)
    let first = try key.pkcs8PEM(passphrase: secret)
    let second = try key.pkcs8PEM(passphrase: secret)
    #expect(first.copied() != second.copied())
    #expect(first.text.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
    let parsed = String(
      decoding: try bench.run("openssl asn1parse", input: first.copied()), as: UTF8.self)
    for expected in [":PBES2", ":PBKDF2", ":0927C0", ":hmacWithSHA256", ":aes-256-cbc"] {
      #expect(parsed.contains(expected))
    }
    // An empty passphrase is one, and not the same as none.
    let empty = try key.pkcs8PEM(passphrase: SecretBytes(""))
    #expect(empty.text.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
    #expect(try readPrivate(empty.copied(), "").publicKey.spkiBytes == key.publicKey.spkiBytes)
    let plain = try key.pkcs8PEM(passphrase: nil)
    #expect(plain.text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
  }

  @Test("Java's own classes undo the encryption")
  func java() throws {
    guard let java = ChildProcess.find("java") else { return }
    let bench = try Workbench()
    try bench.put(
      """
      import java.nio.file.*;
      import java.util.*;
      import javax.crypto.*;
      import javax.crypto.spec.*;

      class Undo {
        public static void main(String[] arguments) throws Exception {
          for (String name : arguments) {
            var sealed = new EncryptedPrivateKeyInfo(Files.readAllBytes(Path.of(name)));
            var scheme = sealed.getAlgParameters().toString();
            var key = SecretKeyFactory.getInstance(scheme)
              .generateSecret(new PBEKeySpec("\(Workbench.passphrase)".toCharArray()));
            var cipher = Cipher.getInstance(scheme);
            cipher.init(Cipher.DECRYPT_MODE, key, sealed.getAlgParameters());
            var plain = sealed.getKeySpec(cipher).getEncoded();
            System.out.println(scheme + " " + HexFormat.of().formatHex(plain));
          }
        }
      }
      """.utf8, at: "Undo.java")
    var names: [String] = []
    var expected = ""
    for (algorithm, key) in try Self.familyPairs() {
      let sealed = try key.pkcs8DER(passphrase: SecretBytes(Workbench.passphrase))
      try bench.put(sealed.copied(), at: "\(algorithm.rawValue).der")
      names.append("\(algorithm.rawValue).der")
      let hex = try key.pkcs8DER(passphrase: nil).copied().map { String(format: "%02x", $0) }
      expected += "PBEWithHmacSHA256AndAES_256 \(hex.joined())\n"
    }
    let outcome = try ChildProcess.run(java, ["Undo.java"] + names, in: bench.folder.url)
    #expect(outcome.errorText == "")
    #expect(outcome.outputText == expected)
  }

  @Test("jose reads the JWKs, public and private, and agrees on the id")
  func jose() throws {
    guard ChildProcess.find("jose") != nil else { return }
    let bench = try Workbench()
    for (algorithm, key) in try Self.pairs() {
      try bench.put(try key.jwk().copied(), at: "private.jwk")
      let jwk = try #require(key.publicKey.jwk)
      try bench.put(JSONWriter.bytes(jwk, order: .asGiven), at: "public.jwk")
      let half = try bench.run("jose jwk pub -i private.jwk -o -")
      #expect(
        try JSONSerialization.jsonObject(with: Data(half)) as? NSDictionary
          == JSONSerialization.jsonObject(with: Data(try bench.bytes("public.jwk")))
          as? NSDictionary, "\(algorithm)")
      let id = String(
        decoding: try bench.run("jose jwk thp -a S256 -i public.jwk"), as: UTF8.self)
      #expect(id == key.publicKey.thumbprint)
      // jose signs with the private numbers; the signature fits the public half in PEM.
      try bench.put("text".utf8, at: "text")
      try bench.put(#"{"protected":{"alg":"\#(algorithm.rawValue)"}}"#.utf8, at: "template")
      try bench.run("jose jws sig -I text -k private.jwk -s template -o signed")
      let read = try PublicKey(reading: SecretBytes(copying: try bench.bytes("public.jwk")))
      #expect(read.spkiBytes == key.publicKey.spkiBytes)
      try bench.run("jose jws ver -i signed -k public.jwk")
      let again = try readPrivate(try bench.bytes("private.jwk"))
      #expect(
        try again.pkcs8DER(passphrase: nil).copied()
          == key.pkcs8DER(passphrase: nil).copied())
    }
  }

  @Test("keys that jose makes are read")
  func joseKeys() throws {
    guard ChildProcess.find("jose") != nil else { return }
    let bench = try Workbench()
    for algorithm in SignatureAlgorithm.allCases {
      try bench.put(#"{"alg":"\#(algorithm.rawValue)"}"#.utf8, at: "template")
      try bench.run("jose jwk gen -i template -o key.jwk")
      let key = try readPrivate(try bench.bytes("key.jwk"))
      let id = String(decoding: try bench.run("jose jwk thp -a S256 -i key.jwk"), as: UTF8.self)
      #expect(key.publicKey.thumbprint == id)
      #expect(key.publicKey.supportedAlgorithms.contains(algorithm))
    }
  }

  @Test("python's cryptography reads what we write")
  func python() throws {
    let bench = try Workbench()
    guard let python = ChildProcess.find("python3") else { return }
    let program = """
      import sys
      from cryptography.hazmat.primitives.serialization import *
      for name in sys.argv[1:]:
          key = load_pem_private_key(open(name, "rb").read(), b"\(Workbench.passphrase)")
          public = key.public_key()
          print(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex())
      """
    let imported = try ChildProcess.run(python, ["-c", "import cryptography"])
    guard imported.status == 0 else { return }
    var names: [String] = []
    var expected = ""
    for (algorithm, key) in try Self.familyPairs() {
      let sealed = try key.pkcs8PEM(passphrase: SecretBytes(Workbench.passphrase))
      try bench.put(sealed.copied(), at: algorithm.rawValue)
      names.append(algorithm.rawValue)
      expected += key.publicKey.spkiBytes.map { String(format: "%02x", $0) }.joined() + "\n"
    }
    let outcome = try ChildProcess.run(python, ["-c", program] + names, in: bench.folder.url)
    #expect(outcome.outputText == expected, "\(outcome.errorText)")
  }
}
