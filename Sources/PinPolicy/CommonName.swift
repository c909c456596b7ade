/// What a certificate is called, as far as links may rely on it.
public enum CommonName: Sendable {
  /// The subject's one Common Name: decoded, not empty, without control characters.
  case readable(String)
  /// No name that a link other than `any` can match, and what there is to show instead.
  case unreadable(Fault, names: [String])

  /// Why a certificate has no readable Common Name.
  public enum Fault: String, Sendable, CaseIterable {
    /// The subject has no Common Name, as under today's ACME profiles.
    case missing
    /// The subject has several: readers disagree on which one counts.
    case repeated
    /// Its bytes are no text in the encoding that they claim.
    case undecodable
    /// It has no characters.
    case empty
    /// It has a character of category Cc: NUL, CR, LF, U+007F–U+009F, …
    case controlCharacter
  }

  /// Judges the Common Names of a subject, in its order.
  ///
  /// - Parameter names: every Common Name, decoded; nil for one that could not be, which is shown
  ///   as U+FFFD.
  public init(_ names: [String?]) {
    guard names.count < 2, let first = names.first else {
      self = .unreadable(
        names.isEmpty ? .missing : .repeated, names: names.map { $0 ?? "\u{FFFD}" })
      return
    }
    guard let name = first else {
      self = .unreadable(.undecodable, names: ["\u{FFFD}"])
      return
    }
    if name.isEmpty {
      self = .unreadable(.empty, names: [name])
    } else if name.unicodeScalars.contains(where: isControl) {
      self = .unreadable(.controlCharacter, names: [name])
    } else {
      self = .readable(name)
    }
  }

  /// The name that links see, or nil.
  public var readable: String? {
    if case .readable(let name) = self { name } else { nil }
  }

  /// Every Common Name of the subject, to be shown; control characters are still in them.
  public var names: [String] {
    switch self {
    case .readable(let name): [name]
    case .unreadable(_, let names): names
    }
  }
}

extension CommonName: Equatable {
  /// Byte for byte, like the links that names are compared with.
  public static func == (left: CommonName, right: CommonName) -> Bool {
    switch (left, right) {
    case (.readable(let left), .readable(let right)): hasSameBytes(left, right)
    case (.unreadable(let left, let names), .unreadable(let right, let others)):
      left == right && names.elementsEqual(others, by: hasSameBytes)
    default: false
    }
  }
}

/// Category Cc, which is these two ranges in every version of Unicode.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
}
