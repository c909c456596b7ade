import Foundation
import Glibc
import PinCrypto
import PinPolicy
import TestSupport
import Testing

@testable import policyctl

/// A folder of its own for a test, and what stands in it.
private struct Scratch {
  private let folder: TemporaryFolder
  var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  func file(_ name: String) -> String { path + "/" + name }
  func put(_ text: String, at name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
  }
  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
  }
  func mode(_ name: String) -> mode_t {
    var status = stat()
    return lstat(file(name), &status) == 0 ? status.st_mode & 0o7777 : 0
  }
  func isLink(_ name: String) -> Bool {
    var status = stat()
    return lstat(file(name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }
}

@Suite("bounded files")
struct BoundedFileTests {
  @Test("a file is read up to its limit and not a byte further", arguments: [0, 1, 300_000])
  func limit(size: Int) throws {
    let scratch = try Scratch()
    let text = String(repeating: "x", count: size)
    try scratch.put(text, at: "f")
    let path = scratch.file("f")
    #expect(try BoundedFile.read(path, limit: size) == Array(text.utf8))
    #expect(try BoundedFile.read(path, limit: .max) == Array(text.utf8))
    let secret = try BoundedFile.readSecret(path, limit: size)
    #expect(secret.withBytes { Array($0) } == Array(text.utf8))
    if size > 0 {
      let error = FileError.tooLarge(path: path, limit: size - 1)
      #expect(throws: error) { try BoundedFile.read(path, limit: size - 1) }
      #expect(throws: error) { try BoundedFile.readSecret(path, limit: size - 1) }
      #expect(error.category == .limit)
    }
  }

  @Test("a device without an end stops at the limit")
  func endless() {
    let error = FileError.tooLarge(path: "/dev/zero", limit: 100_000)
    #expect(throws: error) { try BoundedFile.read("/dev/zero", limit: 100_000) }
    #expect(throws: error) { try BoundedFile.readSecret("/dev/zero", limit: 100_000) }
  }

  @Test("a pipe is read to its end")
  func pipe() throws {
    let scratch = try Scratch()
    let path = scratch.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let bytes = [UInt8](repeating: 7, count: 200_000)
    let writer = Thread { write(bytes, path) }
    writer.start()
    #expect(try BoundedFile.read(path, limit: bytes.count) == bytes)
  }

  @Test("directories, missing files and unreadable ones are refused")
  func refusals() throws {
    let scratch = try Scratch()
    #expect(throws: FileError.isDirectory(path: scratch.path)) {
      try BoundedFile.read(scratch.path, limit: 10)
    }
    #expect(throws: FileError.isDirectory(path: scratch.path)) {
      try BoundedFile.readSecret(scratch.path, limit: 10)
    }
    let absent = scratch.file("absent")
    let error = FileError.unreadable(path: absent, errno: ENOENT)
    #expect(throws: error) { try BoundedFile.read(absent, limit: 10) }
    #expect(error.message == "cannot read \(absent): No such file or directory")
  }
}

private func write(_ bytes: [UInt8], _ path: String) {
  try? FileHandle(forWritingTo: URL(fileURLWithPath: path)).write(contentsOf: Data(bytes))
}

@Suite("atomic files")
struct AtomicFileTests {
  @Test("a new file has the usual mode, and a secret one 0600, whatever the umask")
  func modes() throws {
    let scratch = try Scratch()
    let mask = umask(0)
    umask(mask)
    try AtomicFile.write(Array("a".utf8), to: scratch.file("a"))
    try AtomicFile.write(SecretBytes(copying: "b".utf8), to: scratch.file("b"))
    #expect(scratch.text("a") == "a")
    #expect(scratch.text("b") == "b")
    #expect(scratch.mode("a") == 0o666 & ~mask)
    #expect(scratch.mode("b") == 0o600)
    #expect(scratch.names == ["a", "b"])
  }

  @Test("a replaced file keeps its mode, a replaced secret does not")
  func replacing() throws {
    let scratch = try Scratch()
    for name in ["a", "b"] {
      try scratch.put("old and longer", at: name)
      #expect(chmod(scratch.file(name), 0o640) == 0)
    }
    try AtomicFile.write(Array("new".utf8), to: scratch.file("a"))
    try AtomicFile.write(
      SecretBytes(copying: "new".utf8), to: scratch.file("b"), existing: .replace)
    #expect(scratch.text("a") == "new")
    #expect(scratch.text("b") == "new")
    #expect(scratch.mode("a") == 0o640)
    #expect(scratch.mode("b") == 0o600)
    #expect(scratch.names == ["a", "b"])
  }

  @Test("where nothing may be overwritten, whatever is there refuses")
  func noOverwrite() throws {
    let scratch = try Scratch()
    try scratch.put("old", at: "file")
    #expect(symlink("file", scratch.file("link")) == 0)
    #expect(symlink("absent", scratch.file("dangling")) == 0)
    #expect(mkfifo(scratch.file("pipe"), 0o600) == 0)
    #expect(mkdir(scratch.file("folder"), 0o700) == 0)
    let names = scratch.names
    for name in names {
      let path = scratch.file(name)
      #expect(throws: FileError.exists(path: path)) {
        try AtomicFile.write(SecretBytes(copying: "new".utf8), to: path)
      }
    }
    #expect(scratch.text("file") == "old")
    #expect(scratch.names == names)
  }

  @Test("of many writers that may not overwrite, one wins whole")
  func race() async throws {
    let scratch = try Scratch()
    let path = scratch.file("f")
    let texts = (0..<8).map { String(repeating: String($0), count: 50_000) }
    let winners = await withTaskGroup(of: String?.self) { group in
      for text in texts {
        group.addTask {
          do {
            try AtomicFile.write(Array(text.utf8), to: path, existing: .refuse)
            return text
          } catch { return nil }
        }
      }
      return await group.reduce(into: [String]()) { if let text = $1 { $0.append(text) } }
    }
    #expect(winners.count == 1)
    #expect(winners.first == scratch.text("f"))
    #expect(scratch.names == ["f"])
  }

  @Test("a link is followed: its target is replaced and it stays a link")
  func links() throws {
    let scratch = try Scratch()
    #expect(mkdir(scratch.file("real"), 0o700) == 0)
    try scratch.put("old", at: "real/file")
    #expect(symlink("real/file", scratch.file("link")) == 0)
    #expect(symlink("link", scratch.file("second")) == 0)
    try AtomicFile.write(Array("new".utf8), to: scratch.file("second"))
    #expect(scratch.isLink("link") && scratch.isLink("second"))
    #expect(scratch.text("real/file") == "new")
  }

  @Test("a link to nothing is refused, and so is a stranger's in a folder that is open to all")
  func plantedLinks() throws {
    let scratch = try Scratch()
    #expect(symlink("absent", scratch.file("dangling")) == 0)
    let dangling = scratch.file("dangling")
    #expect(throws: FileError.untrustedLink(path: dangling)) {
      try AtomicFile.write([1], to: dangling)
    }
    // Only root can plant a link in somebody else's name.
    guard geteuid() == 0 else { return }
    try scratch.put("old", at: "target")
    #expect(mkdir(scratch.file("open"), 0o777) == 0)
    #expect(chmod(scratch.file("open"), 0o1777) == 0)
    let planted = scratch.file("open/link")
    #expect(symlink(scratch.file("target"), planted) == 0)
    try AtomicFile.write(Array("ours".utf8), to: planted)
    #expect(scratch.text("target") == "ours")
    #expect(lchown(planted, 12_345, 12_345) == 0)
    #expect(throws: FileError.untrustedLink(path: planted)) {
      try AtomicFile.write([1], to: planted)
    }
    #expect(scratch.text("target") == "ours")
  }

  @Test("a device is written to and stays one")
  func devices() throws {
    try AtomicFile.write([1, 2], to: "/dev/null")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    #expect(throws: FileError.unwritable(path: "/dev/full", errno: ENOSPC)) {
      try AtomicFile.write([1], to: "/dev/full")
    }
  }

  @Test("a failure leaves what was there, and no temporary file")
  func failures() throws {
    let scratch = try Scratch()
    let absent = scratch.file("absent/file")
    #expect(throws: FileError.unwritable(path: absent, errno: ENOENT)) {
      try AtomicFile.write([1], to: absent)
    }
    #expect(throws: FileError.isDirectory(path: scratch.path)) {
      try AtomicFile.write([1], to: scratch.path)
    }
    let long = scratch.file(String(repeating: "n", count: 256))
    #expect(throws: FileError.unwritable(path: long, errno: ENAMETOOLONG)) {
      try AtomicFile.write([1], to: long)
    }
    let longest = String(repeating: "n", count: 255)
    try AtomicFile.write(Array("x".utf8), to: scratch.file(longest))
    #expect(scratch.names == [longest])
  }

  @Test("of two files that belong together both are written or none")
  func pairs() throws {
    let scratch = try Scratch()
    func order(_ name: String, _ existing: AtomicFile.Existing = .refuse) -> AtomicFile.Order {
      AtomicFile.Order(
        contents: SecretBytes(copying: name.utf8), path: scratch.file(name), access: .usual,
        existing: existing)
    }
    try AtomicFile.write([order("a"), order("b")])
    #expect(scratch.text("a") == "a" && scratch.text("b") == "b")
    #expect(throws: FileError.exists(path: scratch.file("b"))) {
      try AtomicFile.write([order("c"), order("b")])
    }
    #expect(throws: FileError.unwritable(path: scratch.file("x/y"), errno: ENOENT)) {
      try AtomicFile.write([order("c"), order("x/y")])
    }
    // Free when it is looked at, and taken by the first of the two when it is named.
    for existing in [AtomicFile.Existing.refuse, .replace] {
      #expect(throws: FileError.exists(path: scratch.file("c"))) {
        try AtomicFile.write([order("c", existing), order("c")])
      }
    }
    #expect(scratch.names == ["a", "b"])
    // What the first replaced comes back when a later one can't be named.
    let new = AtomicFile.Order(
      contents: SecretBytes(copying: "new".utf8), path: scratch.file("a"), access: .usual,
      existing: .replace)
    #expect(throws: FileError.exists(path: scratch.file("d"))) {
      try AtomicFile.write([new, order("d"), order("d")])
    }
    #expect(scratch.names == ["a", "b"] && scratch.text("a") == "a")
    try AtomicFile.write([new, order("d")])
    #expect(scratch.names == ["a", "b", "d"] && scratch.text("a") == "new")
  }

  @Test("signals wait while a file is written, and no longer")
  func postponement() {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    let wasBlocked = sigismember(&before, SIGTERM)
    Signals.postponed {
      var during = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &during)
      for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        #expect(sigismember(&during, signal) == 1)
      }
    }
    var after = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &after)
    #expect(sigismember(&after, SIGTERM) == wasBlocked)
  }
}

@Suite("file identities")
struct FileIdentityTests {
  @Test("one file has one identity, whatever the name; a free name too")
  func spellings() throws {
    let scratch = try Scratch()
    try scratch.put("x", at: "file")
    try scratch.put("x", at: "other")
    #expect(symlink("file", scratch.file("link")) == 0)
    #expect(link(scratch.file("file"), scratch.file("hard")) == 0)
    #expect(mkdir(scratch.file("folder"), 0o700) == 0)
    let file = try #require(FileIdentity(scratch.file("file")))
    for name in ["./file", "folder/../file", "link", "hard"] {
      #expect(FileIdentity(scratch.file(name)) == file)
    }
    #expect(FileIdentity(scratch.file("other")) != file)
    let free = try #require(FileIdentity(scratch.file("free")))
    #expect(FileIdentity(scratch.file("folder/.././free")) == free)
    #expect(FileIdentity(scratch.file("folder/free")) != free)
    for path in ["/dev/null", scratch.path, scratch.file("absent/file")] {
      #expect(FileIdentity(path) == nil)
    }
  }
}
