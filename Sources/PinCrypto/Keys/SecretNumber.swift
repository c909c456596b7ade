internal import COpenSSL

/// A secret number, wiped when it goes.
@safe
struct SecretNumber: ~Copyable {
  let pointer: OpaquePointer

  /// - Returns: nil when the key has no such number.
  init?(_ name: String, of key: OpaquePointer) {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1, let number = unsafe number
    else { return nil }
    unsafe pointer = number
  }

  init?(adopting pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe BN_clear_free(pointer) }

  /// Big-endian, without leading zeros or padded to `byteCount`.
  ///
  /// - Returns: nil when the number is longer.
  func bytes(byteCount: Int? = nil) -> SecretBytes? {
    let count = byteCount ?? (Int(unsafe BN_num_bits(pointer)) + 7) / 8
    var written: Int32 = -1
    let bytes = unsafe SecretBytes(capacity: count) { room in
      let start = unsafe room.bindMemory(to: UInt8.self).baseAddress
      written = unsafe BN_bn2binpad(pointer, start, Int32(clamping: count))
      return count
    }
    return Int(written) == count ? bytes : nil
  }

  var isOne: Bool { unsafe BN_is_one(pointer) == 1 }

  func equals(_ other: borrowing SecretNumber) -> Bool {
    unsafe BN_cmp(pointer, other.pointer) == 0
  }

  /// The number less one; nil for 1 and less, which no modulus is.
  var predecessor: SecretNumber? {
    guard let less = unsafe SecretNumber(adopting: BN_dup(pointer)),
      unsafe BN_sub_word(less.pointer, 1) == 1, unsafe BN_is_zero(less.pointer) == 0,
      unsafe BN_is_negative(less.pointer) == 0
    else { return nil }
    return less
  }
}

/// libcrypto's arithmetic, with wiped scratch space.
@safe
struct SecretArithmetic: ~Copyable {
  private let context: OpaquePointer

  init() throws(KeyError) {
    guard let context = unsafe BN_CTX_secure_new() else { throw .openSSL(.drained()) }
    unsafe self.context = context
  }

  deinit { unsafe BN_CTX_free(context) }

  func product(_ a: borrowing SecretNumber, _ b: borrowing SecretNumber) -> SecretNumber? {
    guard let result = unsafe SecretNumber(adopting: BN_secure_new()),
      unsafe BN_mul(result.pointer, a.pointer, b.pointer, context) == 1
    else { return nil }
    return result
  }

  func product(
    _ a: borrowing SecretNumber, _ b: borrowing SecretNumber, modulo m: borrowing SecretNumber
  ) -> SecretNumber? {
    guard let result = unsafe SecretNumber(adopting: BN_secure_new()),
      unsafe BN_mod_mul(result.pointer, a.pointer, b.pointer, m.pointer, context) == 1
    else { return nil }
    return result
  }

  func remainder(_ a: borrowing SecretNumber, modulo m: borrowing SecretNumber) -> SecretNumber? {
    guard let result = unsafe SecretNumber(adopting: BN_secure_new()),
      unsafe BN_nnmod(result.pointer, a.pointer, m.pointer, context) == 1
    else { return nil }
    return result
  }
}
