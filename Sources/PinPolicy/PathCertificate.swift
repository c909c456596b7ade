/// What pins see of one certificate: what it is called and which key it has.
public struct PathCertificate: Equatable, Sendable {
  public let commonName: CommonName
  public let spki: SPKIPin

  public init(commonName: CommonName, spki: SPKIPin) {
    self.commonName = commonName
    self.spki = spki
  }
}
