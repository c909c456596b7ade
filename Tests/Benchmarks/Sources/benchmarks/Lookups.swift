import CBaseline
import PinPolicy

/// Look-ups of hosts as a service spells them.
///
/// Random hosts are read from afar in blocks before the clock runs, since a service has just read the
/// host that it looks up: what is timed is the policy's memory and not the list's. A third of the random hosts have a rule of their own, a third lie below one that includes
/// subdomains, a third have none.
final class Lookups {
  private let loading: PolicyLoading
  private var cases: [Int: Case] = [:]

  init(_ loading: PolicyLoading) { self.loading = loading }

  private struct Case {
    let policy: Policy
    let random: [String]
    let names: [HostName]
    let hot: [String]
  }

  func time(_ kind: String, hosts: Int, turns: Int) throws -> Int64 {
    let prepared = try prepared(hosts)
    switch kind {
    case "random": return try look(prepared.random, in: prepared.policy, turns: turns)
    case "hot": return try look(prepared.hot, in: prepared.policy, turns: turns)
    case "random-name": return try look(prepared.names, in: prepared.policy, turns: turns)
    default: throw Fault(kind)
    }
  }

  func allocations(hosts: Int, turns: Int) throws -> Int64 {
    let prepared = try prepared(hosts)
    var sum = 0
    let before = baseline_allocations()
    for turn in 0..<turns {
      sum &+=
        try prepared.policy.resolve(prepared.random[turn % prepared.random.count]).ruleIndex ?? -1
    }
    let count = baseline_allocations() - before
    guard sum != .min else { throw Fault("unused") }
    return count
  }

  private static let block = 256

  /// Nanoseconds of the look-ups alone.
  private func look(_ hosts: [String], in policy: Policy, turns: Int) throws -> Int64 {
    var sum = 0
    var time: Int64 = 0
    try inBlocks(of: hosts, turns: turns) { place, count in
      let block = hosts[place..<place + count].map {
        String(decoding: Array($0.utf8), as: UTF8.self)
      }
      let start = baseline_now()
      for host in block { sum &+= try policy.resolve(host).ruleIndex ?? -1 }
      time += withExtendedLifetime(block) { baseline_now() - start }
    }
    guard sum != .min else { throw Fault("unused") }
    return time
  }

  private func look(_ hosts: [HostName], in policy: Policy, turns: Int) throws -> Int64 {
    var sum = 0
    var time: Int64 = 0
    try inBlocks(of: hosts, turns: turns) { place, count in
      let block = try hosts[place..<place + count].map {
        try HostName(String(decoding: Array($0.description.utf8), as: UTF8.self))
      }
      let start = baseline_now()
      for host in block { sum &+= policy.resolve(host).ruleIndex ?? -1 }
      time += withExtendedLifetime(block) { baseline_now() - start }
    }
    guard sum != .min else { throw Fault("unused") }
    return time
  }

  /// Goes round and round a list in blocks of neighbours.
  private func inBlocks<Element>(
    of list: [Element], turns: Int, _ body: (_ place: Int, _ count: Int) throws -> Void
  ) rethrows {
    var turn = 0
    while turn < turns {
      let place = turn % list.count
      let count = min(Self.block, turns - turn, list.count - place)
      try body(place, count)
      turn += count
    }
  }

  private func prepared(_ hosts: Int) throws -> Case {
    if let found = cases[hosts] { return found }
    let policy = try loading.policy(hosts: hosts)
    let exact = policy.rules.map(\.pattern.description)
    let parents = policy.rules.filter(\.includesSubdomains).map(\.pattern.description)
    var numbers = SplitMix(state: 1)
    let random = (0..<65_536).map { index -> String in
      switch index % 3 {
      // A text of its own, as a service has: not the storage of the policy's.
      case 0: String(decoding: Array(exact[numbers.next(below: exact.count)].utf8), as: UTF8.self)
      case 1: "node\(numbers.next(below: 100)).\(parents[numbers.next(below: parents.count)])"
      default: "host-\(numbers.next(below: 1_000_000)).elsewhere.example.net"
      }
    }
    // The first hosts of every policy are the same ones.
    let hot = exact.prefix(64).map { String(decoding: Array($0.utf8), as: UTF8.self) }
    let made = Case(
      policy: policy, random: random, names: try random.map { try HostName($0) }, hot: hot)
    cases[hosts] = made
    return made
  }
}

/// Random numbers that are the same in every run.
struct SplitMix {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
