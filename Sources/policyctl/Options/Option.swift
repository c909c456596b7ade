import PinPolicy

/// An option of a verb: how it is written, what value it takes, what help says of it.
///
/// Declared once; the parser, the help texts, and whatever completes or documents the command line
/// read the same declaration.
struct Option: Sendable {
  /// The long name, without its dashes.
  let name: String
  let short: Character?
  /// What stands after it; nil for a flag.
  let value: OptionValueKind?
  let isRepeatable: Bool
  /// What help says of it.
  let meaning: String

  init(
    _ name: String, short: Character? = nil, _ value: OptionValueKind?, repeatable: Bool = false,
    _ meaning: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    isRepeatable = repeatable
    self.meaning = meaning
  }

  /// A flag.
  init(_ name: String, short: Character? = nil, _ meaning: String) {
    self.init(name, short: short, nil, meaning)
  }

  /// Whether its value is a file that is read.
  var isInput: Bool {
    guard case .file = value else { return false }
    return ![Self.output, .publicOutput, .junit].contains { $0.name == name }
  }

  /// `--key PUB`, as usage lines write it.
  var synopsis: String {
    guard let value else { return "--\(name)" }
    return "--\(name) \(value.placeholder)"
  }
}

/// What the value of an option may be.
enum OptionValueKind: Sendable {
  /// The name of a file; `-` where a stream will do.
  case file(String)
  case text(String)
  /// One of a few words.
  case choice(String, [String])
  /// RFC 3339 or whole seconds since 1970.
  case time
  /// `90s 15m 12h 7d 4w`.
  case duration
  /// Seconds, with or without their unit, up to a number.
  case seconds(most: Int64)
  /// Whom a policy is for: 1 to 255 visible ASCII characters.
  case audience(String)
  /// A whole number from 1.
  case count(most: Int64)

  /// How usage lines write it.
  var placeholder: String {
    switch self {
    case .file(let name), .text(let name), .choice(let name, _), .audience(let name): name
    case .time: "TIME"
    case .duration: "DURATION"
    case .seconds: "SECONDS"
    case .count: "N"
    }
  }

  /// - Throws: why the text is no such value.
  func value(of text: String) throws(Rejection) -> OptionValue {
    if isNumber, Self.isNegative(text) {
      throw Rejection("\(PrintableText.quoted(text)) is negative")
    }
    switch self {
    case .file, .text:
      if text.isEmpty { throw Rejection("the value is empty") }
      return .text(text)
    case .choice(_, let words):
      if words.contains(text) { return .text(text) }
      let listed = words.count > 12 ? "" : "; it is one of " + words.joined(separator: " ")
      throw Rejection(
        "\(PrintableText.quoted(text)) is not known" + listed
          + Suggestion.phrase(for: text, among: words))
    case .time:
      do { return .number(try TimeText.time(text)) } catch { throw Rejection(error.message) }
    case .duration:
      do { return .number(try TimeText.duration(text)) } catch { throw Rejection(error.message) }
    case .seconds(let most):
      let isBare = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      let seconds: Int64
      do { seconds = try TimeText.duration(isBare ? text + "s" : text) } catch {
        if case .outOfRange = error {
          throw Rejection("\(PrintableText.quoted(text)) is more than \(most) seconds")
        }
        throw Rejection("\(PrintableText.quoted(text)) is no whole number of seconds")
      }
      if seconds > most {
        throw Rejection("\(PrintableText.quoted(text)) is more than \(most) seconds")
      }
      return .number(seconds)
    case .audience:
      guard (1...255).contains(text.utf8.count),
        text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
      else {
        throw Rejection(
          "\(PrintableText.quoted(text)) is no audience: 1 to 255 visible ASCII characters, without "
            + "spaces")
      }
      return .text(text)
    case .count(let most):
      // A sign or a leading zero would be read as something else by someone else.
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        text.utf8.first != 0x30
      else { throw Rejection("\(PrintableText.quoted(text)) is no whole number from 1") }
      guard let count = Int64(text), count <= most else {
        throw Rejection("\(PrintableText.quoted(text)) is more than \(most)")
      }
      return .number(count)
    }
  }

  /// Whether a value that begins with a dash may have been meant.
  var isNumber: Bool {
    switch self {
    case .time, .duration, .seconds, .count: true
    case .file, .text, .choice, .audience: false
    }
  }

  static func isNegative(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "-")
      && text.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
  }

  struct Rejection: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }
}

/// A value that has passed its kind's check.
enum OptionValue: Sendable {
  case text(String)
  case number(Int64)
}
