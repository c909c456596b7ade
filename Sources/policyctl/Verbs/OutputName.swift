import PinPolicy
import StrictJSON

/// The name of an output, judged before anything is read.
enum OutputName {
  /// Refuses an output that is one of the files which the verb reads: a slip of the hand would
  /// replace a key or a document that exists once.
  ///
  /// - Parameter inputs: the names of files and what each is for.
  /// - Throws: exit 2.
  static func check(
    _ output: String, isNone inputs: [(path: String?, what: String)]
  ) throws(Failure) {
    guard output != "-", let identity = FileIdentity(output) else { return }
    for (path, what) in inputs {
      guard let path, FileIdentity(path) == identity else { continue }
      throw .usage(
        "output-is-input",
        "the output would replace \(what), \(PrintableText.quoted(path)): it is the same file",
        detail: [JSONMember("file", .string(output))], hint: "give another name for the output")
    }
  }

  /// Refuses two outputs that are one file.
  ///
  /// - Throws: exit 2.
  static func check(_ output: String, differsFrom other: String) throws(Failure) {
    let isSame =
      output == other
      || output != "-" && other != "-"
        && FileIdentity(output).map { $0 == FileIdentity(other) } ?? false
    guard isSame else { return }
    throw .usage(
      "conflicting-options", "--output and --public-out are the same file",
      detail: [JSONMember("file", .string(output))])
  }
}
