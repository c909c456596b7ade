/// The faults that badssl.com made known, each a server of its own name.
public enum BadServer: String, CaseIterable, Sendable {
  case good, expired
  case notYetValid = "not-yet-valid"
  case wrongHost = "wrong-host"
  case selfSigned = "self-signed"
  case untrustedRoot = "untrusted-root"
  case missingIntermediate = "missing-intermediate"
  case revoked
  case sha1
  case rsa1024 = "rsa-1024"
  /// Not a fault: a public authority's certificate may have none today.
  case noCommonName = "no-common-name"
  case tls11 = "tls-1-1"

  public var host: String { "\(rawValue).test" }
}

/// One server for all of them, by server name, and an old one for TLS 1.1.
///
/// Root → authority → leaf; trust ``root``, and look leaves up in ``revocationList``.
public final class BadServers: Sendable {
  public let root: TestCertificate
  public let authority: TestCertificate
  /// The authority's list, in DER.
  public let revocationList: [UInt8]
  private let identities: [BadServer: ServerIdentity]
  private let server: LoopbackServer
  private let old: LoopbackServer

  public init() throws {
    let root = try TestCertificate.root("Bad Servers Root 1")
    let authority = try root.issue(.authority("Bad Servers CA 1").with { $0.pathLength = 0 })
    let stranger = try TestCertificate.root("Unknown Root 1")
    var identities: [BadServer: ServerIdentity] = [:]
    for server in BadServer.allCases {
      identities[server] = try Self.identity(server, authority, stranger)
    }
    let revoked = identities[.revoked].map { [$0.leaf] } ?? []
    revocationList = try authority.revocationList(revoking: revoked)
    self.root = root
    self.authority = authority
    self.identities = identities
    let byName = Dictionary(uniqueKeysWithValues: identities.map { ($0.key.host, $0.value) })
    server = try LoopbackServer { name in name.flatMap { byName[$0] }.map { [$0] } ?? [] }
    var options = LoopbackServer.Options()
    options.versions = .tls11 ... .tls11
    old = try LoopbackServer(options) { name in name.flatMap { byName[$0] }.map { [$0] } ?? [] }
  }

  /// Where a server listens.
  public func loopback(_ server: BadServer) -> LoopbackServer {
    server == .tls11 ? old : self.server
  }

  private static func identity(
    _ server: BadServer, _ authority: TestCertificate, _ stranger: TestCertificate
  ) throws -> ServerIdentity {
    let shape = CertificateShape.server(server.host)
    func issued(_ change: (inout CertificateShape) -> Void) throws -> ServerIdentity {
      ServerIdentity(try authority.issue(shape.with(change)), above: [authority])
    }
    return switch server {
    case .good, .revoked, .tls11: try issued { _ in }
    case .expired: try issued { $0.notAfter = TestTime.now - 60 }
    case .notYetValid: try issued { $0.notBefore = TestTime.now + 3600 }
    case .wrongHost: try issued { $0.hosts = ["other.test"] }
    case .selfSigned: ServerIdentity(try .selfSigned(shape))
    case .untrustedRoot: ServerIdentity(try stranger.issue(shape), above: [stranger])
    case .missingIntermediate: ServerIdentity(try authority.issue(shape))
    case .sha1: try issued { $0.digest = "SHA1" }
    case .rsa1024: try issued { $0.key = .rsa(1024) }
    case .noCommonName:
      try issued { $0.commonNames = [] }
    }
  }
}
