import Foundation
import PinCrypto
import PinPolicy
import PolicyAuthoring
import TestSupport
import Testing

/// The names of the source documents under `examples/`, without `.json`.
private let examples = [
  "floating-names", "mobile-cnpinning", "one-host", "subdomains", "tls-inspection",
]
private let window = ValidityWindow(issuedAt: 1_796_000_000, expiresAt: 1_796_604_800)

private func read(_ name: String) throws -> SourceDocument {
  let file = Vectors.packageRoot.appendingPathComponent("examples/\(name).json")
  return try SourceDocument(parsing: [UInt8](Data(contentsOf: file)))
}

@Suite("examples/")
struct ExampleTests {
  @Test(
    "each makes a policy that a verifier takes, and says why in a note on every rule",
    arguments: examples)
  func policy(name: String) throws {
    let source = try read(name)
    let policy = try source.policy(window: window)
    let decoded = try UnverifiedPolicy(
      decoding: policy.payloadBytes(keepNotes: true), profile: .standard)
    #expect(Set(decoded.policy.rules) == Set(source.rules))
    #expect(source.rules.allSatisfy { $0.note?.isEmpty == false })
  }

  @Test("the list of examples is whole, and the README has a section on each")
  func readme() throws {
    let folder = Vectors.packageRoot.appendingPathComponent("examples")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(
      files.filter { $0.hasSuffix(".json") && $0 != "policy.schema.json" }.sorted()
        == examples.map { $0 + ".json" })
    let readme = try String(
      contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
    for name in examples { #expect(readme.contains("\n## \(name).json")) }
  }

  @Test("the one for mobile fits profile cnpinning, and no other does", arguments: examples)
  func profile(name: String) throws {
    let source = try read(name)
    if name == "mobile-cnpinning" {
      let policy = try source.policy(window: window, profile: .cnpinning)
      #expect(policy.rules.map(\.pinSet) == source.rules.map(\.pinSet))
    } else {
      #expect(throws: ProfileMisfits.self) {
        _ = try source.policy(window: window, profile: .cnpinning)
      }
    }
  }

  @Test(
    "resolution is as the README says",
    arguments: [
      ("one-host", "api.example.com", .exact, "api.example.com", .enforce),
      ("one-host", "www.example.com", .none, nil, nil),
      ("subdomains", "example.com", .exact, "example.com", .enforce),
      ("subdomains", "a.b.example.com", .subdomain, "example.com", .enforce),
      ("subdomains", "pay.example.com", .exact, "pay.example.com", .enforce),
      ("subdomains", "a.pay.example.com", .subdomain, "example.com", .enforce),
      ("subdomains", "a.beta.example.com", .subdomain, "beta.example.com", .report),
      ("subdomains", "legacy.example.com", .exact, "legacy.example.com", .exempt),
      ("subdomains", "a.legacy.example.com", .subdomain, "example.com", .enforce),
      ("subdomains", "notexample.com", .none, nil, nil),
      ("tls-inspection", "www.example.org", .wildcard, "*", .enforce),
      ("tls-inspection", "192.0.2.1", .wildcard, "*", .enforce),
      ("tls-inspection", "sso.login.example.com", .subdomain, "login.example.com", .enforce),
    ] as [(String, String, Resolution.Step, String?, HostRule.Mode?)])
  func resolution(
    name: String, host: String, step: Resolution.Step, pattern: String?, mode: HostRule.Mode?
  ) throws {
    let resolution = try read(name).policy(window: window).resolve(host)
    #expect(resolution.step == step)
    #expect(resolution.pattern?.description == pattern)
    #expect(resolution.rule?.mode == mode)
  }

  /// A real path, the example and host that it is judged for, and the rule's verdict.
  static let realPaths: [(String, String, String, Verdict, [Diagnostic])] = [
    ("online::stackoverflow.com", "floating-names", "www.example.com", .accepted, []),
    ("online::stackoverflow.com", "subdomains", "a.example.com", .accepted, []),
    ("online::google.com", "subdomains", "a.example.com", .accepted, []),
    ("online::facebook.com", "subdomains", "pay.example.com", .accepted, []),
    ("online::akamai.com", "tls-inspection", "login.example.com", .accepted, []),
    ("online::stackoverflow.com", "tls-inspection", "updates.example.net", .accepted, []),
    (
      "online::s3.amazonaws.com", "floating-names", "assets.example.com", .rejected,
      [
        .link(
          chain: 0, link: 2, value: "assets.example.com", commonName: "s3.amazonaws.com")
      ]
    ),
    (
      "online::facebook.com", "mobile-cnpinning", "api.example.com", .rejected,
      [
        .link(chain: 0, link: 2, value: "api.example.com", commonName: "*.facebook.com"),
        .link(
          chain: 1, link: 0, value: "Amazon Root CA ", commonName: "DigiCert Global Root G2"),
      ]
    ),
  ]

  @Test("real paths are judged as the notes say", arguments: realPaths)
  func realPath(
    path id: String, example: String, host: String, verdict: Verdict, chains: [Diagnostic]
  ) throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped("known-pins.json") }
    let known = try JSONSerialization.jsonObject(with: Data(Vectors.bytes("known-pins.json")))
    let paths = Case(object: try #require(known as? [String: Any])).list("real_chains")
    let rootToLeaf = try #require(paths.first { $0.string("limbo_id") == id }).list("root_to_leaf")
    let path = try rootToLeaf.reversed().map { certificate in
      PathCertificate(
        commonName: CommonName(certificate.strings("cn")),
        spki: try SPKIPin("sha256/" + (certificate.string("spki_sha256") ?? "")))
    }
    let judgement = PinEvaluator.evaluate(
      policy: try read(example).policy(window: window), host: try HostName(host), paths: [path])
    #expect(judgement.verdict == verdict)
    if verdict == .rejected { #expect(judgement.diagnostics == chains) }
  }

  /// The names of keys of one's own, and the demo keys that they stand for.
  static let demoKeys = [
    "api-server": "demo-es256", "api-backup": "demo-es384",
    "inspection-root": "demo-rsa2048", "inspection-root-next": "demo-rsa3072",
  ]

  @Test("the names of one's own keys stand for demo keys", arguments: demoKeys)
  func ownKeys(name: String, key: String) throws {
    let file = Vectors.packageRoot.appendingPathComponent("keys/\(key).pub.pem")
    let pin = try PublicKey(reading: SecretBytes(copying: Data(contentsOf: file))).spkiPin
    #expect(try examples.contains { try read($0).name(of: pin) == name })
  }

  @Test("the names of public roots stand for those roots' keys", arguments: examples)
  func publicRoots(name: String) throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped("known-pins.json") }
    let known = try JSONSerialization.jsonObject(with: Data(Vectors.bytes("known-pins.json")))
    let roots = Case(object: try #require(known as? [String: Any])).list("roots")
    let source = try read(name)
    for pin in source.rules.flatMap({ $0.pinSet.anchor + $0.pinSet.ca + $0.pinSet.any }) {
      let text = try #require(source.name(of: pin))
      if Self.demoKeys[text] != nil { continue }
      let root = try #require(
        roots.first { "sha256/\($0.string("spki_sha256") ?? "")" == pin.description })
      let name = root.strings("cn")[0].lowercased().replacingOccurrences(of: " ", with: "-")
      #expect(name == text)
    }
  }
}
