/// A host name or an IP address in canonical form.
public struct HostName: Hashable, Sendable, CustomStringConvertible {
  public let description: String
}
