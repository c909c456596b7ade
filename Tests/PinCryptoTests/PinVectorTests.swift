import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// Pins of certificates that others have published or compute in their own way.
@Suite("known pins")
struct PinVectorTests {
  private static let file = "known-pins.json"

  private static func known() throws -> Case? {
    guard Vectors.isPresent else {
      Vectors.reportSkipped(file)
      return nil
    }
    let object = try JSONSerialization.jsonObject(with: Data(Vectors.bytes(file)))
    return Case(object: try #require(object as? [String: Any]))
  }

  private static func items(_ pem: String) throws -> [PinnableItem] {
    try PinnableItem.all(in: SecretBytes(copying: pem.utf8)) { nil }
  }

  @Test("the roots of the platform have the pins that are known")
  func roots() throws {
    guard let known = try Self.known() else { return }
    var failures: [String] = []
    let roots = known.list("roots")
    for root in roots {
      let items = try Self.items(root.string("pem") ?? "")
      let name = root.string("file") ?? "?"
      if items.map(\.spkiPin.description) != ["sha256/" + (root.string("spki_sha256") ?? "")] {
        failures.append("\(name): \(items.map(\.spkiPin.description))")
      }
      guard case .certificate(let certificate)? = items.first else { continue }
      if certificate.commonName.names != root.strings("cn") {
        failures.append("\(name): \(certificate.commonName.names)")
      }
    }
    Vectors.report(Self.file, ran: roots.count)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(roots.count == 85)
    #expect(roots.count { !(($0.object["published"] as? [Any]) ?? []).isEmpty } == 27)
  }

  @Test("the certificates of real chains have the names and pins that are known")
  func realChains() throws {
    guard let known = try Self.known() else { return }
    let limbo = try JSONSerialization.jsonObject(with: Data(Vectors.bytes("x509-limbo/limbo.json")))
    let cases = Case(object: try #require(limbo as? [String: Any])).list("testcases")
    var ran = 0
    for chain in known.list("real_chains") {
      let source = try #require(cases.first { $0.id == chain.string("limbo_id") })
      let pems =
        [source.string("peer_certificate") ?? ""] + source.strings("untrusted_intermediates")
        + source.strings("trusted_certs")
      let met = try pems.flatMap(Self.items).map { item -> String in
        guard case .certificate(let certificate) = item else { return "?" }
        return "\(certificate.spki) \(certificate.commonName.names)"
      }
      let listed = chain.list("root_to_leaf").map {
        "sha256/\($0.string("spki_sha256") ?? "") \($0.strings("cn"))"
      }
      #expect(Set(listed).isSubset(of: met), "\(source.id)")
      ran += 1
    }
    #expect(ran == 8)
  }

  @Test("pins are those of openssl's pipeline but where that encodes the key again")
  func pipeline() throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped("chains/chains.jsonl") }
    let openssl = try #require(ChildProcess.find("openssl"))
    var seen: Set<String> = []
    var failures: [String] = []
    var kinds: Set<String> = []
    for row in try Vectors.lines("chains/chains.jsonl") {
      for pem in row.strings("presented") + row.strings("anchors") where seen.insert(pem).inserted {
        guard let item = try? Self.items(pem).first else { continue }
        let pin = String(item.spkiPin.description.dropFirst(7))
        let outcome = try ChildProcess.run(
          URL(fileURLWithPath: "/bin/sh"),
          [
            "-c",
            "\(openssl.path) x509 -noout -pubkey | \(openssl.path) pkey -pubin -outform der"
              + " | \(openssl.path) dgst -sha256 -binary | base64",
          ], input: Array(pem.utf8))
        let met = outcome.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        let listed = row.list("certs").first { $0.string("spki_sha256") == pin }
        if met != listed?.string("openssl_pkey_pin") ?? pin {
          failures.append("\(row.id): \(pin), openssl \(met)")
        }
        kinds.insert(item.keyDescription)
      }
    }
    Vectors.report("chains/chains.jsonl", ran: seen.count)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(seen.count == 180)
    #expect(
      kinds == [
        "RSA 1024", "RSA 2048", "RSA 3072", "RSA 4096", "RSASSA-PSS 2048", "EC P-256", "EC P-384",
        "EC P-521",
      ])
  }

  @Test(
    "keys of other types have pins too",
    arguments: [
      ("ED25519", "Ed25519"), ("ED448", "Ed448"), ("RSA -pkeyopt rsa_keygen_bits:1024", "RSA 1024"),
      ("EC -pkeyopt ec_paramgen_curve:secp256k1", "EC secp256k1"),
      ("EC -pkeyopt ec_paramgen_curve:brainpoolP256r1", "EC brainpoolP256r1"),
    ])
  func otherTypes(algorithm: String, name: String) throws {
    let bench = try Workbench()
    try bench.run("openssl genpkey -algorithm \(algorithm) -out key.pem")
    try bench.run("openssl req -x509 -new -key key.pem -out cert.pem -subj /CN=x")
    try bench.run("openssl pkey -in key.pem -pubout -outform der -out spki.der")
    let digest = try bench.run("openssl dgst -sha256 -binary spki.der")
    let items = try Self.items(String(decoding: bench.bytes("cert.pem"), as: UTF8.self))
    #expect(items.map(\.spkiPin) == [SPKIPin(digest: digest)])
    #expect(items.map(\.keyDescription) == [name])
  }
}
