internal import COpenSSL

/// Asks an `EVP_PKEY` for its parameters, by provider-key(7) name. Borrows the key: it must not
/// outlive it.
@safe
struct KeyParameters {
  private let key: OpaquePointer

  /// - Parameter key: alive as long as this value is used.
  @unsafe
  init(of key: OpaquePointer) { unsafe self.key = key }

  var type: Int32 { unsafe EVP_PKEY_get_base_id(key) }

  var bits: Int { unsafe Int(EVP_PKEY_get_bits(key)) }

  var typeName: String? {
    unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) }
  }

  func text(_ name: String) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      var length = 0
      guard let start = buffer.baseAddress,
        unsafe EVP_PKEY_get_utf8_string_param(key, name, start, buffer.count, &length) == 1
      else { return nil }
      return unsafe String(cString: start)
    }
  }

  func integer(_ name: String) -> Int? {
    var value: Int32 = 0
    guard unsafe EVP_PKEY_get_int_param(key, name, &value) == 1 else { return nil }
    return Int(value)
  }

  /// Big-endian, without leading zeros or padded to `byteCount`.
  func number(_ name: String, byteCount: Int? = nil) -> [UInt8]? {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1, let number = unsafe number
    else { return nil }
    defer { unsafe BN_free(number) }
    let count = byteCount ?? (Int(unsafe BN_num_bits(number)) + 7) / 8
    var written: Int32 = -1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      written = unsafe BN_bn2binpad(number, buffer.baseAddress, Int32(clamping: count))
      filled = Int(written) == count ? count : 0
    }
    return Int(written) == count ? bytes : nil
  }

  /// The public key of a kind that has an encoding without structure (RFC 8032).
  func rawPublicKey(byteCount: Int) -> [UInt8]? {
    var count = byteCount
    var status: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, filled in
      status = unsafe EVP_PKEY_get_raw_public_key(key, buffer.baseAddress, &count)
      filled = status == 1 ? min(count, byteCount) : 0
    }
    return bytes.count == byteCount ? bytes : nil
  }
}
