internal import COpenSSL

/// Why a chain is not trusted for a host at a time.
public struct TrustFailure: Error, Equatable, Sendable {
  /// The kinds of reason, the same in code, `--json` and the documentation.
  public enum Reason: String, Sendable, CaseIterable {
    /// The host is none of the leaf's subject alternative names.
    case hostname
    /// No path leads to a trust anchor.
    case untrusted
    /// The leaf signed itself and is no trust anchor.
    case selfSigned = "self-signed"
    case expired
    case notYetValid = "not-yet-valid"
    /// A signature on the path does not verify.
    case signature
    /// A key or a signature algorithm is below the security level.
    case weak
    /// basicConstraints, pathLenConstraint or keyUsage forbid the path (RFC 5280 §6.1.4).
    case constraint
    /// extendedKeyUsage does not allow a TLS server (RFC 5280 §4.2.1.12).
    case extendedKeyUsage = "eku"
    /// A name on the path lies outside what an authority above it may name (RFC 5280 §4.2.1.10).
    case nameConstraint = "name-constraint"
    /// A critical extension that nobody here understands.
    case criticalExtension = "critical-extension"
    case revoked
    /// Revocation was asked for, and no list that can be used says anything.
    case revocationUnknown = "revocation-unknown"
    /// The path is longer than allowed.
    case tooLong = "too-long"
    /// A certificate does not decode.
    case malformed
    /// libcrypto failed.
    case `internal`
  }

  public let reason: Reason
  /// The certificate at fault, counted from the leaf, from 0.
  public let certificate: Int?
  /// That certificate; the path that it stands in need not be the list that the server sent.
  public let culprit: Certificate?
  /// What libcrypto calls it: `X509_verify_cert_error_string`.
  public let explanation: String
  /// `X509_V_ERR_…`, as a number; 0 where X509_verify_cert was not the one that refused.
  public let verifyError: Int32

  init(
    _ reason: Reason, certificate: Int?, culprit: Certificate? = nil, explanation: String,
    verifyError: Int32 = 0
  ) {
    self.reason = reason
    self.certificate = certificate
    self.culprit = culprit
    self.explanation = explanation
    self.verifyError = verifyError
  }

  /// A failure of X509_verify_cert.
  package init(verifyError code: Int32, certificate: Int?, culprit: Certificate? = nil) {
    let text = unsafe X509_verify_cert_error_string(Int(code))
    self.init(
      Self.reason(of: code), certificate: certificate, culprit: culprit,
      explanation: unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)",
      verifyError: code)
  }

  private static func reason(of code: Int32) -> Reason {
    switch code {
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH, X509_V_ERR_EMAIL_MISMATCH:
      .hostname
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      .selfSigned
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
      X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED, X509_V_ERR_SUBJECT_ISSUER_MISMATCH,
      X509_V_ERR_AKID_SKID_MISMATCH, X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH,
      X509_V_ERR_PATH_LOOP, X509_V_ERR_DANE_NO_MATCH, X509_V_ERR_NO_VALID_SCTS:
      .untrusted
    case X509_V_ERR_CERT_HAS_EXPIRED: .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
    case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE,
      X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH, X509_V_ERR_SIGNATURE_ALGORITHM_INCONSISTENCY:
      .signature
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK,
      X509_V_ERR_EC_KEY_EXPLICIT_PARAMS, X509_V_ERR_SUITE_B_INVALID_VERSION,
      X509_V_ERR_SUITE_B_INVALID_ALGORITHM, X509_V_ERR_SUITE_B_INVALID_CURVE,
      X509_V_ERR_SUITE_B_INVALID_SIGNATURE_ALGORITHM, X509_V_ERR_SUITE_B_LOS_NOT_ALLOWED,
      X509_V_ERR_SUITE_B_CANNOT_SIGN_P_384_WITH_P_256:
      .weak
    case X509_V_ERR_INVALID_PURPOSE: .extendedKeyUsage
    case X509_V_ERR_INVALID_CA, X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_KEYUSAGE_NO_CERTSIGN,
      X509_V_ERR_INVALID_NON_CA, X509_V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE,
      X509_V_ERR_PROXY_CERTIFICATES_NOT_ALLOWED, X509_V_ERR_PROXY_PATH_LENGTH_EXCEEDED,
      X509_V_ERR_PATHLEN_INVALID_FOR_NON_CA, X509_V_ERR_PATHLEN_WITHOUT_KU_KEY_CERT_SIGN,
      X509_V_ERR_KU_KEY_CERT_SIGN_INVALID_FOR_NON_CA, X509_V_ERR_CA_BCONS_NOT_CRITICAL,
      X509_V_ERR_CA_CERT_MISSING_KEY_USAGE, X509_V_ERR_MISSING_AUTHORITY_KEY_IDENTIFIER,
      X509_V_ERR_MISSING_SUBJECT_KEY_IDENTIFIER, X509_V_ERR_AUTHORITY_KEY_IDENTIFIER_CRITICAL,
      X509_V_ERR_SUBJECT_KEY_IDENTIFIER_CRITICAL, X509_V_ERR_EXTENSIONS_REQUIRE_VERSION_3,
      X509_V_ERR_EMPTY_SUBJECT_ALT_NAME, X509_V_ERR_EMPTY_SUBJECT_SAN_NOT_CRITICAL,
      X509_V_ERR_SUBJECT_NAME_EMPTY, X509_V_ERR_ISSUER_NAME_EMPTY,
      X509_V_ERR_NO_EXPLICIT_POLICY, X509_V_ERR_INVALID_POLICY_EXTENSION,
      X509_V_ERR_PROXY_SUBJECT_NAME_VIOLATION, X509_V_ERR_UNNESTED_RESOURCE:
      .constraint
    case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION,
      X509_V_ERR_SUBTREE_MINMAX, X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE,
      X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX, X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
      .nameConstraint
    case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION, X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION:
      .criticalExtension
    case X509_V_ERR_CERT_REVOKED: .revoked
    case X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER,
      X509_V_ERR_CRL_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE,
      X509_V_ERR_CRL_HAS_EXPIRED, X509_V_ERR_CRL_NOT_YET_VALID,
      X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD, X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD,
      X509_V_ERR_KEYUSAGE_NO_CRL_SIGN, X509_V_ERR_DIFFERENT_CRL_SCOPE,
      X509_V_ERR_CRL_PATH_VALIDATION_ERROR, X509_V_ERR_OCSP_VERIFY_NEEDED,
      X509_V_ERR_OCSP_VERIFY_FAILED, X509_V_ERR_OCSP_CERT_UNKNOWN:
      .revocationUnknown
    case X509_V_ERR_CERT_CHAIN_TOO_LONG: .tooLong
    case X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD, X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD,
      X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, X509_V_ERR_NO_ISSUER_PUBLIC_KEY,
      X509_V_ERR_INVALID_EXTENSION, X509_V_ERR_UNSUPPORTED_EXTENSION_FEATURE,
      X509_V_ERR_UNSUPPORTED_SIGNATURE_ALGORITHM:
      .malformed
    // Of libcrypto 3.2 to 3.6, whose headers need not be there: a raw public key; OCSP and CRLs; two
    // more faults of the authority key identifier.
    case 95: .untrusted
    case 96...101: .revocationUnknown
    case 102, 103: .constraint
    // Out of memory, a wrong call, an unreadable store, an application's own refusal: nothing that is
    // known about the certificates.
    default: .internal
    }
  }
}
