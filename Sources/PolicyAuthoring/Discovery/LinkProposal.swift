public import PinPolicy

/// A link that an administrator might write for a certificate that was seen, and what to think of
/// before it is used.
public struct LinkProposal: Equatable, Sendable {
  /// nil where no link of the profile matches the certificate.
  public let link: LinkPattern?
  public let doubt: Doubt?

  /// Why a proposal needs somebody to look at it.
  public enum Doubt: Equatable, Sendable {
    /// The stable part is so short that names of others begin with it.
    case shortPrefix(String)
    /// The name ends like an address or a version: a prefix of it would match its neighbours.
    case addressLike(String)
    /// What is left without the number has no letter.
    case onlyANumber(String)
    /// The certificate has no Common Name that a link can match.
    case unreadableName
    /// The name is longer than a link may be.
    case longName(String)
    /// The name holds a character that no link may hold.
    case hiddenCharacter(String)
  }

  /// Fewer Unicode scalars than these before the number are few.
  private static let fewScalars = 3

  /// What to propose for one certificate of a path.
  ///
  /// A leaf's name is the host's and says nothing of who issued it: `any` in profile `standard`,
  /// exact in `cnpinning`, which has no `any`. An authority whose name ends in a number keeps what
  /// stands before it across its renewals.
  public init(for name: CommonName, isLeaf: Bool, profile: Profile) {
    if isLeaf, profile == .standard {
      self.init(.any)
      return
    }
    guard let text = name.readable else {
      self.init(profile == .standard ? .any : nil, .unreadableName)
      return
    }
    guard text.unicodeScalars.count <= Limits.standard.linkValueScalars else {
      self.init(profile == .standard ? .any : nil, .longName(text))
      return
    }
    guard !text.unicodeScalars.contains(where: PrintableText.isHidden) else {
      self.init(profile == .standard ? .any : nil, .hiddenCharacter(text))
      return
    }
    self = isLeaf ? LinkProposal(.exact(text)) : Self.authority(named: text)
  }

  private init(_ link: LinkPattern?, _ doubt: Doubt? = nil) {
    self.link = link
    self.doubt = doubt
  }

  private static func authority(named name: String) -> LinkProposal {
    let scalars = name.unicodeScalars
    // ASCII alone: links count no other digits.
    func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map { ("0"..."9").contains($0) } ?? false
    }
    guard isDigit(scalars.last), let end = scalars.lastIndex(where: { !isDigit($0) }) else {
      return isDigit(scalars.last)
        ? LinkProposal(.exact(name), .onlyANumber(name)) : LinkProposal(.exact(name))
    }
    let stable = scalars[...end]
    if stable.last == ":" || (stable.last == "." && isDigit(stable.dropLast().last)) {
      return LinkProposal(.exact(name), .addressLike(name))
    }
    guard stable.contains(where: \.properties.isAlphabetic) else {
      return LinkProposal(.exact(name), .onlyANumber(name))
    }
    let value = String(Substring(stable))
    return LinkProposal(
      .prefixWithNumber(value), stable.count < fewScalars ? .shortPrefix(value) : nil)
  }
}

extension LinkProposal.Doubt {
  /// What is doubtful, and what to do.
  public var message: String {
    switch self {
    case .shortPrefix(let value):
      "\(PrintableText.quoted(value)) and a number is a short name, which others may have too: it "
        + "needs an SPKI pin beside it"
    case .addressLike(let name):
      "\(PrintableText.quoted(name)) ends like an address or a version, so that it is proposed whole"
    case .onlyANumber(let name):
      "\(PrintableText.quoted(name)) is little more than a number, so that it is proposed whole"
    case .unreadableName:
      "a certificate has no Common Name that a link can match: pin its key"
    case .longName(let name):
      "\(PrintableText.quoted(name)) is longer than a link may be: pin its key"
    case .hiddenCharacter(let name):
      "\(PrintableText.quoted(name)) holds a character that no link may hold: pin its key"
    }
  }
}
