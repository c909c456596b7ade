/// Which kinds of a pin set a path satisfies, each by its first matching entry.
///
/// Five fields in place of a list: an accepted verdict allocates nothing.
struct Satisfaction: Sendable {
  /// Positions in the lists of the pin set, from 0; nil for a kind that is not satisfied.
  var chains: Int?
  var any: Int?
  var leaf: Int?
  var ca: Int?
  var anchor: Int?

  subscript(kind: PinKind) -> Int? {
    switch kind {
    case .chains: chains
    case .any: any
    case .leaf: leaf
    case .ca: ca
    case .anchor: anchor
    }
  }
}

extension PinSet {
  /// Looks for the pins of each kind among the certificates that the kind speaks of.
  ///
  /// - Parameter path: leaf first. In a path of one the leaf is the anchor, and nothing is `ca`.
  func satisfaction(by path: [PathCertificate]) -> Satisfaction {
    func first(of pins: [SPKIPin], in seen: Range<Int>) -> Int? {
      pins.firstIndex { pin in seen.contains { path[$0].spki == pin } }
    }
    return Satisfaction(
      chains: chains.firstIndex { $0.matches(path) },
      any: first(of: any, in: PinKind.any.certificates(in: path)),
      leaf: first(of: leaf, in: PinKind.leaf.certificates(in: path)),
      ca: first(of: ca, in: PinKind.ca.certificates(in: path)),
      anchor: first(of: anchor, in: PinKind.anchor.certificates(in: path)))
  }

  /// Whether that is enough. A pin set without pins, which no policy can hold, is never satisfied.
  func isSatisfied(_ found: Satisfaction) -> Bool {
    switch requirement {
    case .any:
      found.chains != nil || found.any != nil || found.leaf != nil || found.ca != nil
        || found.anchor != nil
    case .all:
      !isEmpty && (chains.isEmpty || found.chains != nil) && (any.isEmpty || found.any != nil)
        && (leaf.isEmpty || found.leaf != nil) && (ca.isEmpty || found.ca != nil)
        && (anchor.isEmpty || found.anchor != nil)
    }
  }

  /// The digests of a kind; none for ``PinKind/chains``.
  public func pins(_ kind: PinKind) -> [SPKIPin] {
    switch kind {
    case .chains: []
    case .any: any
    case .leaf: leaf
    case .ca: ca
    case .anchor: anchor
    }
  }
}

extension PinKind {
  /// Which certificates of a path, leaf first, the kind speaks of.
  package func certificates(in path: [PathCertificate]) -> Range<Int> {
    switch self {
    case .chains, .any: 0..<path.count
    case .leaf: 0..<min(1, path.count)
    case .ca: min(1, path.count)..<path.count
    case .anchor: max(0, path.count - 1)..<path.count
    }
  }
}
