import Glibc
import PinCrypto

/// A file that is whole and synced, and waits for its name; it goes away when it gets none.
///
/// Its folder is held open, so that all steps happen in the same one.
final class FileDraft {
  private let path: String
  private let file: String
  private let folder: Int32
  private var contents: Int32 = -1
  /// nil for a file that has no name (`O_TMPFILE`).
  private var temporaryName: String?
  /// Whether the name was free before.
  private var tookFreeName = false
  /// What was there before, under another name.
  private var oldName: String?

  /// - Parameter mode: nil for 0666 less the umask.
  init(_ bytes: SecretBytes, to path: String, mode: mode_t?) throws(FileError) {
    self.path = path
    let (folder, file) = FileIdentity.split(path)
    self.file = file
    self.folder = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard self.folder >= 0 else { throw .unwritable(path: path, errno: errno) }
    try create(mode: mode == nil ? 0o666 : 0o600)
    try Self.write(bytes, to: contents, path)
    // After the bytes, so that the umask has no say and nobody reads a half.
    if let mode, fchmod(contents, mode) != 0 { throw failure() }
    guard fsync(contents) == 0 else { throw failure() }
  }

  deinit {
    if let temporaryName { remove(temporaryName) }
    if let oldName { remove(oldName) }
    if contents >= 0 { close(contents) }
    if folder >= 0 { close(folder) }
  }

  /// Linux' `__O_TMPFILE`, whose macro Swift can't read.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
  /// Where a file without a name can be got hold of to give it one (open(2)).
  private static let openFiles = "/proc/self/fd"

  private func create(mode: mode_t) throws(FileError) {
    if unsafe access(Self.openFiles, X_OK) == 0 {
      contents = unsafe openat(folder, ".", Self.unnamed | O_WRONLY | O_CLOEXEC, mode)
    }
    guard contents < 0 else { return }
    let name = Self.freshName()
    contents = unsafe openat(
      folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard contents >= 0 else { throw failure() }
    temporaryName = name
  }

  // Not made of the final name: that may be as long as a name can be.
  private static func freshName() -> String {
    ".policyctl-" + String(UInt64.random(in: .min ... .max), radix: 16)
  }

  static func write(_ bytes: SecretBytes, to descriptor: Int32, _ path: String) throws(FileError) {
    try unsafe bytes.withBytes { bytes throws(FileError) in
      var bytes = unsafe bytes[...]
      while unsafe !bytes.isEmpty {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes)
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno != EINTR { throw .unwritable(path: path, errno: errno) }
        unsafe bytes = bytes.dropFirst(max(count, 0))
      }
    }
  }

  // MARK: Naming

  /// Gives the file its final name, and keeps what was there for ``withdraw()``.
  func name(existing: AtomicFile.Existing) throws(FileError) {
    guard existing == .replace else { return try claim() }
    let name = Self.freshName()
    if unsafe linkat(folder, file, folder, name, 0) == 0 { oldName = name }
    try replace()
  }

  /// Makes the name outlive a power cut.
  func sync() throws(FileError) {
    // Some file systems can't sync a folder (EINVAL); the file itself is synced.
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure() }
  }

  /// Takes the name back: it is free again, or that of the file which had it before.
  func withdraw() {
    var ours = stat()
    var theirs = stat()
    guard tookFreeName || oldName != nil, unsafe fstat(contents, &ours) == 0,
      unsafe fstatat(folder, file, &theirs, AT_SYMLINK_NOFOLLOW) == 0,
      ours.st_dev == theirs.st_dev, ours.st_ino == theirs.st_ino
    else { return }
    if let name = oldName {
      if unsafe renameat(folder, name, folder, file) == 0 { oldName = nil }
    } else {
      remove(file)
    }
  }

  private func replace() throws(FileError) {
    if temporaryName == nil {
      if link(as: file) {
        tookFreeName = true
        return
      }
      guard errno == EEXIST else { throw failure() }
      let name = Self.freshName()
      guard link(as: name) else { throw failure() }
      temporaryName = name
    }
    try rename()
  }

  /// Takes a name that must be free.
  private func claim() throws(FileError) {
    if link(as: file) {
      tookFreeName = true
      return
    }
    switch errno {
    case EEXIST: throw .exists(path: path)
    case EPERM, EOPNOTSUPP, EMLINK:
      // No hard links here (FAT): the name is taken by an empty file, then filled in one step.
      let place = unsafe openat(folder, file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard place >= 0 else { throw errno == EEXIST ? .exists(path: path) : failure() }
      close(place)
      do throws(FileError) { try rename() } catch {
        remove(file)
        throw error
      }
      tookFreeName = true
    default: throw failure()
    }
  }

  /// Gives the file another name, which must be free.
  private func link(as name: String) -> Bool {
    if let temporaryName { return unsafe linkat(folder, temporaryName, folder, name, 0) == 0 }
    return unsafe linkat(
      AT_FDCWD, "\(Self.openFiles)/\(contents)", folder, name, AT_SYMLINK_FOLLOW) == 0
  }

  private func rename() throws(FileError) {
    guard let name = temporaryName, unsafe renameat(folder, name, folder, file) == 0 else {
      throw failure()
    }
    temporaryName = nil
  }

  private func remove(_ name: String) { _ = unsafe unlinkat(folder, name, 0) }

  private func failure() -> FileError { .unwritable(path: path, errno: errno) }
}
