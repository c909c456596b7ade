import PinCrypto
import PinPolicy
import PinVerifier

/// Gives any bytes to the verifier, as they are and as the parts of a message, and to the decoder of
/// payloads. Nobody has the private keys, so nothing may be accepted.
///
/// Parts are separated by 0xff, which no UTF-8 has: `header`, `payload`, `signature`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  refuse(bytes)
  let parts = bytes.split(separator: 0xff, maxSplits: 2, omittingEmptySubsequences: false)
  if parts.count >= 2 {
    // Without a signature, too: libFuzzer seldom cuts just that away.
    for signature in Set([[], parts.dropFirst(2).first ?? []]) {
      refuse(
        Array(
          [parts[0], parts[1], signature].map { Base64URL.encode(Array($0)) }
            .joined(separator: [UInt8(ascii: ".")])))
    }
  }
  let payload = parts.count >= 2 ? Array(parts[1]) : bytes
  decode(payload, .standard)
  decode(payload, .cnpinning)
  return 0
}

private let verifiers: [PolicyVerifier] = {
  do {
    let keys = try TrustedKeys(
      trustedPEM.map { pem throws(KeyError) in
        try TrustedKey(pem: Array(pem.utf8), algorithms: SignatureAlgorithm.allCases)
      })
    return [ECDSAEncoding.der, .jose].map {
      PolicyVerifier(
        trustedKeys: keys, audience: .unchecked, profiles: [.standard, .cnpinning], ecdsa: $0)
    }
  } catch {
    preconditionFailure("\(error)")
  }
}()

private func refuse(_ bytes: [UInt8]) {
  for verifier in verifiers {
    do {
      _ = try verifier.verify(bytes, at: 1_764_500_001)
      preconditionFailure("accepts what nobody signed")
    } catch {
      describe(error)
    }
  }
}

/// Every refusal can be told, and no control character is in it.
private func describe(_ error: some Refusal) {
  _ = error.detail
  precondition(!error.code.isEmpty)
  precondition(error.message.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
}

/// What is accepted is encoded, and decodes to what encodes the same.
private func decode(_ payload: [UInt8], _ profile: Profile) {
  let policy: Policy
  do {
    policy = try UnverifiedPolicy(decoding: payload, profile: profile).policy
  } catch {
    return describe(error)
  }
  for rule in policy.rules {
    let pattern = rule.pattern.description
    guard case .host(let host) = rule.pattern else { continue }
    precondition(policy.resolve(host).pattern?.description == pattern)
    precondition((try? policy.resolve(pattern))?.step == .exact)
  }
  let encoded = policy.payloadBytes(keepNotes: true)
  do {
    let again = try UnverifiedPolicy(decoding: encoded, profile: profile).policy
    precondition(again.payloadBytes(keepNotes: true) == encoded)
    precondition(again.rules.count == policy.rules.count)
  } catch {
    preconditionFailure("does not decode what was encoded: \(error)")
  }
}

/// Made for this; the private halves were not kept.
private let trustedPEM = [
  """
  -----BEGIN PUBLIC KEY-----
  MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEL8/3aU2zGO67tJC6WuWkdq+9Opzw
  GnZeDSPpJyIUh0PxdxxxKdtbqP0V66PnOP1d3HNTez2YAW2svvzcrFgRDA==
  -----END PUBLIC KEY-----

  """,
  """
  -----BEGIN PUBLIC KEY-----
  MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvozjKojvskHMhLN7g1VX
  qw+45UsxnasIS9kGdE5NEnNqmLPaplBSYY21gl8w4RmcrkIY324O3DMv2lc8Ffi/
  zPXG/Sqk4LuwX8ad80QvZSRgGwgWYrc8yzqOjD1p1jfvqD9X6Co4SUb4BhzEgKGj
  oHYm2YTTQNLyFh08gn5tz+bjxtcJDunHoE7JKVszawXvXr3wTw8DXyrBzGeJ3SCB
  H0WhG3zUGaf+W3/SsRTh/H4/9CYOBmB3rW8jkZydhcplGDefDtPBDEB6sQj0kWUZ
  1SSsm9biRXcGQ6dyZ3kHJJiMqXfpnXe5iTl+1cJ0aakvsHhXF1/SvS+WfxwUoDBK
  1QIDAQAB
  -----END PUBLIC KEY-----

  """,
]
