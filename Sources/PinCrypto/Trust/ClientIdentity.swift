internal import COpenSSL
public import PinPolicy
public import StrictJSON

/// What a client shows to a server that asks who it is: a certificate, those above it, and the key.
///
/// Checked when it is made, so that what is wrong with it is said before any server is asked.
public struct ClientIdentity: Sendable {
  public let key: PrivateKey
  /// The key's own certificate first, then each one's issuer, as far as it is there, but for the root,
  /// which the server has (RFC 5246 §7.4.2).
  public let certificates: [Certificate]

  /// Reads a PKCS#12 file, or PEM with the certificates and, unless it is apart, the key.
  ///
  /// - Parameters:
  ///   - file: certificates, with the key or without.
  ///   - keyFile: the private key, where it is in a file of its own.
  ///   - time: when it will be used, in seconds since 1970.
  ///   - passphrase: called once a file when something is encrypted; nil when there is none.
  /// - Throws: ``ClientIdentityError``, ``KeyError``, ``CertificateError``, and what `passphrase`
  ///   throws.
  public init(
    reading file: SecretBytes, keyFile: SecretBytes? = nil, at time: Int64,
    passphrase: @escaping () throws -> SecretBytes?
  ) throws {
    var keys: [PrivateKey] = []
    var certificates: [Certificate] = []
    for item in try PinnableItem.all(in: file, passphrase: passphrase) {
      switch item {
      case .key(.privateKey(let key)): keys.append(key)
      case .certificate(let certificate): certificates.append(certificate)
      case .key: break
      }
    }
    if let keyFile { keys.append(try PrivateKey(reading: keyFile, passphrase: passphrase)) }
    try self.init(keys: keys, certificates: certificates, at: time)
  }

  /// - Parameter certificates: the key's own among them, in any order: PKCS#12 has none. Those that
  ///   vouch for none of the others are left out.
  /// - Throws: ``ClientIdentityError``.
  public init(
    key: PrivateKey, certificates: [Certificate], at time: Int64
  ) throws(ClientIdentityError) {
    try self.init(keys: [key], certificates: certificates, at: time)
  }

  private init(
    keys: [PrivateKey], certificates: [Certificate], at time: Int64
  ) throws(ClientIdentityError) {
    guard let key = keys.first else { throw .noKey }
    guard keys.count == 1 else { throw .severalKeys(count: keys.count) }
    guard let first = certificates.first else { throw .noCertificate }
    guard let index = certificates.firstIndex(where: { $0.holds(key) }) else {
      throw .mismatch(certificate: first.subject)
    }
    let own = certificates[index]
    if let end = own.notAfter, time > end {
      throw .expired(certificate: own.subject, notAfter: end, at: time)
    }
    if let start = own.notBefore, time < start {
      throw .notYetValid(certificate: own.subject, notBefore: start, at: time)
    }
    self.key = key
    self.certificates = Self.path(from: own, through: certificates, at: time)
  }
}

extension ClientIdentity {
  private static func path(
    from own: Certificate, through others: [Certificate], at time: Int64
  ) -> [Certificate] {
    var path = [own]
    while let last = path.last,
      let issuer = others.first(where: { issuer in
        !issuer.isSelfSigned && !path.contains(issuer) && issuer.mayIssue(last, at: time)
          && last.isSigned(by: issuer)
      })
    {
      path.append(issuer)
    }
    return path
  }
}

extension Certificate {
  /// Whether the certificate is for this key.
  fileprivate func holds(_ key: PrivateKey) -> Bool {
    OpenSSLError.clear()
    defer { OpenSSLError.clear() }
    return unsafe withPointer { certificate in
      unsafe key.withPointer { unsafe X509_check_private_key(certificate, $0) == 1 }
    }
  }
}

/// Why a client identity can't be used.
public enum ClientIdentityError: Refusal, Equatable {
  case noKey
  case severalKeys(count: Int)
  case noCertificate
  /// No certificate is for the key.
  case mismatch(certificate: String)
  case expired(certificate: String, notAfter: Int64, at: Int64)
  case notYetValid(certificate: String, notBefore: Int64, at: Int64)

  public var category: FailureCategory { .input }

  public var code: String {
    switch self {
    case .noKey: "no-client-key"
    case .severalKeys: "several-client-keys"
    case .noCertificate: "no-client-certificate"
    case .mismatch: "client-key-mismatch"
    case .expired: "client-certificate-expired"
    case .notYetValid: "client-certificate-not-yet-valid"
    }
  }

  public var message: String { message { "\($0) (seconds since 1970)" } }

  /// - Parameter text: how a time is written, from seconds since 1970.
  public func message(writing text: (Int64) -> String) -> String {
    switch self {
    case .noKey:
      "The client identity has no private key: give a PKCS#12 file, or the key beside the certificate."
    case .severalKeys(let count):
      "The client identity has \(count) private keys, and one is needed."
    case .noCertificate:
      "The client identity has no certificate: give the certificate beside the key."
    case .mismatch(let certificate):
      "The client certificate \(PrintableText.quoted(certificate)) is not for the private key: "
        + "give the two that belong together."
    case .expired(let certificate, let notAfter, _):
      "The client certificate \(PrintableText.quoted(certificate)) expired at "
        + "\(text(notAfter)): get it renewed."
    case .notYetValid(let certificate, let notBefore, _):
      "The client certificate \(PrintableText.quoted(certificate)) is valid only from "
        + "\(text(notBefore)): check this clock."
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .noKey, .noCertificate: []
    case .severalKeys(let count): [JSONMember("count", .integer(Int64(count)))]
    case .mismatch(let certificate): [JSONMember("certificate", .string(certificate))]
    case .expired(let certificate, let notAfter, let time):
      [
        JSONMember("certificate", .string(certificate)),
        JSONMember("notAfter", .integer(notAfter)), JSONMember("at", .integer(time)),
      ]
    case .notYetValid(let certificate, let notBefore, let time):
      [
        JSONMember("certificate", .string(certificate)),
        JSONMember("notBefore", .integer(notBefore)), JSONMember("at", .integer(time)),
      ]
    }
  }
}
