/// The pins of a host rule: up to five kinds, one matching entry a kind being enough.
public struct PinSet: Hashable, Sendable {
  /// Whether every listed kind must be satisfied, or one of them.
  public enum Requirement: String, Sendable, CaseIterable {
    case all, any
  }

  public let chains: [ChainPattern]
  /// Digests looked for in the whole path.
  public let any: [SPKIPin]
  /// Digests looked for in the leaf.
  public let leaf: [SPKIPin]
  /// Digests looked for in every certificate above the leaf.
  public let ca: [SPKIPin]
  /// Digests looked for in the trust anchor, the path's last certificate.
  public let anchor: [SPKIPin]
  public let requirement: Requirement

  public init(
    chains: [ChainPattern] = [], any: [SPKIPin] = [], leaf: [SPKIPin] = [], ca: [SPKIPin] = [],
    anchor: [SPKIPin] = [], requirement: Requirement = .all
  ) {
    self.chains = chains
    self.any = any
    self.leaf = leaf
    self.ca = ca
    self.anchor = anchor
    self.requirement = requirement
  }

  public static let empty = PinSet()

  public var isEmpty: Bool {
    chains.isEmpty && any.isEmpty && leaf.isEmpty && ca.isEmpty && anchor.isEmpty
  }
}
