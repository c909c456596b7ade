public import PinPolicy
public import StrictJSON

/// A rule for a host that an administrator might write, made from the paths that its server showed.
///
/// It only proposes: what is served today may be an accident, or an attack.
public struct RuleProposal: Sendable {
  public let host: HostName
  public let profile: Profile
  public let includesSubdomains: Bool
  /// A chain for each path that can be said in names, without repeats.
  public let chains: [ChainPattern]
  /// The trust anchors' keys, without repeats; the leaf's own for a path that is nothing but it.
  public let anchors: [SPKIPin]
  public let leaves: [SPKIPin]
  /// What to think of before the rule is used, each once.
  public let doubts: [String]

  /// - Parameters:
  ///   - paths: validated paths, each leaf first.
  ///   - includesSubdomains: left out for an address, which has none.
  public init(
    host: HostName, paths: [[PathCertificate]], profile: Profile, includesSubdomains: Bool = false
  ) {
    var chains: [ChainPattern] = []
    var anchors: [SPKIPin] = []
    var leaves: [SPKIPin] = []
    var doubts: [String] = []
    func add<Element: Equatable>(_ element: Element, to list: inout [Element]) {
      if !list.contains(element) { list.append(element) }
    }
    for path in paths {
      guard let anchor = path.last else { continue }
      // A server certificate that is its own anchor: nobody above it is there to be named.
      if path.count == 1 { add(anchor.spki, to: &leaves) } else { add(anchor.spki, to: &anchors) }
      let proposals = path.enumerated().reversed().map { index, certificate in
        LinkProposal(for: certificate.commonName, isLeaf: index == 0, profile: profile)
      }
      for doubt in proposals.compactMap(\.doubt) { add(doubt.message, to: &doubts) }
      let links = proposals.compactMap(\.link)
      if links.count == path.count, links.contains(where: { $0 != .any }) {
        add(ChainPattern(links), to: &chains)
      } else {
        add("a path has no chain of names in this profile", to: &doubts)
      }
    }
    if profile == .standard, anchors.count + leaves.count < 2 {
      add("there is no backup: add the pin of a key that you could move to", to: &doubts)
    }
    self.host = host
    self.profile = profile
    self.includesSubdomains = includesSubdomains && !host.isAddress
    self.chains = chains
    self.anchors = anchors
    self.leaves = leaves
    self.doubts = doubts
  }

  /// The proposal as a rule that enforces.
  public var rule: HostRule {
    // The server's own key and the authority's are two ways to be right, not two conditions.
    let isEither = !leaves.isEmpty && !(anchors.isEmpty && chains.isEmpty)
    return HostRule(
      pattern: .host(host), includesSubdomains: includesSubdomains,
      pinSet: PinSet(
        chains: chains, leaf: leaves, anchor: anchors, requirement: isEither ? .any : .all))
  }

  /// A member of `hosts` in a source document.
  public var sourceMember: JSONMember { JSONMember(host.description, rule.standardValue()) }
}
