internal import COpenSSL
internal import Glibc

extension SecretBytes {
  /// Keeps the memory of this process out of core dumps and crash reports, and from other processes
  /// of its user, as ptrace(2) would show it to them: for programs that hold secrets.
  package static func stayOutOfDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // The limit does not hold where a program takes the dumps (core(5)); this does.
    _ = pin_policy_forbid_dumps()
    // Swift's runtime answers these by printing what the registers point at.
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      let before = signal(number, SIG_DFL)
      // Whoever started the process may have chosen to ignore one: SIG_IGN is 1 on Linux.
      if unsafe unsafeBitCast(before, to: Int.self) == 1 { _ = signal(number, SIG_IGN) }
    }
  }
}
