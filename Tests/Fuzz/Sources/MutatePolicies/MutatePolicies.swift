import Foundation
import PinPolicy

/// `MutatePolicies COUNT [SEED]`: gives that many altered, invented and random messages to the
/// verifier, on every processor, and says what became of them.
///
/// Fails when something was accepted that nobody signed, or when memory grew.
@main
struct MutatePolicies {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
    guard let count = arguments.first ?? nil, count > 0, arguments.count <= 2 else {
      FileHandle.standardError.write(Data("usage: MutatePolicies COUNT [SEED]\n".utf8))
      exit(2)
    }
    let seed = arguments.count == 2 ? arguments[1] ?? 0 : UInt64.random(in: 0..<1 << 32)
    let workers = UInt64(ProcessInfo.processInfo.activeProcessorCount)
    print("\(count) messages, seed \(seed), \(workers) at a time")

    let forge = try Forge()
    let start = ContinuousClock.now
    let tally = await withTaskGroup(of: Tally.self) { group in
      for worker in 0..<workers {
        group.addTask {
          var tally = Tally()
          for index in stride(from: worker, to: count, by: Int(workers)) {
            // Caches and arenas have their size after a fifth.
            if worker == 0, tally.early == nil, index >= count / 5 { tally.early = Memory.now() }
            Trial(forge: forge, seed: seed, index: index).run(&tally)
          }
          return tally
        }
      }
      var sum = Tally()
      for await part in group { sum.add(part) }
      return sum
    }
    let late = Memory.now()
    print(tally.table)

    var failures = tally.failures
    if let early = tally.early {
      print(
        "memory after a fifth: \(early.resident) KiB, peak \(early.peak) KiB;"
          + " at the end: \(late.resident) KiB, peak \(late.peak) KiB")
      if late.peak - early.peak > 16 * 1024 { failures.append("memory grew by more than 16 MiB") }
    }
    print(
      "\((ContinuousClock.now - start).formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1))))"
    )
    for failure in failures.prefix(20) { print("FAILED: \(failure)") }
    exit(failures.isEmpty ? 0 : 1)
  }
}

/// What this process holds, in KiB.
struct Memory: Sendable {
  let resident: Int
  let peak: Int

  static func now() -> Memory {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func field(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return Int(line.filter(\.isNumber)) ?? 0
    }
    return Memory(resident: field("VmRSS:"), peak: field("VmHWM:"))
  }
}
