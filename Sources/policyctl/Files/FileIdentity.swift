import Glibc

/// Which file a name leads to, whatever the spelling: by device and number, not by text.
enum FileIdentity: Equatable {
  /// A regular file that is there.
  case file(device: UInt64, number: UInt64)
  /// A name that is free, in a folder that is there.
  case place(device: UInt64, folder: UInt64, name: [UInt8])

  /// - Parameter path: a name; `-` is what standard input was redirected from.
  /// - Returns: nil for what writing does not replace (a pipe, a device, a folder), and for a name
  ///   that leads nowhere.
  init?(_ path: String) {
    var status = stat()
    let isThere =
      path == "-" ? unsafe fstat(STDIN_FILENO, &status) == 0 : unsafe stat(path, &status) == 0
    if isThere {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self = .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
      return
    }
    let (folder, name) = Self.split(path)
    guard path != "-", unsafe stat(folder, &status) == 0 else { return nil }
    self = .place(
      device: UInt64(status.st_dev), folder: UInt64(status.st_ino), name: Array(name.utf8))
  }

  /// The folder of a name, and the name in it.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[...slash]), String(path[path.utf8.index(after: slash)...]))
  }
}
