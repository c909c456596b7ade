internal import COpenSSL

/// What deriving keys from a passphrase has cost for one file, so that no file costs more than
/// ``KeyLimits``.
struct EncryptionCost {
  private var rounds: UInt64 = 0
  private var scrypt: UInt64 = 0

  /// Accounts for one derivation before it is done.
  ///
  /// Schemes that libcrypto does not know cost nothing: it refuses them.
  /// - Throws: ``KeyFileFault/costlyEncryption``, also for a number that is absent or negative.
  mutating func spend(on algorithm: UnsafePointer<X509_ALGOR>) throws(KeyError) {
    switch unsafe OBJ_obj2nid(algorithm.pointee.algorithm) {
    case NID_pbes2: try unsafe spendPBES2(algorithm)
    case NID_undef: break
    default:
      // PBES1 (RFC 8018 §6.1) and PKCS#12's schemes (RFC 7292 appendix C) have one form.
      guard let parameters = unsafe Self.sequence(of: algorithm, d2i_PBEPARAM) else { return }
      defer { unsafe PBEPARAM_free(parameters) }
      try spend(rounds: unsafe Self.number(parameters.pointee.iter))
    }
  }

  mutating func spend(rounds more: UInt64?) throws(KeyError) {
    guard let more, more <= KeyLimits.rounds &- rounds else { throw .file(.costlyEncryption) }
    rounds &+= more
  }

  /// RFC 8018 §6.2, appendix A.4.
  private mutating func spendPBES2(_ algorithm: UnsafePointer<X509_ALGOR>) throws(KeyError) {
    guard let parameters = unsafe Self.sequence(of: algorithm, d2i_PBE2PARAM) else { return }
    defer { unsafe PBE2PARAM_free(parameters) }
    guard let function = unsafe parameters.pointee.keyfunc else { return }
    switch unsafe OBJ_obj2nid(function.pointee.algorithm) {
    case NID_id_pbkdf2:
      guard let pbkdf2 = unsafe Self.sequence(of: function, d2i_PBKDF2PARAM) else { return }
      defer { unsafe PBKDF2PARAM_free(pbkdf2) }
      try spend(rounds: unsafe Self.number(pbkdf2.pointee.iter))
    case NID_id_scrypt:
      guard let scrypt = unsafe Self.sequence(of: function, d2i_SCRYPT_PARAMS) else { return }
      defer { unsafe SCRYPT_PARAMS_free(scrypt) }
      try spend(
        scryptN: unsafe Self.number(scrypt.pointee.costParameter),
        r: unsafe Self.number(scrypt.pointee.blockSize),
        p: unsafe Self.number(scrypt.pointee.parallelizationParameter))
    default: break
    }
  }

  private mutating func spend(scryptN n: UInt64?, r: UInt64?, p: UInt64?) throws(KeyError) {
    guard let n, let r, let p else { throw .file(.costlyEncryption) }
    let (block, blockOverflow) = n.multipliedReportingOverflow(by: r)
    let (bytes, bytesOverflow) = block.multipliedReportingOverflow(by: 128)
    let (cost, costOverflow) = block.multipliedReportingOverflow(by: p)
    guard !blockOverflow, !bytesOverflow, !costOverflow, bytes < KeyLimits.scryptBytes,
      cost <= KeyLimits.scryptCost &- scrypt
    else { throw .file(.costlyEncryption) }
    scrypt &+= cost
  }

  /// - Returns: nil for a number that is absent, negative or above 2^64.
  static func number(_ integer: UnsafePointer<ASN1_INTEGER>?) -> UInt64? {
    var value: UInt64 = 0
    guard let integer = unsafe integer, unsafe ASN1_INTEGER_get_uint64(&value, integer) == 1
    else { return nil }
    return value
  }

  /// Decodes an algorithm's parameters as libcrypto will; nil when it won't be able to.
  private static func sequence<Parameters>(
    of algorithm: UnsafePointer<X509_ALGOR>,
    _ decode: (
      UnsafeMutablePointer<UnsafeMutablePointer<Parameters>?>?,
      UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> UnsafeMutablePointer<Parameters>?
  ) -> UnsafeMutablePointer<Parameters>? {
    guard let parameter = unsafe algorithm.pointee.parameter,
      unsafe parameter.pointee.type == V_ASN1_SEQUENCE,
      let text = unsafe parameter.pointee.value.sequence
    else { return nil }
    var next = unsafe ASN1_STRING_get0_data(text)
    return unsafe decode(nil, &next, Int(ASN1_STRING_length(text)))
  }
}
