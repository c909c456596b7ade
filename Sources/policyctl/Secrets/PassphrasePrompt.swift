import Glibc
import PinCrypto

/// Asks for a passphrase at the terminal, without showing what is typed.
enum PassphrasePrompt {
  /// Whether somebody is there to be asked.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

  /// - Returns: what was typed; nil when it was broken off.
  static func ask(_ question: String) -> SecretBytes? {
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var silent = before
    // Signals from the keyboard are off too: one that ended the process here would leave a terminal
    // that shows nothing. Control-C arrives as a byte instead.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
    defer { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    show(question + ": ")
    defer { show("\n") }
    var isWhole = false
    let secret = unsafe SecretBytes(capacity: KeyLimits.passphraseBytes) { room in
      let typed = unsafe type(into: room)
      isWhole = typed != nil
      return typed ?? 0
    }
    return isWhole ? secret : nil
  }

  private static func show(_ text: String) {
    _ = StandardStreams.write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Reads a line byte by byte, as the terminal's own line editing would.
  ///
  /// - Returns: how many bytes there are; nil when it was broken off, or too long to be one.
  private static func type(into room: UnsafeMutableRawBufferPointer) -> Int? {
    var count = 0
    while true {
      var byte: UInt8 = 0
      let got = unsafe read(STDIN_FILENO, &byte, 1)
      if got < 0, errno == EINTR { continue }
      guard got == 1 else { return nil }
      switch byte {
      case 0x0a, 0x0d: return count
      case 0x03, 0x04: return nil  // Control-C, Control-D
      case 0x15: count = 0  // Control-U
      case 0x08, 0x7f:
        // The bytes of one UTF-8 scalar.
        while count > 0 {
          count -= 1
          if unsafe room[count] & 0xc0 != 0x80 { break }
        }
      default:
        guard count < room.count else { return nil }
        unsafe room[count] = byte
        count += 1
      }
    }
  }
}
