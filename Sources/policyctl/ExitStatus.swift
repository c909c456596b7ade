/// What the process says to its caller, and nothing but these.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Done; the answer is yes.
  case success = 0
  /// The answer is no: a signed policy was read and refused, a server would be rejected.
  case refused = 1
  /// Used wrongly: an unknown option, a missing argument, an invalid host.
  case usage = 2
  /// A file, a key, a certificate or a source document is bad, or an output can't be written.
  case badInput = 3
  /// A live server could not be reached.
  case unreachable = 4
  /// A fault of ours (`EX_SOFTWARE`).
  case `internal` = 70

  var meaning: String {
    switch self {
    case .success: "done; the answer is yes"
    case .refused: "the answer is no: a signed policy was refused, a server would be rejected"
    case .usage: "used wrongly: an unknown option, a missing argument, an invalid host"
    case .badInput:
      "a file, key, certificate or source document is bad, or an output can't be written"
    case .unreachable: "a live server could not be reached"
    case .internal: "a fault of ours: please report it"
    }
  }

  /// Of two outcomes of one run, the one that the process ends with.
  func worse(_ other: ExitStatus) -> ExitStatus { rawValue >= other.rawValue ? self : other }
}
