/// What a policy says about one host pattern.
public struct HostRule: Hashable, Sendable {
  public enum Mode: String, Sendable, CaseIterable {
    case enforce, report, exempt
  }

  public let pattern: HostPattern
  public let mode: Mode
  /// Whether the rule governs every name below its own too, at any depth.
  public let includesSubdomains: Bool
  public let pinSet: PinSet
  public let note: String?

  public init(
    pattern: HostPattern, mode: Mode = .enforce, includesSubdomains: Bool = false,
    pinSet: PinSet = .empty, note: String? = nil
  ) {
    self.pattern = pattern
    self.mode = mode
    self.includesSubdomains = includesSubdomains
    self.pinSet = pinSet
    self.note = note
  }
}

/// Which hosts a rule is for.
public enum HostPattern: Hashable, Sendable, CustomStringConvertible {
  case host(HostName)
  case wildcard

  /// The canonical text: a name, an address, or `*`.
  public var description: String {
    switch self {
    case .host(let name): name.description
    case .wildcard: "*"
    }
  }
}
