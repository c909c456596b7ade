import Glibc
import PinCrypto

/// Reads whole files up to a limit, which counts while reading: what a file says of its size may
/// be wrong or, for a pipe, unknown.
enum BoundedFile {
  /// The bytes of a file; `-` is standard input. Pipes and devices are read to their end.
  ///
  /// - Parameter limit: the most bytes that the file may have.
  static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let source = try Source(path)
    let most = Self.oneMore(than: limit)
    var bytes: [UInt8] = []
    // The size is a hint, so that an ordinary file costs one allocation; a large one is read before
    // it is believed.
    var room = min(max(try source.size(), 0) &+ 1, most, Self.believed)
    bytes.reserveCapacity(room)
    while bytes.count < most {
      let chunk = try source.chunk(atMost: most - bytes.count)
      if chunk.isEmpty { return bytes }
      if room - bytes.count < chunk.count {
        room = min(max(room, chunk.count) * 2, most)
        guard Self.isRoom(for: room) else { throw .unreadable(path: path, errno: ENOMEM) }
        bytes.reserveCapacity(room)
      }
      bytes += chunk
    }
    throw .tooLarge(path: path, limit: limit)
  }

  private static let believed = 8 * 1024 * 1024

  /// Whether memory can be had: where it can't, an array would end the process.
  private static func isRoom(for count: Int) -> Bool {
    guard let room = unsafe malloc(count) else { return false }
    unsafe free(room)
    return true
  }

  /// The bytes of a file with a secret in it, which are held in memory that is wiped.
  static func readSecret(_ path: String, limit: Int) throws(FileError) -> SecretBytes {
    let source = try Source(path)
    _ = try source.size()
    // All the room at once: growing would leave copies behind.
    let secret = try unsafe SecretBytes(capacity: Self.oneMore(than: limit)) {
      room throws(FileError) in
      var count = 0
      while count < room.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...])
        let got = try unsafe source.read(into: rest)
        if got == 0 { break }
        count += got
      }
      return count
    }
    guard secret.count <= limit else { throw .tooLarge(path: path, limit: limit) }
    return secret
  }

  private static func oneMore(than limit: Int) -> Int { limit < .max ? limit + 1 : limit }
}

/// An open file, closed once.
private struct Source: ~Copyable {
  let path: String
  let descriptor: Int32

  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .unreadable(path: path, errno: errno) }
  }

  deinit {
    if descriptor > STDIN_FILENO { _ = close(descriptor) }
  }

  /// What the file says of its size, 0 for a pipe; a directory is refused.
  func size() throws(FileError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .unreadable(path: path, errno: errno)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory(path: path) }
    return Int(status.st_size)
  }

  /// The next bytes, none at the end of the file.
  func chunk(atMost count: Int) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: min(count, 256 * 1024)) { room, got in
      do throws(FileError) {
        got = try unsafe read(into: UnsafeMutableRawBufferPointer(room))
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills some of the room and returns how much, 0 at the end of the file.
  func read(into room: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      let got = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
      if got >= 0 { return got }
      guard errno == EINTR else { throw .unreadable(path: path, errno: errno) }
    }
  }
}
