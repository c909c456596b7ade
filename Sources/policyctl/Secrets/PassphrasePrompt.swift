import Glibc
import PinCrypto

/// Asks for a passphrase at the terminal, without showing what is typed.
enum PassphrasePrompt {
  enum Answer {
    case passphrase(SecretBytes)
    /// More than ``KeyLimits/passphraseBytes``.
    case tooLong
    /// Control-D, or the end of the terminal.
    case brokenOff
  }

  /// Whether somebody is there to be asked.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

  /// A signal that comes meanwhile, Control-C among them, ends the process as ever, but only when
  /// the terminal shows again what is typed.
  static func ask(_ question: String) -> Answer { Signals.awaited { askAwaitingSignals(question) } }

  private static func askAwaitingSignals(_ question: String) -> Answer {
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return .brokenOff }
    var silent = before
    // Keys arrive as bytes, those that send a signal too.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return .brokenOff }
    defer { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    show(question + ": ")
    defer { show("\n") }
    var ending = Ending.brokenOff
    let secret = unsafe SecretBytes(capacity: KeyLimits.passphraseBytes) { room in
      let typed = unsafe type(into: room)
      ending = typed.ending
      return typed.count
    }
    switch ending {
    case .line: return .passphrase(secret)
    case .tooLong: return .tooLong
    case .brokenOff: return .brokenOff
    }
  }

  private static func show(_ text: String) {
    _ = StandardStreams.write(Array(text.utf8), to: STDERR_FILENO)
  }

  private enum Ending { case line, tooLong, brokenOff }

  /// Reads a line byte by byte, as the terminal's own line editing would; one that is too long to
  /// its end, so that nothing of it is left to whoever reads next.
  private static func type(
    into room: UnsafeMutableRawBufferPointer
  ) -> (count: Int, ending: Ending) {
    var count = 0
    var isTooLong = false
    while let byte = nextByte() {
      switch byte {
      case 0x0a, 0x0d: return (count, isTooLong ? .tooLong : .line)
      case 0x03:
        raise(SIGINT)
        return (0, .brokenOff)
      case 0x1c:
        raise(SIGQUIT)
        return (0, .brokenOff)
      case 0x04: return (0, .brokenOff)  // Control-D
      case 0x15:  // Control-U
        count = 0
        isTooLong = false
      case 0x1a: continue  // Control-Z
      case 0x08, 0x7f:
        // The bytes of one UTF-8 scalar.
        while count > 0 {
          count -= 1
          if unsafe room[count] & 0xc0 != 0x80 { break }
        }
      default:
        guard count < room.count else {
          isTooLong = true
          continue
        }
        unsafe room[count] = byte
        count += 1
      }
    }
    return (0, .brokenOff)
  }

  /// The next byte; nil at the end of the terminal, and when a signal came.
  private static func nextByte() -> UInt8? {
    var terminal = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while !Signals.isWaiting {
      // Blocked signals wake nobody up: they are looked for ten times a second.
      let ready = unsafe poll(&terminal, 1, 100)
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      var byte: UInt8 = 0
      let got = unsafe read(STDIN_FILENO, &byte, 1)
      if got < 0, errno == EINTR { continue }
      return got == 1 ? byte : nil
    }
    return nil
  }
}
