import Foundation
import PinCrypto
import PinPolicy
import TestSupport
import Testing

/// Pins that others computed, and that are printed in public places.
@Suite("known pins")
struct KnownPinTests {
  private static let file = "known-pins.json"

  @Test("the roots of ca-certificates have the names and pins that openssl gives them")
  func roots() throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped(Self.file) }
    let roots = try LimboTests.object(Self.file).list("roots")
    for root in roots {
      let name = root.string("file") ?? "?"
      let certificates = try Certificate.all(in: Array((root.string("pem") ?? "").utf8), atMost: 1)
      let certificate = try #require(certificates.first)
      #expect(
        certificate.spki.description == "sha256/\(root.string("spki_sha256") ?? "")", "\(name)")
      #expect(certificate.commonName.names == root.strings("cn"), "\(name)")
      #expect(certificate.isAuthority, "\(name)")
    }
    Vectors.report("known-pins.json roots", ran: roots.count)
    #expect(roots.count == 85)
    #expect(roots.filter { !($0.object["published"] as? [Any] ?? []).isEmpty }.count > 0)
  }

  @Test("real chains are trusted at their time, with their names and pins")
  func realChains() throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped(Self.file) }
    let chains = try LimboTests.object(Self.file).list("real_chains")
    let cases = try LimboTests.object("x509-limbo/limbo.json").list("testcases")
    for chain in chains {
      let id = chain.string("limbo_id") ?? "?"
      let row = try #require(cases.first { $0.id == id })
      #expect(row.string("validation_time") == chain.string("validation_time"))
      let path = try LimboTests.path(row).certificates
      let expected = chain.list("root_to_leaf")
      #expect(
        path.reversed().map(\.spki.description)
          == expected.map { "sha256/\($0.string("spki_sha256") ?? "")" }, "\(id)")
      #expect(path.reversed().map(\.commonName.names) == expected.map { $0.strings("cn") }, "\(id)")
    }
    Vectors.report("known-pins.json real_chains", ran: chains.count)
    #expect(chains.count == 8)
  }
}
