import Foundation
import LoopbackTLS
import PinCrypto
import PinVerifier
import Testing

@Suite("handshakes with bad servers", .serialized)
struct BadServerTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let server: BadServer
    /// What the hook judges; nil where the handshake ends before there is a certificate.
    let outcome: String?
    /// What the server is told (RFC 8446 §6.2).
    let alert: Int32?

    var testDescription: String { server.rawValue }
  }

  static let rows = [
    Row(server: .good, outcome: "accepted", alert: nil),
    Row(server: .noCommonName, outcome: "accepted", alert: nil),
    Row(server: .expired, outcome: "untrusted expired 0", alert: 45),
    Row(server: .notYetValid, outcome: "untrusted not-yet-valid 0", alert: 42),
    Row(server: .wrongHost, outcome: "untrusted hostname 0", alert: 42),
    Row(server: .selfSigned, outcome: "untrusted self-signed 0", alert: 48),
    Row(server: .untrustedRoot, outcome: "untrusted untrusted 1", alert: 48),
    Row(server: .missingIntermediate, outcome: "untrusted untrusted 0", alert: 48),
    Row(server: .revoked, outcome: "untrusted revoked 0", alert: 44),
    Row(server: .sha1, outcome: "untrusted weak 0", alert: 42),
    Row(server: .rsa1024, outcome: "untrusted weak 0", alert: 42),
    // The server is the one that refuses: it has no version that is offered.
    Row(server: .tls11, outcome: nil, alert: nil),
  ]

  private static let servers = Result { try BadServers() }

  @Test("each is refused with its reason and an alert, and the good ones are not", arguments: rows)
  func handshake(row: Row) throws {
    let servers = try Self.servers.get()
    let rule = try Rule.chain(
      "prefixWithNumber Bad Servers Root ", "prefixWithNumber Bad Servers CA ", "any",
      anchors: [servers.root])
    let policy = CurrentPolicy(try SignedPolicies().policy(hosts: "{\"*\":\(rule)}"))
    let list = try RevocationList(der: servers.revocationList)
    let hooked = try HookedClient(
      policy, anchors: [servers.root], revocation: .lists([list], scope: .leaf))
    let seen = try hooked.shakeHands(
      with: servers.loopback(row.server), .verified(row.server.host))

    print(
      "hook: \(row.server.host) → \(seen.judgements.first ?? "no certificate") → "
        + (seen.server.alert.map { "alert \($0)" } ?? "no alert of the client's"))
    let isGood = row.outcome == "accepted"
    #expect(seen.judgements == [row.outcome].compactMap(\.self))
    #expect(seen.client.isEstablished == isGood)
    #expect(seen.server.isEstablished == isGood)
    #expect(seen.server.alert == row.alert)
    #expect(seen.server.received == (isGood ? Array("request\n".utf8) : []))
    #expect(seen.client.faults == row.faults)
  }

  @Test("each fault has a row")
  func isComplete() {
    #expect(
      Self.rows.map(\.server.rawValue).sorted() == BadServer.allCases.map(\.rawValue).sorted())
  }
}

extension BadServerTests.Row {
  /// OpenSSL's whole error queue in the client.
  fileprivate var faults: [String] {
    switch outcome {
    case nil: ["tlsv1 alert protocol version"]
    case "accepted": []
    default: ["certificate verify failed"]
    }
  }
}
