import Foundation

/// What a test certificate says; begin with ``root(_:)``, ``authority(_:)`` or ``server(_:)`` and
/// change what the test is about.
public struct CertificateShape: Sendable {
  /// An extension in the words of openssl's x509v3_config(5): `("nameConstraints",
  /// "critical,permitted;DNS:example.com")`, or by OID `("1.2.3.4", "critical,DER:0500")`.
  public struct Extension: Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The subject's Common Names: none, one or many.
  public var commonNames: [String]
  public var organization: String?
  /// Host names and IP addresses of the subjectAltName; without any there is no such extension.
  public var hosts: [String] = []
  public var isAuthority = false
  public var pathLength: Int?
  public var keyUsage: String?
  /// `serverAuth`, `clientAuth`, …, separated by commas.
  public var extendedKeyUsage: String?
  /// Seconds since 1970, both inclusive.
  public var notBefore: Int64 = TestTime.now - 86_400
  public var notAfter: Int64 = TestTime.now + 90 * 86_400
  public var key: TestKey.Kind = .p256
  /// What the issuer signs with: `SHA256`, `SHA1`, ….
  public var digest = "SHA256"
  public var hasKeyIdentifiers = true
  /// Added after the extensions that the members above make.
  public var extensions: [Extension] = []

  public init(commonNames: [String]) { self.commonNames = commonNames }

  public static func root(_ name: String) -> CertificateShape {
    var shape = authority(name)
    shape.notAfter = TestTime.now + 3650 * 86_400
    return shape
  }

  public static func authority(_ name: String) -> CertificateShape {
    var shape = CertificateShape(commonNames: [name])
    shape.organization = "Pin Policy Tests"
    shape.isAuthority = true
    shape.keyUsage = "critical,keyCertSign,cRLSign"
    return shape
  }

  /// A server's, with the first host as the Common Name.
  public static func server(_ hosts: String...) -> CertificateShape {
    var shape = CertificateShape(commonNames: Array(hosts.prefix(1)))
    shape.hosts = hosts
    shape.keyUsage = "critical,digitalSignature"
    shape.extendedKeyUsage = "serverAuth"
    return shape
  }

  /// The same with a change.
  public func with(_ change: (inout CertificateShape) -> Void) -> CertificateShape {
    var shape = self
    change(&shape)
    return shape
  }

  var allExtensions: [Extension] {
    var list: [Extension] = []
    if isAuthority {
      let length = pathLength.map { ",pathlen:\($0)" } ?? ""
      list.append(Extension("basicConstraints", "critical,CA:TRUE" + length))
    }
    if let keyUsage { list.append(Extension("keyUsage", keyUsage)) }
    if let extendedKeyUsage { list.append(Extension("extendedKeyUsage", extendedKeyUsage)) }
    if !hosts.isEmpty {
      let names = hosts.map { Self.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
      list.append(Extension("subjectAltName", names.joined(separator: ",")))
    }
    if hasKeyIdentifiers {
      list.append(Extension("subjectKeyIdentifier", "hash"))
      list.append(Extension("authorityKeyIdentifier", "keyid"))
    }
    return list + extensions
  }

  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.split(separator: ".").allSatisfy { UInt8($0) != nil }
  }
}

/// One time for all certificates of a run.
public enum TestTime {
  /// Seconds since 1970 when it was first asked for.
  public static let now = Int64(Date().timeIntervalSince1970)
}
