/// A list of links, root → leaf, each of which must match one certificate of the validated path.
public struct ChainPattern: Hashable, Sendable {
  public let links: [LinkPattern]

  public init(_ links: [LinkPattern]) { self.links = links }
}
