import PinCrypto
import PinPolicy
import StrictJSON

/// Keys of every algorithm, and the folder's payloads signed.
struct Material {
  let folder: Folder

  init(_ folder: Folder) { self.folder = folder }

  /// Wide enough for 100 000 hosts.
  static let limits = {
    var limits = Limits.standard
    limits.policyBytes = 64 << 20
    limits.hosts = 200_000
    return limits
  }()

  func prepare() throws {
    for algorithm in SignatureAlgorithm.allCases {
      let key = try PrivateKey.generate(for: algorithm)
      let name = algorithm.rawValue
      try folder.write(try key.pkcs8PEM(passphrase: nil).withBytes { Array($0) }, to: "\(name).pem")
      try folder.write(Array(try key.publicKey.spkiPEM().utf8), to: "\(name).pub.pem")
      guard let jwk = key.publicKey.jwk else { throw Fault("no JWK") }
      try folder.write(JSONWriter.bytes(jwk, order: .asGiven), to: "\(name).pub.jwk")
      let payload = try folder.bytes("\(name).json")
      for encoding in ECDSAEncoding.allCases {
        let signer = try JWSSigner(
          key: key, algorithm: algorithm, profile: .standard, ecdsa: encoding)
        try folder.write(try signer.sign(payload: payload), to: "\(name).\(encoding).jws")
      }
      guard algorithm == .es256 else { continue }
      let signer = try JWSSigner(key: key, algorithm: algorithm, limits: Self.limits)
      for hosts in [100, 10_000, 100_000] {
        let policy = try signer.sign(payload: try folder.bytes("\(hosts).json"))
        try folder.write(policy, to: "\(hosts).jws")
      }
    }
  }
}
