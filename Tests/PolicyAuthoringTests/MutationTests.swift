import PinPolicy
import StrictJSON
import Testing

@testable import PolicyAuthoring

/// xorshift64*: the same inputs in every run.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_f491_4f6c_dd1d
  }
}

@Suite("Mutated source documents")
struct MutationTests {
  private static let seed = source(
    #"""
    "iss":"i","refreshHint":60,"reportTo":["https://[2001:db8::1]:443/a?b"],"denied":["@s","@p"],
    "$schema":"x","pins":{"p":|A|,"q":|B|},"sets":{"s":["p","t"],"t":["q","q"]},
    "lint":[{"allow":"cn-only","host":"*","reason":"r"}],
    "hosts":{"Bücher.example.":{"chains":[[{"type":"exact","value":"R é"},{"type":"any"}]],
    "spki":{"any":["@s",|A|],"ca":["@t"]},"require":"any","note":"nö"},
    "2001:DB8::1":{"mode":"exempt"},"*":{"mode":"report","spki":{"leaf":["@q"]}}}
    """#)

  private static let fragments: [[UInt8]] = [
    "\"@s\"", "\"s\"", "[", "]", "{", "}", ",", ":", "\"", "\\u0000", "\\ud800", "\0", "null",
    "true", "1", "-0", "1e9", "\u{ff0a}", "\u{3002}", "ü", "\u{ad}", "xn--", ".", "*", "\"p\":",
    "\"hosts\":{}", "\"iat\":1", "[[[[[[[[[[[[[[[[[",
  ].map { Array($0.utf8) }

  @Test("make a policy that verifiers take, or give an error with a place")
  func mutations() throws {
    var generator = Generator(state: 0x9e37_79b9_7f4a_7c15)
    var taken = 0
    var refused = 0
    for _ in 0..<10_000 {
      var bytes = Self.seed
      for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, &generator) }
      do {
        let document = try SourceDocument(parsing: bytes)
        try check(document)
        taken += 1
      } catch let error as SourceError {
        #expect(error.line >= 1 && error.column >= 1)
        #expect(error.category == .input || error.category == .limit)
        #expect(!error.message.isEmpty)
        refused += 1
      }
    }
    #expect(taken > 50)
    #expect(refused > 5_000)
  }

  /// Whatever parses makes a payload that decodes to the same policy.
  private func check(_ document: SourceDocument) throws {
    let policy = try document.policy(window: someTime)
    let payload = policy.payloadBytes(keepNotes: true)
    let decoded = try UnverifiedPolicy(decoding: payload, profile: .standard).policy
    #expect(decoded.payloadBytes(keepNotes: true) == payload)
    #expect(Set(decoded.rules) == Set(document.rules))
    if let other = try? document.policy(window: someTime, profile: .cnpinning) {
      let payload = other.payloadBytes()
      let decoded = try UnverifiedPolicy(decoding: payload, profile: .cnpinning).policy
      #expect(decoded.payloadBytes() == payload)
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout Generator) {
    guard let place = bytes.indices.randomElement(using: &generator) else { return }
    switch UInt8.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes.remove(at: place)
    case 3: bytes.removeSubrange(place..<min(place + 12, bytes.count))
    case 4:
      let fragment = Self.fragments.randomElement(using: &generator) ?? []
      bytes.insert(contentsOf: fragment, at: place)
    default:
      let other = Int.random(in: 0..<bytes.count, using: &generator)
      let piece = bytes[min(place, other)..<min(max(place, other), min(place, other) + 40)]
      bytes.insert(contentsOf: Array(piece), at: other)
    }
  }
}
