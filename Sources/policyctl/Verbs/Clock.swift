import Glibc

/// The time that a verb goes by.
enum Clock {
  /// `--at`, else the system's clock, in seconds since 1970.
  static func now(_ arguments: Arguments) -> Int64 {
    if let time = arguments.number(.at) { return time }
    return Int64(time(nil))
  }
}
