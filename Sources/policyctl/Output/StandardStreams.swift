import Glibc

/// The streams that the process was started with.
enum StandardStreams {
  /// Writes all bytes.
  ///
  /// - Returns: the error number of the write that failed, else nil.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor) }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var written = 0
    while written < bytes.count {
      let count = unsafe Glibc.write(
        descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      written += count
    }
    return nil
  }

  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Takes the numbers 0 to 2 where the caller left them closed.
  ///
  /// A file opened later would get such a number, and what is meant for the terminal would be
  /// written into it. Each is opened the wrong way round, so that using it is an error.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
