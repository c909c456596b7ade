internal import PinPolicy
internal import Synchronization

/// A number that changes whenever what would be accepted changes.
///
/// A TLS session or a pooled connection made in one epoch is not resumed or used again in another
/// without a fresh judgement: resumption shows no certificates (RFC 8446 §2.2), so it is only as good
/// as the policy that it was made under. Numbers are never used twice in a process.
public struct PolicyEpoch: Hashable, Sendable {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }
}

/// The policy that is in force now, and the epoch it makes.
public struct PolicySnapshot: Sendable {
  /// nil when there is none: nothing may then be accepted.
  public let policy: VerifiedPolicy?
  public let epoch: PolicyEpoch
}

/// What a TLS integration asks for the policy in force.
public protocol PolicySnapshotSource: Sendable {
  /// - Parameter time: seconds since 1970; the epoch changes when the policy expires.
  func snapshot(at time: Int64) -> PolicySnapshot
}

/// Holds one policy, replaced as a whole. Readers take a snapshot.
public final class CurrentPolicy: PolicySnapshotSource {
  private struct State {
    var policy: VerifiedPolicy?
    /// The epoch while the policy is in force; the next number is the one after it expired.
    var number: UInt64
  }

  private let state: Mutex<State>

  public init(_ policy: VerifiedPolicy? = nil) {
    state = Mutex(State(policy: policy, number: Self.nextNumber()))
  }

  /// Puts a policy in the place of the one before; nil leaves none.
  public func replace(with policy: VerifiedPolicy?) {
    let number = Self.nextNumber()
    state.withLock { $0 = State(policy: policy, number: number) }
  }

  public func snapshot(at time: Int64) -> PolicySnapshot {
    let state = state.withLock { $0 }
    let isInForce = state.policy?.policy.window.contains(time) ?? false
    return PolicySnapshot(
      policy: state.policy, epoch: PolicyEpoch(number: state.number &+ (isInForce ? 0 : 1)))
  }

  private static let counter = Atomic<UInt64>(1)

  private static func nextNumber() -> UInt64 {
    counter.wrappingAdd(2, ordering: .relaxed).oldValue
  }
}
