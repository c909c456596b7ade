import PinPolicy
import StrictJSON

/// Why a verb did not do what it was asked, and the exit status that goes with it.
///
/// The status is not a function of the category: category `key` is exit 3 when a trusted key is
/// bad (step 0) and exit 1 when a signed policy names a key that is not trusted (step 4).
struct Failure: Error {
  let category: FailureCategory
  /// The reason in kebab case, stable across releases.
  let code: String
  /// What failed, where, and what to do.
  let message: String
  /// The values behind the message, whole.
  var detail: [JSONMember]
  let status: ExitStatus
  /// The file or argument that it is about.
  var subject: String?
  /// What to do about it, where the message does not say so.
  var hint: String?
  /// For people, a line each: everything that the message counts.
  var list: [String] = []

  init(
    _ category: FailureCategory, code: String, _ message: String, detail: [JSONMember] = [],
    status: ExitStatus, about subject: String? = nil, hint: String? = nil
  ) {
    self.category = category
    self.code = code
    self.message = message
    self.detail = detail
    self.status = status
    self.subject = subject
    self.hint = hint
  }

  /// - Parameter subject: the file that was refused.
  init(
    _ refusal: any Refusal, status: ExitStatus, about subject: String? = nil, hint: String? = nil
  ) {
    self.init(
      refusal.category, code: refusal.code, refusal.message, detail: refusal.detail,
      status: status, about: subject, hint: hint)
  }

  static func usage(
    _ code: String, _ message: String, detail: [JSONMember] = [], hint: String? = nil
  ) -> Failure {
    Failure(.usage, code: code, message, detail: detail, status: .usage, hint: hint)
  }

  /// The same failure, about an argument or file.
  func about(_ subject: String) -> Failure {
    var failure = self
    failure.subject = subject
    return failure
  }

  /// A fault of ours: an error that nothing here is known to throw.
  static func unexpected(_ error: any Error) -> Failure {
    Failure(
      .internal, code: "unexpected", "an error that should not happen: \(error); please report it",
      status: .internal)
  }

  /// The value of `error`, and of a failed line among many results.
  var json: JSONValue {
    var members = detail
    // What is wrong about a server or an argument is wrong about no file.
    let name: String? =
      switch category {
      case .network, .trust: "host"
      case .usage: nil
      default: "file"
      }
    if let subject, let name, !members.contains(where: { $0.name == name }) {
      members.append(JSONMember(name, .string(subject)))
    }
    if let hint { members.append(JSONMember("hint", .string(hint))) }
    return .object([
      JSONMember("category", .string(category.rawValue)),
      JSONMember("code", .string(code)),
      JSONMember("message", .string(PrintableText.message(message))),
      JSONMember("detail", .object(members)),
    ])
  }
}
