/// The kinds of certificate that a server may have beside each other; each is asked for by itself.
public enum KeyType: String, Sendable, CaseIterable {
  /// ECDSA, Ed25519 and Ed448.
  case ecdsa
  /// RSA and RSASSA-PSS.
  case rsa

  /// What is offered in TLS 1.2: suites with forward secrecy that this kind of key signs for. The
  /// suites of TLS 1.3 all have it, and name no kind of key.
  var cipherList: String {
    switch self {
    case .ecdsa: "ECDHE+aECDSA:!eNULL:!LOW:!3DES:!RC4"
    case .rsa: "ECDHE+aRSA:DHE+aRSA:!eNULL:!LOW:!3DES:!RC4"
    }
  }

  /// What is offered as signature_algorithms (RFC 8446 §4.2.3).
  ///
  /// PKCS#1 stands in both lists: in TLS 1.3 it signs certificates alone, so that an ECDSA
  /// certificate under an RSA authority is still offered to whoever asks for ECDSA.
  var signatureAlgorithms: String { own + ":" + Self.pkcs1 }

  /// What this side may sign with when it shows its own certificate, of whatever kind.
  static let clientSignatureAlgorithms = (allCases.map(\.own) + [pkcs1]).joined(separator: ":")

  private static let pkcs1 = "RSA+SHA256:RSA+SHA384:RSA+SHA512"

  /// What only this kind of key signs with.
  private var own: String {
    switch self {
    case .ecdsa: "ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ed25519:ed448"
    case .rsa:
      "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512:rsa_pss_pss_sha256:"
        + "rsa_pss_pss_sha384:rsa_pss_pss_sha512"
    }
  }
}
