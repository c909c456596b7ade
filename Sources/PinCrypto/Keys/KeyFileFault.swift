internal import StrictJSON

/// Why a file is not the key that was asked for.
public enum KeyFileFault: Equatable, Sendable {
  /// What a reader was asked for.
  public enum Wanted: String, Sendable {
    case privateKey = "the private key"
    case publicKey = "the public key"
    /// Anything with a public half: a key, public or private, or a certificate request.
    case key = "a key or a certificate request"
    case pinnable = "a certificate, a key or a certificate request"
  }

  case empty
  case tooLarge(limit: Int)
  case tooManyEntries(limit: Int)
  /// Neither PEM nor DER nor JSON.
  case notAKey
  case malformedPEM(OpenSSLError)
  case found(KeyForm, wanted: Wanted)
  case severalKeys(count: Int)
  /// A PKCS#12 file without a private key.
  case noPrivateKey
  case passphraseMissing
  case passphraseTooLong(limit: Int)
  case wrongPassphrase
  /// Encrypted in a way that this libcrypto does not do.
  case unsupportedEncryption(OpenSSLError)
  /// Deriving the key would cost more than ``KeyLimits`` allows.
  case costlyEncryption
  /// The numbers of a private key do not belong together: `n is not p·q`.
  case inconsistent(String)
  /// An RSA key of more than two primes, or of more bits than libcrypto computes with.
  case unsupportedRSA

  var code: String {
    switch self {
    case .empty: "empty-file"
    case .tooLarge: "file-too-large"
    case .tooManyEntries: "too-many-keys"
    case .notAKey: "not-a-key"
    case .malformedPEM: "malformed-pem"
    case .found(_, .privateKey): "not-a-private-key"
    case .found(_, .publicKey): "not-a-public-key"
    case .found(_, .key): "not-a-key-or-request"
    case .found(_, .pinnable): "not-pinnable"
    case .severalKeys: "several-keys"
    case .noPrivateKey: "no-private-key"
    case .passphraseMissing: "passphrase-missing"
    case .passphraseTooLong: "passphrase-too-long"
    case .wrongPassphrase: "wrong-passphrase"
    case .unsupportedEncryption: "unsupported-encryption"
    case .costlyEncryption: "costly-encryption"
    case .inconsistent: "inconsistent-key"
    case .unsupportedRSA: "unsupported-rsa-key"
    }
  }

  var message: String {
    switch self {
    case .empty: "The file is empty."
    case .tooLarge(let limit): "A key file has at most \(limit) bytes."
    case .tooManyEntries(let limit): "A file may hold at most \(limit) keys."
    case .notAKey:
      "This is no key: give PEM (it begins with -----BEGIN), DER, or a JWK in JSON."
    case .malformedPEM(let error): "The PEM text is damaged (OpenSSL: \(error))."
    case .found(let form, let wanted):
      "This is \(form.name), and \(wanted.rawValue) is needed. "
        + Self.hint(for: form, wanted: wanted)
    case .severalKeys(let count): "The file holds \(count) keys, and one is needed: split it."
    case .noPrivateKey: "The PKCS#12 file holds no private key."
    case .passphraseMissing: "The key is encrypted: give its passphrase."
    case .passphraseTooLong(let limit): "A passphrase has at most \(limit) bytes."
    case .wrongPassphrase: "The passphrase is wrong, or the file is damaged."
    case .unsupportedEncryption(let error):
      "OpenSSL can't undo this encryption; encrypt the key anew with `openssl pkcs8 -topk8 -v2 "
        + "aes-256-cbc` or `openssl pkcs12 -legacy` (OpenSSL: \(error))."
    case .costlyEncryption:
      "Undoing the encryption would take too long: encrypt the key anew with fewer rounds."
    case .inconsistent(let what):
      "The private key's numbers do not belong together: \(what). The file is damaged or forged."
    case .unsupportedRSA:
      "RSA private keys of more than two primes or \(KeyLimits.rsaBits) bits are not supported."
    }
  }

  var detail: [JSONMember] {
    switch self {
    case .tooLarge(let limit), .tooManyEntries(let limit), .passphraseTooLong(let limit):
      [JSONMember("limit", .integer(Int64(limit)))]
    case .severalKeys(let count): [JSONMember("count", .integer(Int64(count)))]
    default: []
    }
  }

  private static func hint(for form: KeyForm, wanted: Wanted) -> String {
    switch (form, wanted) {
    case (.openSSH, _):
      "Convert it: `ssh-keygen -p -m PKCS8 -f FILE` rewrites a private key in place, "
        + "`ssh-keygen -e -m PKCS8 -f FILE` prints a public one."
    case (.pkcs7, _): "Take its certificates: `openssl pkcs7 -in FILE -print_certs`."
    case (.rsaPublicKey, .publicKey), (.rsaPublicKey, .key), (.rsaPublicKey, .pinnable):
      "Convert it: `openssl rsa -RSAPublicKey_in -in FILE -pubout`."
    case (.certificate, .publicKey), (.certificate, .key):
      "Its key: `openssl x509 -in FILE -noout -pubkey`."
    case (.certificateRequest, .publicKey):
      "Its key: `openssl req -in FILE -noout -pubkey`."
    case (.privateJWK, .publicKey): "Leave out d, p, q, dp, dq and qi, and keep this file secret."
    case (.pkcs12, .publicKey):
      "Its key: `openssl pkcs12 -in FILE -nodes -nocerts | openssl pkey -pubout`; "
        + "keep this file secret."
    case (_, .publicKey) where form.isPrivate:
      "Its public half: `openssl pkey -in FILE -pubout`; keep this file secret."
    case (_, .privateKey): "Only whoever has the private key can sign."
    case (_, .pinnable): "Give the certificates themselves."
    default: "Give the key itself."
    }
  }
}
