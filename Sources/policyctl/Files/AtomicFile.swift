import Glibc
import PinCrypto

/// Writes whole files: whoever looks at the name sees what was there before, or all of the new.
///
/// The bytes go to a temporary name in the same folder, are synced, and take the final name in one
/// step; the folder is synced too, so that the name outlives a power cut.
///
/// - A symbolic link is followed, as a shell's `>` would: the file that it points at is replaced
///   and the link stays. A link to nothing is refused, and so is one in a sticky folder that
///   anyone may write to (`/tmp`) unless the link is ours or the folder owner's: somebody else
///   chose where it leads. That is Linux' `protected_symlinks`, which renaming sidesteps.
/// - A pipe or a device (`/dev/stdout`, `/dev/null`) is written to and never replaced.
/// - Where nothing may be overwritten, anything at the name refuses, links and devices included.
enum AtomicFile {
  /// Who may read the file.
  enum Access {
    /// The owner alone (0600), whatever was there before.
    case owner
    /// As the file that is replaced; for a new one 0666 less the umask.
    case usual
  }

  /// What to do about a file that is there already.
  enum Existing {
    case replace, refuse
  }

  static func write(
    _ bytes: [UInt8], to path: String, access: Access = .usual, existing: Existing = .replace
  ) throws(FileError) {
    var failure: FileError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(FileError) {
        try unsafe write(bytes, to: path, access: access, existing: existing)
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  static func write(
    _ secret: SecretBytes, to path: String, access: Access = .owner, existing: Existing = .refuse
  ) throws(FileError) {
    try unsafe secret.withBytes { bytes throws(FileError) in
      try unsafe write(bytes, to: path, access: access, existing: existing)
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to path: String, access: Access, existing: Existing
  ) throws(FileError) {
    var path = path
    var mode: mode_t?
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      guard existing == .replace else { throw .exists(path: path) }
      if status.st_mode & S_IFMT == S_IFLNK {
        path = try target(ofLink: path, owner: status.st_uid)
        guard unsafe stat(path, &status) == 0 else { throw .unwritable(path: path, errno: errno) }
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: mode = status.st_mode & 0o777
      case S_IFDIR: throw .isDirectory(path: path)
      default: return try unsafe writeThrough(bytes, to: path)
      }
    } else if errno != ENOENT {
      throw .unwritable(path: path, errno: errno)
    }
    if access == .owner { mode = 0o600 }
    let folder = try Folder(of: path)
    let draft = try unsafe folder.write(bytes, mode: mode)
    try folder.name(draft, existing: existing)
  }

  /// Where a link leads in the end.
  private static func target(ofLink path: String, owner: uid_t) throws(FileError) -> String {
    var folder = stat()
    guard unsafe stat(Folder.split(path).folder, &folder) == 0 else {
      throw .unwritable(path: path, errno: errno)
    }
    let anyoneMayPlant = folder.st_mode & S_ISVTX != 0 && folder.st_mode & S_IWOTH != 0
    guard !anyoneMayPlant || owner == geteuid() || owner == folder.st_uid,
      let resolved = unsafe realpath(path, nil)
    else { throw .untrustedLink(path: path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Writes to what is no regular file.
  private static func writeThrough(
    _ bytes: UnsafeRawBufferPointer, to path: String
  ) throws(FileError) {
    let output = Descriptor(
      path: path, number: unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY))
    guard output.number >= 0 else { throw .unwritable(path: path, errno: errno) }
    try unsafe output.write(bytes)
  }
}

/// A descriptor, closed once.
private struct Descriptor: ~Copyable {
  let path: String
  let number: Int32

  deinit {
    if number >= 0 { _ = close(number) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var bytes = unsafe bytes[...]
    while unsafe !bytes.isEmpty {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes)
      let count = unsafe Glibc.write(number, rest.baseAddress, rest.count)
      if count < 0, errno != EINTR { throw .unwritable(path: path, errno: errno) }
      unsafe bytes = bytes.dropFirst(max(count, 0))
    }
  }
}

/// The folder of an output, held open so that all steps happen in the same one.
private struct Folder: ~Copyable {
  let path: String
  let file: String
  let descriptor: Descriptor

  init(of path: String) throws(FileError) {
    self.path = path
    let (folder, file) = Self.split(path)
    self.file = file
    descriptor = Descriptor(
      path: path, number: unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard descriptor.number >= 0 else { throw .unwritable(path: path, errno: errno) }
  }

  static func split(_ path: String) -> (folder: String, file: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[...slash]), String(path[path.utf8.index(after: slash)...]))
  }

  /// Writes and syncs the bytes under a temporary name, which is returned.
  func write(_ bytes: UnsafeRawBufferPointer, mode: mode_t?) throws(FileError) -> String {
    // Not made of the final name: that may be as long as a name can be.
    let draft = ".policyctl-" + String(UInt64.random(in: .min ... .max), radix: 16)
    let output = Descriptor(
      path: path,
      number: unsafe openat(
        descriptor.number, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
        mode == nil ? 0o666 : 0o600))
    guard output.number >= 0 else { throw .unwritable(path: path, errno: errno) }
    do throws(FileError) {
      try unsafe output.write(bytes)
      // After the bytes, so that the umask has no say and nobody reads a half.
      if let mode, fchmod(output.number, mode) != 0 {
        throw .unwritable(path: path, errno: errno)
      }
      guard fsync(output.number) == 0 else { throw .unwritable(path: path, errno: errno) }
    } catch {
      remove(draft)
      throw error
    }
    return draft
  }

  /// Gives the temporary file its final name.
  func name(_ draft: String, existing: AtomicFile.Existing) throws(FileError) {
    let here = descriptor.number
    do throws(FileError) {
      if existing == .replace {
        guard unsafe renameat(here, draft, here, file) == 0 else {
          throw .unwritable(path: path, errno: errno)
        }
      } else {
        try claim(for: draft)
      }
    } catch {
      remove(draft)
      throw error
    }
    // Some file systems can't sync a folder (EINVAL); the file itself is synced.
    guard fsync(here) == 0 || errno == EINVAL else { throw .unwritable(path: path, errno: errno) }
  }

  /// Takes a name that must be free, and gives it to the temporary file.
  private func claim(for draft: String) throws(FileError) {
    let here = descriptor.number
    if unsafe linkat(here, draft, here, file, 0) == 0 { return remove(draft) }
    switch errno {
    case EEXIST: throw .exists(path: path)
    case EPERM, EOPNOTSUPP, EMLINK:
      // No hard links here (FAT): the name is taken by an empty file, then filled in one step.
      let place = Descriptor(
        path: path,
        number: unsafe openat(here, file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
      guard place.number >= 0 else {
        throw errno == EEXIST ? .exists(path: path) : .unwritable(path: path, errno: errno)
      }
      guard unsafe renameat(here, draft, here, file) == 0 else {
        let failure = FileError.unwritable(path: path, errno: errno)
        remove(file)
        throw failure
      }
    default: throw .unwritable(path: path, errno: errno)
    }
  }

  private func remove(_ name: String) { _ = unsafe unlinkat(descriptor.number, name, 0) }
}
