import Foundation
import PinPolicy
import PolicyAuthoring
import StrictJSON
import Testing

@Suite("proposed links and rules")
struct DiscoveryTests {
  typealias Doubt = LinkProposal.Doubt

  @Test(
    "an authority's name that ends in a number keeps what stands before it",
    arguments: [
      ("ISRG Root X1", .prefixWithNumber("ISRG Root X"), nil),
      ("DigiCert Global Root G2", .prefixWithNumber("DigiCert Global Root G"), nil),
      ("GlobalSign Root CA - R3", .prefixWithNumber("GlobalSign Root CA - R"), nil),
      ("Amazon RSA 2048 M02", .prefixWithNumber("Amazon RSA 2048 M"), nil),
      // Spaces belong to the stable part.
      ("Amazon Root CA 1", .prefixWithNumber("Amazon Root CA "), nil),
      (
        "Sectigo RSA Domain Validation Secure Server CA",
        .exact("Sectigo RSA Domain Validation Secure Server CA"), nil
      ),
      ("R11", .prefixWithNumber("R"), .shortPrefix("R")),
      ("WR2", .prefixWithNumber("WR"), .shortPrefix("WR")),
      ("WR1a", .exact("WR1a"), nil),
      // Digits of other scripts are no number to a link.
      ("Root ٣", .exact("Root ٣"), nil), ("Root ½", .exact("Root ½"), nil),
      ("10.0.0.1", .exact("10.0.0.1"), .addressLike("10.0.0.1")),
      ("2001:db8::1", .exact("2001:db8::1"), .addressLike("2001:db8::1")),
      ("gateway 192.0.2.7", .exact("gateway 192.0.2.7"), .addressLike("gateway 192.0.2.7")),
      ("CA 2.1", .exact("CA 2.1"), .addressLike("CA 2.1")),
      ("2024", .exact("2024"), .onlyANumber("2024")),
      ("- 1", .exact("- 1"), .onlyANumber("- 1")),
      ("Root\u{202e}1", .any, .hiddenCharacter("Root\u{202e}1")),
      (
        String(repeating: "n", count: 1025), .any,
        .longName(String(repeating: "n", count: 1025))
      ),
      ("Überwurzel 3", .prefixWithNumber("Überwurzel "), nil),
    ] as [(String, LinkPattern, Doubt?)])
  func authority(name: String, link: LinkPattern, doubt: Doubt?) {
    let proposal = LinkProposal(for: CommonName([name]), isLeaf: false, profile: .standard)
    #expect(proposal.link == link && proposal.doubt == doubt)
    #expect(proposal.link?.matches(CommonName([name])) == true)
  }

  @Test("the server's own name is any, in profile cnpinning exact")
  func leaf() {
    for names in [["a.test"], ["host1"], [], ["a", "b"]] as [[String?]] {
      #expect(
        LinkProposal(for: CommonName(names), isLeaf: true, profile: .standard).link == .any)
    }
    let exact = LinkProposal(for: CommonName(["host1"]), isLeaf: true, profile: .cnpinning)
    #expect(exact.link == .exact("host1") && exact.doubt == nil)
    let none = LinkProposal(for: CommonName([]), isLeaf: true, profile: .cnpinning)
    #expect(none.link == nil && none.doubt == .unreadableName)
  }

  // MARK: Rules

  private static func certificate(_ name: String?, _ number: UInt8) -> PathCertificate {
    PathCertificate(
      commonName: CommonName(name.map { [$0] } ?? []),
      spki: SPKIPin(digest: [UInt8](repeating: number, count: 32))!)
  }

  private static let path = [
    certificate("a.test", 1), certificate("E7", 2), certificate("ISRG Root X1", 3),
  ]

  @Test("a rule has each chain and each anchor once, and a source document takes it")
  func rule() throws {
    let rsa = [
      Self.certificate(nil, 4), Self.certificate("R12", 5), Self.certificate("ISRG Root X1", 3),
    ]
    let proposal = RuleProposal(
      host: try HostName("a.test"), paths: [Self.path, rsa, Self.path], profile: .standard,
      includesSubdomains: true)
    #expect(proposal.chains.count == 2)
    #expect(proposal.anchors == [Self.path[2].spki] && proposal.leaves.isEmpty)
    #expect(proposal.doubts.count { $0.contains("no backup") } == 1)
    let hosts = JSONWriter.text(.object([proposal.sourceMember]), order: .asGiven, indent: nil)
    let source = try SourceDocument(parsing: Array(#"{"aud":"t","hosts":\#(hosts)}"#.utf8))
    #expect(source.rules == [proposal.rule])
    #expect(source.rules[0].includesSubdomains && source.rules[0].mode == .enforce)
    for path in [Self.path, rsa] {
      #expect(proposal.chains.contains { $0.matches(path) })
    }
  }

  @Test("an address has no subdomains")
  func address() throws {
    let proposal = RuleProposal(
      host: try HostName("192.0.2.7"), paths: [Self.path], profile: .standard,
      includesSubdomains: true)
    #expect(!proposal.includesSubdomains)
  }

  @Test("a server that is its own anchor is pinned by its key, not by a chain that fits all")
  func single() throws {
    let proposal = RuleProposal(
      host: try HostName("a.test"), paths: [[Self.path[0]]], profile: .standard)
    #expect(proposal.chains.isEmpty && proposal.anchors.isEmpty)
    #expect(proposal.rule.pinSet == PinSet(leaf: [Self.path[0].spki]))
  }

  @Test("a path without names gives no chain in profile cnpinning")
  func nameless() throws {
    let path = [Self.certificate("a.test", 1), Self.certificate(nil, 2)]
    let proposal = RuleProposal(host: try HostName("a.test"), paths: [path], profile: .cnpinning)
    #expect(proposal.chains.isEmpty)
    #expect(proposal.doubts.contains("a path has no chain of names in this profile"))
  }

  @Test("a property list escapes what XML would take for its own")
  func plist() throws {
    let text = CNPinningPlist.text([
      HostRule(
        pattern: .host(try HostName("a.test")),
        pinSet: PinSet(chains: [ChainPattern([.exact("A & <B> \"C\""), .suffix(".test")])]))
    ])
    let plist = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    let domains =
      ((plist as? [String: Any])?["CNPinningManager"] as? [String: Any])?[
        "PinnedDomains"] as? [String: [String: Any]]
    #expect(domains?["a.test"]?["includesSubdomains"] as? Bool == false)
    #expect(
      domains?["a.test"]?["chainSet"] as? [[[String: String]]] == [
        [
          ["type": "exact", "value": "A & <B> \"C\""], ["type": "suffix", "value": ".test"],
        ]
      ])
  }
}
