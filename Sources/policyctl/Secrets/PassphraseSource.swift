import Glibc
import PinCrypto
import PinPolicy

/// Where the passphrase of a private key comes from: a file, the environment, or whoever sits at
/// the terminal. Never from an argument, which every process on the machine can read.
final class PassphraseSource {
  private enum Place {
    case file(String)
    case variable(String)
    case terminal
  }

  private let place: Place
  /// The passphrase that opened a file, to close another one with.
  private(set) var known: SecretBytes?

  /// What the options say; the terminal where they say nothing.
  init(_ arguments: Arguments, file: Option, variable: Option) {
    if let path = arguments.text(file) {
      place = .file(path)
    } else if let name = arguments.text(variable) {
      place = .variable(name)
    } else {
      place = .terminal
    }
  }

  var isTerminal: Bool { if case .terminal = place { true } else { false } }

  /// The passphrase of a file that is there.
  ///
  /// - Throws: exit 3; where nobody can be asked, a failure that names the options.
  func passphrase(of path: String) throws(Failure) -> SecretBytes {
    if let given = try given() {
      known = given
      return given
    }
    guard PassphrasePrompt.isPossible else {
      throw Failure(
        .key, code: "passphrase-missing",
        "The file is encrypted, and there is no terminal to ask for its passphrase.",
        status: .badInput, about: path, hint: "give --passphrase-file FILE or --passphrase-env NAME"
      )
    }
    let typed = try Self.ask("Passphrase of \(PrintableText.escape(path))")
    known = typed
    return typed
  }

  /// A passphrase for a key that is about to be written; the terminal asks for it twice.
  ///
  /// - Throws: exit 2 where nobody can be asked, and for an empty passphrase.
  func newPassphrase(for path: String) throws(Failure) -> SecretBytes {
    if let given = try given() { return given }
    guard PassphrasePrompt.isPossible else {
      throw .usage(
        "passphrase-missing", "a new private key needs a passphrase",
        hint: "give --passphrase-file FILE or --passphrase-env NAME, or say --no-passphrase")
    }
    let path = PrintableText.escape(path)
    let typed = try Self.ask("New passphrase for \(path)")
    let again = try Self.ask("The same again")
    guard
      unsafe typed.withBytes({ left in unsafe again.withBytes { unsafe left.elementsEqual($0) } })
    else { throw .usage("passphrases-differ", "the two passphrases differ") }
    return try Self.checked(typed)
  }

  /// What the file or the variable holds; nil for the terminal.
  private func given() throws(Failure) -> SecretBytes? {
    switch place {
    case .terminal: return nil
    case .file(let path):
      let whole: SecretBytes
      do { whole = try BoundedFile.readSecret(path, limit: KeyLimits.passphraseBytes + 1) } catch {
        if case .tooLarge = error { throw Self.tooLong.about(path) }
        throw Failure(error, status: .badInput)
      }
      let end = unsafe whole.withBytes { unsafe $0.firstIndex(of: 0x0a) ?? $0.count }
      let line = whole.slice(0..<end)
      guard line.count <= KeyLimits.passphraseBytes else { throw Self.tooLong.about(path) }
      return try Self.checked(line)
    case .variable(let name):
      guard let value = unsafe getenv(name) else {
        throw .usage("unset-variable", "the environment has no variable \(name)")
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value))
      return try Self.checked(unsafe SecretBytes(copying: bytes))
    }
  }

  private static func checked(_ secret: SecretBytes) throws(Failure) -> SecretBytes {
    guard secret.count > 0 else { throw .usage("empty-passphrase", "the passphrase is empty") }
    guard secret.count <= KeyLimits.passphraseBytes else { throw tooLong }
    return secret
  }

  private static func ask(_ question: String) throws(Failure) -> SecretBytes {
    switch PassphrasePrompt.ask(question) {
    case .passphrase(let typed): return typed
    case .tooLong: throw tooLong
    case .brokenOff:
      throw Failure(.input, code: "broken-off", "no passphrase was given", status: .badInput)
    }
  }

  private static let tooLong = Failure(
    KeyError.file(.passphraseTooLong(limit: KeyLimits.passphraseBytes)), status: .badInput)
}
