import Glibc
import PinPolicy
import StrictJSON

/// Why a file could not be read or written.
enum FileError: Refusal, Equatable {
  /// A system call failed while reading.
  case unreadable(path: String, errno: Int32)
  /// A system call failed while writing; what was there before is untouched.
  case unwritable(path: String, errno: Int32)
  case isDirectory(path: String)
  case tooLarge(path: String, limit: Int)
  /// The output is there already and may not be replaced.
  case exists(path: String)
  /// The output is a symbolic link that names no file, or one that someone else could have
  /// planted.
  case untrustedLink(path: String)

  var category: FailureCategory {
    if case .tooLarge = self { .limit } else { .input }
  }

  var code: String {
    switch self {
    case .unreadable: "unreadable-file"
    case .unwritable: "unwritable-file"
    case .isDirectory: "is-directory"
    case .tooLarge: "file-too-large"
    case .exists: "file-exists"
    case .untrustedLink: "untrusted-link"
    }
  }

  var message: String {
    switch self {
    case .unreadable(let path, let errno): "cannot read \(path): \(Self.text(errno))"
    case .unwritable(let path, let errno): "cannot write \(path): \(Self.text(errno))"
    case .isDirectory(let path): "\(path) is a directory"
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
    case .exists(let path): "\(path) exists already and is not overwritten"
    case .untrustedLink(let path):
      "\(path) is a symbolic link that leads nowhere or that another user made; "
        + "name the file itself"
    }
  }

  var detail: [JSONMember] {
    switch self {
    case .unreadable(let path, _), .unwritable(let path, _), .isDirectory(let path),
      .exists(let path), .untrustedLink(let path):
      [JSONMember("file", .string(path))]
    case .tooLarge(let path, let limit):
      [JSONMember("file", .string(path)), JSONMember("limit", .integer(Int64(limit)))]
    }
  }

  private static func text(_ errno: Int32) -> String {
    guard let text = unsafe strerror(errno) else { return "error \(errno)" }
    return unsafe String(cString: text)
  }
}
