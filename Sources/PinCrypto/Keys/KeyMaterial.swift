internal import COpenSSL

/// The parts of a key pair on their way to libcrypto, wiped afterwards.
@safe
struct KeyMaterial: ~Copyable {
  private let builder: OpaquePointer
  // What the builder borrows until the key is made: names, too.
  private var numbers: [OpaquePointer]
  private var octets: [SecretBytes] = []

  init() throws(KeyError) {
    OpenSSLError.clear()
    guard let builder = unsafe OSSL_PARAM_BLD_new() else { throw .openSSL(.drained()) }
    unsafe self.builder = builder
    unsafe numbers = []
  }

  deinit {
    unsafe OSSL_PARAM_BLD_free(builder)
    for index in unsafe numbers.indices { unsafe BN_clear_free(numbers[index]) }
  }

  /// - Parameters:
  ///   - name: of provider-key(7), as everywhere here.
  ///   - bytes: big-endian.
  mutating func add(_ name: String, number bytes: SecretBytes) throws(KeyError) {
    // Of a secure number the builder makes a copy that is wiped.
    guard let number = unsafe BN_secure_new() else { throw .openSSL(.drained()) }
    unsafe numbers.append(number)
    let filled = unsafe bytes.withBytes { bytes in
      let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
      return unsafe BN_bin2bn(start, Int32(clamping: bytes.count), number) != nil
    }
    let added = unsafe keep(name + "\0").withText { name, _ in
      unsafe OSSL_PARAM_BLD_push_BN(builder, name, number)
    }
    guard filled, added == 1 else { throw .openSSL(.drained()) }
  }

  mutating func add(_ name: String, octets bytes: [UInt8]) throws(KeyError) {
    let name = keep(name + "\0")
    let kept = SecretBytes(copying: bytes)
    octets.append(kept)
    let added = unsafe name.withText { name, _ in
      unsafe kept.withBytes { bytes in
        unsafe OSSL_PARAM_BLD_push_octet_string(builder, name, bytes.baseAddress, bytes.count)
      }
    }
    guard added == 1 else { throw .openSSL(.drained()) }
  }

  mutating func add(_ name: String, text: String) throws(KeyError) {
    let name = keep(name + "\0")
    let added = unsafe keep(text).withText { text, count in
      unsafe name.withText { name, _ in
        unsafe OSSL_PARAM_BLD_push_utf8_string(builder, name, text, Int(count))
      }
    }
    guard added == 1 else { throw .openSSL(.drained()) }
  }

  /// A copy of the text that stays where it is for as long as the builder.
  private mutating func keep(_ text: String) -> SecretBytes {
    let kept = SecretBytes(copying: text.utf8)
    octets.append(kept)
    return kept
  }

  /// Makes the key pair, or its public half alone, for the caller to free.
  ///
  /// - Parameter type: `RSA` or `EC`.
  func key(type: String, withPrivateHalf: Bool = true) throws(KeyError) -> OpaquePointer {
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else {
      throw .openSSL(.drained())
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard let parameters = unsafe OSSL_PARAM_BLD_to_param(builder) else {
      throw .openSSL(.drained())
    }
    defer { unsafe OSSL_PARAM_free(parameters) }
    // `EVP_PKEY_KEYPAIR` and `EVP_PKEY_PUBLIC_KEY`, macros of macros that Swift does not import.
    let parts =
      OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS
      | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
      | (withPrivateHalf ? OSSL_KEYMGMT_SELECT_PRIVATE_KEY : 0)
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_fromdata_init(context) == 1,
      unsafe EVP_PKEY_fromdata(context, &key, parts, parameters) == 1,
      let key = unsafe key
    else { throw .unreadable(.drained()) }
    return unsafe key
  }
}
