public import StrictJSON

extension PolicyDecodingError: Refusal {
  public var category: FailureCategory {
    switch reason {
    case .json(.tooLong), .json(.tooDeep), .json(.numberTooLong), .limit: .limit
    case .audience: .audience
    case .emptyWindow: .time
    default: .payload
    }
  }

  public var code: String {
    switch reason {
    case .json(let reason): reason.code
    case .version: "unknown-version"
    case .missingMember: "missing-member"
    case .unknownMember: "unknown-member"
    case .notAllowed: "not-allowed-here"
    case .wrongType: "wrong-type"
    case .unknownWord: "unknown-word"
    case .number: "bad-number"
    case .identifier: "bad-identifier"
    case .emptyList: "empty-list"
    case .emptyValue: "empty-value"
    case .noPins: "no-pins"
    case .forbiddenCharacter: "forbidden-character"
    case .textTooLong: "text-too-long"
    case .reportURL: "bad-url"
    case .repeatedURL: "repeated-url"
    case .tooManyURLs: "too-many-urls"
    case .host(let error): error.code
    case .sameHost: "same-host"
    case .reservedName: "reserved-name"
    case .pin(let error): error.code
    case .unknownName: "unknown-name"
    case .limit(let countable, _): "too-many-\(countable)"
    case .audience: "wrong-audience"
    case .emptyWindow: "empty-window"
    }
  }

  public var message: String {
    let place = path.map { PrintableText.cut(PrintableText.escape($0.description)) + ": " } ?? ""
    let lineAndColumn = line.flatMap { line in
      column.map { "line \(line), column \($0): " }
    }
    return (lineAndColumn ?? "") + place + reason.message
  }

  public var detail: [JSONMember] {
    var detail: [JSONMember] = []
    if let path { detail.append(JSONMember("path", .string(path.description))) }
    if let line { detail.append(JSONMember("line", .integer(Int64(line)))) }
    if let column { detail.append(JSONMember("column", .integer(Int64(column)))) }
    switch reason {
    case .host(let error), .reportURL(.host(let error)): detail += error.detail
    case .sameHost(let other): detail.append(JSONMember("other", .string(other.description)))
    case .unknownName(let name): detail.append(JSONMember("name", .string(name)))
    case .limit(_, let most): detail.append(JSONMember("limit", .integer(Int64(most))))
    case .audience(let expected, let found):
      detail.append(JSONMember("expected", .string(expected)))
      detail.append(JSONMember("found", found.map { .string($0) } ?? .null))
    case .emptyWindow(let window):
      detail.append(JSONMember("iat", .integer(window.issuedAt)))
      detail.append(JSONMember("exp", .integer(window.expiresAt)))
    default: break
    }
    return detail
  }

  /// The form of a host that should stand here instead.
  public var canonical: String? {
    switch reason {
    case .host(let error): error.canonical
    default: nil
    }
  }
}

extension PolicyDecodingError.Reason {
  /// What is wrong and what to do, without the place.
  package var message: String {
    switch self {
    case .json(let reason): PrintableText.cut(PrintableText.escape(reason.description))
    case .version(let found?):
      "version \(found) is not known here: this policy needs newer software"
    case .version(nil): "a policy says \"version\": 1, with the literal integer"
    case .missingMember: "this member is required"
    case .unknownMember:
      "no member of this name is known: mistyped, misplaced, or of a newer format"
    case .notAllowed(let misplacement): misplacement.message
    case .wrongType(let expected): "expected \(expected.phrase)"
    case .unknownWord(let allowed): "expected one of " + allowed.joined(separator: ", ")
    case .number(let range):
      "expected a whole number from \(range.lowerBound) to \(range.upperBound), in digits alone"
    case .identifier: "expected 1 to 255 visible ASCII characters, without spaces"
    case .emptyList: "nothing is listed: leave the member out or fill it"
    case .emptyValue: "an empty value would match every name"
    case .noPins:
      "a rule needs a pin (chains or spki), unless its mode is exempt"
    case .forbiddenCharacter(let scalar):
      "\(PrintableText.escape(String(scalar))) may not stand here: control and bidirectional "
        + "characters show another text than is compared"
    case .textTooLong(let most): "at most \(most) bytes of UTF-8 may stand here"
    case .reportURL(let error): error.message
    case .repeatedURL: "this URL is listed already"
    case .tooManyURLs(let most): "at most \(most) URLs may be listed"
    case .host(let error): error.message
    case .sameHost(let other):
      "this is the host of "
        + PrintableText.cut(PrintableText.escape(other.description))
        + " too: merge the two rules"
    case .reservedName:
      "a registered claim's name is no host in profile cnpinning, and has no claim's meaning there"
    case .pin(let error): error.message
    case .unknownName(let name):
      "no pin and no set has the name \(PrintableText.quoted(name))"
    case .limit(let countable, let most): "at most \(most) \(countable) may stand here"
    case .audience(let expected, let found?):
      "the policy is for \(PrintableText.quoted(found)), not for \(PrintableText.quoted(expected))"
    case .audience(let expected, nil):
      "a policy of profile cnpinning has no audience, and \(PrintableText.quoted(expected)) is "
        + "expected"
    case .emptyWindow(let window):
      "iat \(window.issuedAt) is not before exp \(window.expiresAt): the policy is never in force"
    }
  }
}

extension PolicyDecodingError.Misplacement {
  fileprivate var message: String {
    switch self {
    case .subdomainsOfNoName:
      "only a rule for a name says includesSubdomains: * and addresses have nothing below them"
    case .pinsOfExempt: "a rule of mode exempt has no chains, spki or require"
    case .valueOfAny: "a link of type any has no value"
    case .stampOfSource: "signing stamps version, iat and exp: leave them out"
    }
  }
}

extension PolicyDecodingError.Kind {
  fileprivate var phrase: String {
    switch self {
    case .object, .array: "an \(self)"
    case .string, .number: "a \(self)"
    case .boolean: "true or false"
    }
  }
}

extension JSONError.Reason {
  /// The reason's name in kebab case, for a ``Refusal``.
  package var code: String {
    switch self {
    case .tooLong: "json-too-long"
    case .tooDeep: "json-too-deep"
    case .numberTooLong: "json-number-too-long"
    case .invalidUTF8: "json-utf8"
    case .duplicateMember: "duplicate-member"
    default: "json-syntax"
    }
  }
}
