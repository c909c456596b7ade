import Foundation
import PinCrypto
import PinPolicy
import PinVerifier

/// One message, made from a seed and its number, and what the verifier must say to it.
struct Trial {
  enum Kind: String, CaseIterable, Sendable {
    case bits = "bits flipped"
    case cuts = "cut, repeated"
    case splices = "spliced"
    case decoded = "altered when decoded"
    case signatures = "another signature"
    case random = "random"
    case unsigned = "invented, unsigned"
    case stranger = "invented, by a stranger"
    case signed = "invented, signed"
    case altered = "invented, then altered"
  }

  let forge: Forge
  let index: UInt64
  private var random: SplitMix

  init(forge: Forge, seed: UInt64, index: UInt64) {
    self.forge = forge
    self.index = index
    random = SplitMix(seed: seed &+ index &* 0xa076_1d64_78bd_642f)
  }

  func run(_ tally: inout Tally) {
    var trial = self
    trial.judge(&tally)
  }

  private mutating func judge(_ tally: inout Tally) {
    let kind = Kind.allCases[random.next(below: Kind.allCases.count)]
    var mutation = Mutation(random: random, originals: forge.originals)
    defer { random = mutation.random }
    var verifier = forge.verifiers[random.next(below: forge.verifiers.count)]
    var signed: [UInt8]?
    var payload: (bytes: [UInt8], profile: Profile)?
    let message: [UInt8]
    do {
      switch kind {
      case .bits: message = mutation.bitsFlipped(mutation.original())
      case .cuts: message = mutation.cut(mutation.original())
      case .splices: message = mutation.spliced()
      case .decoded: message = mutation.alteredWhenDecoded()
      case .signatures: message = mutation.withAnotherSignature()
      case .random: message = mutation.randomBytes()
      case .unsigned: message = mutation.unsigned()
      case .stranger:
        let signer = mutation.pick(forge.strangers)
        message = try signer.sign(payload: mutation.payload(signer.profile))
      case .signed, .altered:
        let signer = mutation.pick(forge.signers)
        let bytes = mutation.payload(signer.profile)
        let original = try signer.sign(payload: bytes)
        signed = original
        verifier = forge.verifier(for: signer)
        message = kind == .signed ? original : mutation.bitsFlipped(original)
        if kind == .signed { payload = (bytes, signer.profile) }
      }
    } catch {
      // What no reader would take is not signed.
      return tally.refuse(kind, error.category)
    }

    do {
      _ = try verifier.verify(message, at: forge.time)
      tally.accept(kind)
      // Signatures too: random changes don't hit on another good one, and the encoding is strict.
      if message != signed && !forge.isOriginal(message) {
        fail("accepted, and nobody signed it", message, &tally)
      }
      if let payload, Self.decodingError(payload.bytes, payload.profile) != nil {
        fail("accepted, and its payload is no policy", message, &tally)
      }
    } catch {
      tally.refuse(kind, error.category)
      if let payload { check(error, payload.bytes, payload.profile, message, &tally) }
    }
  }

  /// What was signed may be refused for its payload or its time alone, and with the same words as
  /// without a signature.
  private func check(
    _ error: PolicyVerificationError, _ payload: [UInt8], _ profile: Profile, _ message: [UInt8],
    _ tally: inout Tally
  ) {
    let expected = Self.decodingError(payload, profile)
    switch error {
    case .payload(let found) where found == expected: break
    case .notYetValid, .expired: if expected != nil { fallthrough }
    default: fail("signed, and refused as \(error)", message, &tally)
    }
  }

  private static func decodingError(_ payload: [UInt8], _ profile: Profile) -> PolicyDecodingError?
  {
    do {
      _ = try UnverifiedPolicy(decoding: payload, profile: profile)
      return nil
    } catch {
      return error
    }
  }

  private func fail(_ text: String, _ message: [UInt8], _ tally: inout Tally) {
    tally.fail("message \(index): \(text): \(Data(message.prefix(8192)).base64EncodedString())")
  }
}
