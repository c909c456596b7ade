import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import Testing

@Suite("revocation lists")
struct RevocationTests {
  /// Who revokes what, and which lists are there.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let scope: Revocation.Scope
    var authorityRevokesLeaf = false
    var rootRevokesAuthority = false
    var hasAuthorityList = true
    var hasRootList = true
    var lastUpdate = TestTime.now - 3600
    var nextUpdate = TestTime.now + 3600
    let outcome: String
  }

  @Test(
    "what is looked up is what was asked for, and silence is no answer",
    arguments: [
      Row(testDescription: "leaf", scope: .leaf, outcome: "trusted 3"),
      Row(testDescription: "chain", scope: .chain, outcome: "trusted 3"),
      Row(
        testDescription: "leaf revoked", scope: .leaf, authorityRevokesLeaf: true,
        outcome: "revoked 0"),
      Row(
        testDescription: "leaf revoked, chain", scope: .chain, authorityRevokesLeaf: true,
        outcome: "revoked 0"),
      Row(
        testDescription: "leaf revoked, not asked", scope: .none, authorityRevokesLeaf: true,
        outcome: "trusted 3"),
      Row(
        testDescription: "authority revoked, leaf asked", scope: .leaf,
        rootRevokesAuthority: true, outcome: "trusted 3"),
      Row(
        testDescription: "authority revoked", scope: .chain, rootRevokesAuthority: true,
        outcome: "revoked 1"),
      Row(
        testDescription: "no list of the authority", scope: .leaf, hasAuthorityList: false,
        outcome: "revocation-unknown 0"),
      Row(
        testDescription: "no list of the root", scope: .chain, hasRootList: false,
        outcome: "revocation-unknown 1"),
      Row(
        testDescription: "no list of the root, leaf asked", scope: .leaf, hasRootList: false,
        outcome: "trusted 3"),
      Row(
        testDescription: "expired list", scope: .leaf, nextUpdate: TestTime.now - 1,
        outcome: "revocation-unknown 0"),
      Row(
        testDescription: "list of the future", scope: .leaf, lastUpdate: TestTime.now + 1,
        outcome: "revocation-unknown 0"),
    ])
  func scope(row: Row) throws {
    let given = try Authorities()
    let leaf = try given.leaf()
    var lists: [RevocationList] = []
    if row.hasAuthorityList {
      lists.append(
        try RevocationList(
          der: given.authority.revocationList(
            revoking: row.authorityRevokesLeaf ? [leaf] : [], lastUpdate: row.lastUpdate,
            nextUpdate: row.nextUpdate)))
    }
    if row.hasRootList {
      lists.append(
        try RevocationList(
          der: given.root.revocationList(
            revoking: row.rootRevokesAuthority ? [given.authority] : [])))
    }
    let evaluation = given.evaluation(leaf).with {
      $0.revocation = .lists(lists, scope: row.scope)
    }
    #expect(try evaluation.outcome() == row.outcome)
    // The result says what was looked up.
    if row.outcome == "trusted 3" { #expect(try evaluation.path().revocation == row.scope) }
  }

  @Test("a list that another key of the same name signed says nothing")
  func foreignList() throws {
    let given = try Authorities()
    let impostor = try given.root.issue(given.authority.shape)
    let list = try RevocationList(der: impostor.revocationList(revoking: []))
    let evaluation = try given.evaluation().with { $0.revocation = .lists([list], scope: .leaf) }
    #expect(try evaluation.outcome() == "revocation-unknown 0")
  }

  @Test("a list that is not whole, or holds for ever, is none")
  func unfit() throws {
    let given = try Authorities()
    let delta = try given.authority.revocationList(revoking: [], deltaOf: 1)
    #expect(throws: RevocationListError.delta(index: 0)) { try RevocationList(der: delta) }
    let endless = try given.authority.revocationList(revoking: [], nextUpdate: nil)
    #expect(throws: RevocationListError.noNextUpdate(index: 0)) {
      try RevocationList(der: endless)
    }
  }

  @Test("lists are read to their end, from DER or PEM")
  func reading() throws {
    let given = try Authorities()
    let der = try given.authority.revocationList(revoking: [])
    #expect(try RevocationList.all(in: der, atMost: 1).count == 1)
    #expect(throws: RevocationListError.trailingBytes(index: 0)) {
      try RevocationList(der: der + [0])
    }
    let two = pem("X509 CRL", der) + "between\n" + pem("X509 CRL", der)
    #expect(try RevocationList.all(in: Array(two.utf8), atMost: 2).count == 2)
    let rows: [(String, RevocationListError)] = [
      ("", .empty), ("no block\n", .empty), (two, .tooMany(limit: 1)),
      (pem("X509 CRL", der + [5, 0]), .trailingBytes(index: 0)),
      (
        pem("CERTIFICATE", given.root.der), .otherBlock(label: "CERTIFICATE", index: 0)
      ),
    ]
    for (text, error) in rows {
      #expect(throws: error) { try RevocationList.all(in: Array(text.utf8), atMost: 1) }
    }
    var limits = Limits.standard
    limits.revocationListBytes = der.count
    #expect(try RevocationList.all(in: der, limits: limits).count == 1)
    limits.revocationListBytes -= 1
    #expect(throws: RevocationListError.tooLong(index: 0, limit: der.count - 1)) {
      try RevocationList.all(in: der, limits: limits)
    }
    let malformed = #expect(throws: RevocationListError.self) {
      try RevocationList(der: given.root.der)
    }
    #expect(malformed?.code == "malformed-revocation-list")
  }

  private func pem(_ label: String, _ der: [UInt8]) -> String {
    let text = Data(der).base64EncodedString(options: .lineLength64Characters)
      .replacingOccurrences(of: "\r", with: "")
    return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
  }
}
