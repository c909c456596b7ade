import COpenSSLTLS
import Synchronization

/// A key pair for tests.
// @unchecked: not changed once it was made.
public final class TestKey: @unchecked Sendable {
  public enum Kind: Hashable, Sendable {
    case p256, p384, p521, ed25519, ed448
    case rsa(Int)
    case rsaPSS(Int)
  }

  public let kind: Kind
  let pointer: OpaquePointer

  /// Makes a key. RSA keys, which are slow to make, are made once a process for each label.
  public static func make(_ kind: Kind, label: String) throws -> TestKey {
    switch kind {
    case .rsa, .rsaPSS:
      let name = "\(kind) \(label)"
      return try made.withLock { keys throws -> TestKey in
        if let key = keys[name] { return key }
        let key = try TestKey(kind)
        keys[name] = key
        return key
      }
    case .p256, .p384, .p521, .ed25519, .ed448: return try TestKey(kind)
    }
  }

  private static let made = Mutex<[String: TestKey]>([:])

  private init(_ kind: Kind) throws {
    self.kind = kind
    let context = try require(EVP_PKEY_CTX_new_from_name(nil, kind.algorithm, nil), "key type")
    defer { EVP_PKEY_CTX_free(context) }
    try require(EVP_PKEY_keygen_init(context), "keygen")
    switch kind {
    case .p256: try require(EVP_PKEY_CTX_set_group_name(context, "P-256"), "curve")
    case .p384: try require(EVP_PKEY_CTX_set_group_name(context, "P-384"), "curve")
    case .p521: try require(EVP_PKEY_CTX_set_group_name(context, "P-521"), "curve")
    case .rsa(let bits), .rsaPSS(let bits):
      try require(EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)), "size")
    case .ed25519, .ed448: break
    }
    var key: OpaquePointer?
    try require(EVP_PKEY_generate(context, &key), "keygen")
    pointer = try require(key, "keygen")
  }

  deinit { EVP_PKEY_free(pointer) }

  /// PKCS#8 in PEM, without a passphrase.
  public var pem: String {
    get throws {
      String(
        decoding: try bytesWritten {
          PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil)
        }, as: UTF8.self)
    }
  }

  /// The SubjectPublicKeyInfo in PEM.
  public var publicPEM: String {
    get throws {
      String(decoding: try bytesWritten { PEM_write_bio_PUBKEY($0, pointer) }, as: UTF8.self)
    }
  }

  /// What to sign with: EdDSA has no digest of its own to choose.
  func digest(_ name: String) throws -> OpaquePointer? {
    switch kind {
    case .ed25519, .ed448: nil
    default: try require(EVP_get_digestbyname(name), "digest \(name)")
    }
  }
}

extension TestKey.Kind {
  fileprivate var algorithm: String {
    switch self {
    case .p256, .p384, .p521: "EC"
    case .ed25519: "ED25519"
    case .ed448: "ED448"
    case .rsa: "RSA"
    case .rsaPSS: "RSA-PSS"
    }
  }
}
