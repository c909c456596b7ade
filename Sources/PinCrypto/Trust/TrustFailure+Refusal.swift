public import PinPolicy
public import StrictJSON

extension TrustFailure: Refusal {
  public var category: FailureCategory { reason == .internal ? .internal : .trust }

  public var code: String { reason.rawValue }

  public var message: String {
    let (which, whose) = (subject, certificate == 0 ? "server's" : "certificate's")
    return switch reason {
    case .hostname:
      "The server's certificate is for other hosts: none of its alternative names is this one "
        + "(a Common Name never counts). Check the host, or have the certificate issued for it."
    case .untrusted:
      "No path leads from the server's certificate to a trust anchor (\(explanation)): the server "
        + "leaves an intermediate out, or its authority is not among the anchors."
    case .selfSigned:
      "The server's certificate signed itself and is no trust anchor: get one from an authority, or "
        + "make it an anchor."
    case .expired:
      "\(which) has expired: renew it, and check this clock."
    case .notYetValid:
      "\(which) is not valid yet: check this clock, and when the certificate begins."
    case .signature:
      "The signature on \(which.lowercasedFirst) does not verify (\(explanation)): it was altered, "
        + "or another key of the same name signed it."
    case .weak:
      "\(which) is too weak (\(explanation)): the \(whose) key or the digest that it was signed "
        + "with is below the security level. Have it issued anew with RSA of 2048 bits or more, or "
        + "an elliptic curve, and SHA-256."
    case .constraint:
      "\(which) breaks a rule of RFC 5280 (\(explanation)): its authority has to issue it anew."
    case .extendedKeyUsage:
      "\(which) is not for TLS servers: its extended key usage does not allow it."
    case .nameConstraint:
      "\(which) has a name that an authority above it may not vouch for (\(explanation))."
    case .criticalExtension:
      "\(which) has a critical extension that nothing here understands."
    case .revoked:
      "\(which) was revoked by its authority: replace it, and take its key for stolen."
    case .revocationUnknown:
      "Whether \(which.lowercasedFirst) was revoked is not known (\(explanation)): get the "
        + "authority's current revocation list."
    case .tooLong:
      "The path is longer than is allowed: fewer authorities may stand between the server and its "
        + "anchor."
    case .malformed:
      "\(which) does not decode (\(explanation))."
    case .internal:
      "Trust evaluation could not be carried out (\(explanation))."
    }
  }

  /// The same names as in `evaluate --json`.
  public var detail: [JSONMember] {
    [
      JSONMember("reason", .string(reason.rawValue)),
      JSONMember("certificate", certificate.map { .integer(Int64($0)) } ?? .null),
      JSONMember("explanation", .string(explanation)),
      JSONMember("verifyError", .integer(Int64(verifyError))),
    ]
  }

  /// The certificate at fault, as a sentence begins.
  private var subject: String {
    switch certificate {
    case nil: "A certificate"
    case 0: "The server's certificate"
    case .some(let index):
      "Certificate \(index) of the path, counted from the server's (0)"
        + (culprit.map { ", \(PrintableText.quoted($0.commonName.names.first ?? $0.subject))," }
          ?? ",")
    }
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
