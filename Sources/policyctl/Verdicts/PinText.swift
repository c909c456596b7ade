import PinCrypto
import PinPolicy

/// Pins, links and names, told to a person.
enum PinText {
  /// `“ISRG Root X” and a number`.
  static func expectation(_ link: LinkPattern) -> String {
    switch link {
    case .exact(let value): PrintableText.quoted(value)
    case .prefix(let value): "\(PrintableText.quoted(value)) and whatever follows"
    case .prefixWithNumber(let value): "\(PrintableText.quoted(value)) and a number"
    case .suffix(let value): "whatever ends with \(PrintableText.quoted(value))"
    case .any: "any name"
    }
  }

  /// The name that links see, or why there is none.
  static func name(_ name: CommonName) -> String {
    switch name {
    case .readable(let text): return PrintableText.quoted(text)
    case .unreadable(let fault, let names):
      let shown = names.map(PrintableText.quoted).joined(separator: " and ")
      switch fault {
      case .missing: return "(no Common Name)"
      case .repeated: return "(several Common Names: \(shown))"
      case .undecodable: return "(a Common Name that does not decode)"
      case .empty: return "(an empty Common Name)"
      case .controlCharacter: return "(a control character in \(shown))"
      }
    }
  }

  /// The name by itself, where links see one.
  static func plainName(_ certificate: Certificate) -> String {
    certificate.commonName.readable ?? name(certificate.commonName)
  }

  /// The path, root first, in one line.
  static func names(_ path: [PathCertificate]) -> String {
    path.reversed().map { name($0.commonName) }.joined(separator: " → ")
  }

  static func names(_ chain: ChainPattern) -> String {
    chain.links.map(expectation).joined(separator: " → ")
  }

  /// `until 2027-03-12`; one that is not valid at the time says so.
  static func expiry(of certificate: Certificate, at now: Int64) -> Line {
    guard let end = certificate.notAfter else { return "\("no date that can be read", .bad)" }
    let date = end < 0 ? "before 1970" : String(TimeText.text(of: end).prefix(10))
    if now > end { return "until \(date), \("expired", .bad)" }
    if let start = certificate.notBefore, now < start {
      return "\("only from \(TimeText.text(of: start).prefix(10))", .bad)"
    }
    return "until \(date)"
  }

  /// Whole days until a certificate expires, negative once it has.
  static func daysLeft(_ certificate: Certificate, at now: Int64) -> Int64? {
    secondsLeft(certificate, at: now).map { left in
      left >= 0 ? left / 86_400 : -1 - (-1 - left) / 86_400
    }
  }

  static func secondsLeft(_ certificate: Certificate, at now: Int64) -> Int64? {
    certificate.notAfter.map { $0.subtractingReportingOverflow(now).partialValue }
  }
}
