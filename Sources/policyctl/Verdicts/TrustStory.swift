import PinCrypto
import PinPolicy
import PinVerifier
import StrictJSON

/// Why a server is not trusted, told to a person.
struct TrustStory {
  let failure: TrustFailure
  let host: HostName
  let now: Int64
  /// What was given with --crl.
  let lists: [RevocationList]

  /// One sentence that names the certificate and the reason.
  var sentence: String {
    guard let culprit = failure.culprit else { return failure.explanation + "." }
    let who = "the certificate \(PrintableText.quoted(culprit.subject))"
    switch failure.reason {
    case .hostname:
      let names = culprit.alternativeNames.prefix(8).map { PrintableText.escape($0) }
      return names.isEmpty
        ? "\(who) has no subject alternative name; its Common Name does not count."
        : "\(who) is for \(names.joined(separator: ", ")), not for \(host)."
    case .untrusted:
      return
        "\(who) leads to no trust anchor: nobody who is trusted here has issued it; its issuer "
        + "is \(PrintableText.quoted(culprit.issuer))."
    case .selfSigned: return "\(who) signed itself, and is no trust anchor here."
    case .expired: return "\(who) expired at \(date(culprit.notAfter))."
    case .notYetValid: return "\(who) is valid only from \(date(culprit.notBefore))."
    case .weak:
      return "\(who) has a key or signature that is too weak: \(culprit.keyDescription), "
        + "\(culprit.signatureAlgorithm)."
    case .revoked: return "\(who) was revoked."
    case .revocationUnknown: return silence(of: culprit, who)
    default: return "\(who): \(failure.explanation)."
    }
  }

  /// What to do about it.
  var fix: String? {
    switch failure.reason {
    case .hostname: "Get a certificate that names \(host), or use a name that it has."
    case .untrusted:
      "If the issuer is yours, give it with --anchors FILE; if the server leaves out an "
        + "intermediate certificate, make it send the whole chain."
    case .selfSigned: "If it is meant to be trusted, give it with --anchors FILE."
    case .expired: "Renew the certificate, or make the server load the one that was renewed."
    case .notYetValid: "Check this clock, or wait."
    case .signature:
      "It was altered, or another key of the same name signed it: get it again from its source, and "
        + "give the authority that issued it with --anchors FILE."
    case .constraint: "Its authority has to issue it anew, as RFC 5280 wants it in this place."
    case .nameConstraint: "Get the certificate from an authority that may vouch for its names."
    case .criticalExtension:
      "Get one without that extension, or with the extension marked as not critical."
    case .tooLong: "Get a certificate with fewer authorities between it and the anchor."
    case .malformed: "Get the certificate again from its source."
    case .weak: "Get a certificate with RSA of 2048 bits or more, or EC P-256, and SHA-256."
    case .extendedKeyUsage: "It was not issued for TLS servers: get one that was."
    case .revoked: "Replace the certificate; if its key was stolen, deny the key too."
    case .revocationUnknown:
      failure.culprit.map { "Give the current list of \(issuer(of: $0)) with --crl FILE." }
    case .internal: nil
    }
  }

  private func issuer(of certificate: Certificate) -> String {
    PrintableText.quoted(certificate.issuer)
  }

  /// Why no list says whether a certificate was revoked.
  private func silence(of culprit: Certificate, _ who: String) -> String {
    let given = lists.filter { $0.isByIssuer(of: culprit) }
    guard !given.isEmpty else {
      return "no list of \(issuer(of: culprit)), which issued \(who), was given with --crl."
    }
    let faults = given.map { list in
      let fault =
        if let end = list.nextUpdate, end <= now {
          "was to be replaced by \(date(end))"
        } else if let start = list.thisUpdate, start > now {
          "is valid only from \(date(start))"
        } else {
          "does not do: \(failure.explanation)"
        }
      return "\(list.origin.map { PrintableText.escape($0) } ?? "it") \(fault)"
    }
    return "the list of \(issuer(of: culprit)), which issued \(who), can't be used: "
      + faults.joined(separator: "; ") + "."
  }

  private func date(_ time: Int64?) -> String {
    guard let time else { return "a time that can't be read" }
    guard time >= 0 else { return "a time before 1970" }
    let distance = now.subtractingReportingOverflow(time).partialValue
    let length = WindowText.length(abs(distance == .min ? 0 : distance))
    return "\(TimeText.text(of: time)), \(length) \(distance > 0 ? "ago" : "from now")"
  }
}

extension Revocation.Scope {
  /// What was looked up, and what was not.
  var story: String {
    switch self {
    case .none: "revocation not looked up (no --crl)"
    case .leaf: "revocation looked up for the server's certificate, not for its authorities"
    case .chain: "revocation looked up for each certificate below the anchor"
    }
  }
}

extension ValidatedPath {
  var revocationStory: String {
    let files = revocationLists.compactMap(\.origin).map { PrintableText.escape($0) }
    return revocation.story + (files.isEmpty ? "" : ", in " + files.joined(separator: ", "))
  }

  /// The same in JSON, where trust holds.
  var revocationMembers: [JSONMember] {
    let scope = JSONMember("revocation", .string(revocation.rawValue))
    guard revocation != .none else { return [scope] }
    let lists = revocationLists.map { list in
      JSONValue.object([
        JSONMember("file", list.origin.map(JSONValue.string) ?? .null),
        JSONMember("issuer", .string(list.issuer)),
        JSONMember("nextUpdate", list.nextUpdate.map(JSONValue.integer) ?? .null),
      ])
    }
    return [scope, JSONMember("revocationLists", .array(lists))]
  }
}
