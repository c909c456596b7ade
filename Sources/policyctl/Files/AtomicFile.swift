import Glibc
import PinCrypto

/// Writes whole files: whoever looks at the name sees what was there before, or all of the new.
///
/// The bytes go to a file without a name where the file system has such, else with a temporary one,
/// are synced, and take the final name in one step; the folder is synced too, so that the name
/// outlives a power cut. Signals wait meanwhile: what ends the process leaves no temporary file.
/// SIGKILL and a power cut can, in the moment in which an old file is replaced, and for longer where
/// there are no files without a name.
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

  /// A file to be written.
  struct Order {
    let contents: SecretBytes
    let path: String
    let access: Access
    let existing: Existing
  }

  static func write(
    _ bytes: [UInt8], to path: String, access: Access = .usual, existing: Existing = .replace
  ) throws(FileError) {
    try write([
      Order(contents: SecretBytes(copying: bytes), path: path, access: access, existing: existing)
    ])
  }

  static func write(
    _ secret: SecretBytes, to path: String, access: Access = .owner, existing: Existing = .refuse
  ) throws(FileError) {
    try write([Order(contents: secret, path: path, access: access, existing: existing)])
  }

  /// Writes files that belong together: none is named before all are whole, and when one can't be
  /// named or the names can't be synced, all go away again and what they replaced comes back (where
  /// the file system has hard links).
  static func write(_ orders: [Order]) throws(FileError) {
    var drafts: [(order: Order, target: Target)] = []
    for order in orders {
      let target = try Target(order)
      if target.isReplaceable {
        drafts.append((order, target))
      } else {
        // Signals don't wait for it: nobody may be reading the pipe.
        try writeThrough(order.contents, to: target.path)
      }
    }
    try Signals.postponed { () throws(FileError) in
      var whole: [FileDraft] = []
      for (order, target) in drafts {
        whole.append(try FileDraft(order.contents, to: target.path, mode: target.mode))
      }
      do throws(FileError) {
        // One after the other at once: whoever ends the process hardly finds a moment between.
        for (index, draft) in whole.enumerated() {
          try draft.name(existing: drafts[index].order.existing)
        }
        for draft in whole { try draft.sync() }
      } catch {
        for draft in whole { draft.withdraw() }
        throw error
      }
    }
  }

  /// Writes to what is no regular file.
  private static func writeThrough(_ bytes: SecretBytes, to path: String) throws(FileError) {
    let output = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard output >= 0 else { throw .unwritable(path: path, errno: errno) }
    defer { close(output) }
    try FileDraft.write(bytes, to: output, path)
  }
}

/// What stands at the name of an output.
private struct Target {
  /// The file itself, where the name was a link to it.
  let path: String
  /// Whether a new file takes its place; a pipe or device is written to.
  let isReplaceable: Bool
  /// nil for what the umask says.
  let mode: mode_t?

  init(_ order: AtomicFile.Order) throws(FileError) {
    var path = order.path
    var mode: mode_t?
    var isReplaceable = true
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      guard order.existing == .replace else { throw .exists(path: path) }
      if status.st_mode & S_IFMT == S_IFLNK {
        path = try Self.target(ofLink: path, owner: status.st_uid)
        guard unsafe stat(path, &status) == 0 else { throw .unwritable(path: path, errno: errno) }
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: mode = status.st_mode & 0o777
      case S_IFDIR: throw .isDirectory(path: path)
      default: isReplaceable = false
      }
    } else if errno != ENOENT {
      throw .unwritable(path: path, errno: errno)
    }
    self.path = path
    self.isReplaceable = isReplaceable
    self.mode = order.access == .owner ? 0o600 : mode
  }

  /// Where a link leads in the end.
  private static func target(ofLink path: String, owner: uid_t) throws(FileError) -> String {
    var folder = stat()
    guard unsafe stat(FileIdentity.split(path).folder, &folder) == 0 else {
      throw .unwritable(path: path, errno: errno)
    }
    let anyoneMayPlant = folder.st_mode & S_ISVTX != 0 && folder.st_mode & S_IWOTH != 0
    guard !anyoneMayPlant || owner == geteuid() || owner == folder.st_uid,
      let resolved = unsafe realpath(path, nil)
    else { throw .untrustedLink(path: path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
