import PinCrypto
import PinPolicy

/// Makes messages that nobody signed out of some that were.
struct Mutation {
  var random: SplitMix
  let originals: [[UInt8]]

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random.next(below: elements.count)]
  }

  mutating func original() -> [UInt8] { pick(originals) }

  mutating func payload(_ profile: Profile) -> [UInt8] {
    var grammar = PolicyGrammar(random: random, oddity: pick([0, 0, 300, 100, 20]))
    defer { random = grammar.random }
    return grammar.payload(profile)
  }

  mutating func bitsFlipped(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...pick([0, 0, 1, 3, 15]) where !bytes.isEmpty {
      bytes[random.next(below: bytes.count)] ^= 1 << UInt8(random.next(below: 8))
    }
    return bytes
  }

  /// Cuts off an end, or takes out, repeats or moves a piece.
  mutating func cut(_ bytes: [UInt8]) -> [UInt8] {
    let first = random.next(below: bytes.count + 1)
    let piece = first..<min(bytes.count, first + random.next(below: pick([4, 40, 400])) + 1)
    switch random.next(below: 5) {
    case 0: return Array(bytes[..<first])
    case 1: return Array(bytes[first...])
    case 2: return Array(bytes[..<piece.lowerBound] + bytes[piece.upperBound...])
    case 3: return Array(bytes[..<piece.upperBound] + bytes[piece.lowerBound...])
    default:
      var rest = Array(bytes[..<piece.lowerBound] + bytes[piece.upperBound...])
      rest.insert(contentsOf: bytes[piece], at: random.next(below: rest.count + 1))
      return rest
    }
  }

  /// Joins segments of several messages, or the halves of two.
  mutating func spliced() -> [UInt8] {
    let (first, second) = (original(), original())
    switch random.next(below: 4) {
    case 0:
      return joined((0..<3).map { segments(original())[$0] })
    case 1:
      return joined((0..<random.next(below: 6)).map { _ in pick(segments(original())) })
    case 2:
      return Array(
        first[..<random.next(below: first.count)] + second[random.next(below: second.count)...])
    default:
      return first + pick([[], [0x0a], [0x2e], [0x20], [0x00]]) + second
    }
  }

  /// Alters what a segment says, so that the encoding is good and what is in it may not be.
  mutating func alteredWhenDecoded() -> [UInt8] {
    var segments = segments(original())
    let place = random.next(below: segments.count)
    let inside = Base64URL.decode(segments[place]) ?? []
    segments[place] = Base64URL.encode(
      random.next(below: 2) == 0 ? bitsFlipped(inside) : cut(inside))
    return joined(segments)
  }

  /// A signature of the right shape from elsewhere, a trivial one, or one with its halves changed.
  mutating func withAnotherSignature() -> [UInt8] {
    var segments = segments(original())
    let own = Base64URL.decode(segments[2]) ?? []
    let other = Base64URL.decode(self.segments(original())[2]) ?? []
    let signature: [UInt8]
    switch random.next(below: 7) {
    case 0: signature = []
    case 1: signature = other
    case 2: signature = Array(repeating: pick([0, 1, 0xff]), count: own.count)
    // DER: r = s = 0; r = s = 1.
    case 3: signature = [0x30, 6, 2, 1, pick([0, 1]), 2, 1, pick([0, 1])]
    case 4: signature = own + [0]
    case 5: signature = Array(own.reversed())
    default: signature = Array(own[(own.count / 2)...] + own[..<(own.count / 2)])
    }
    segments[2] = Base64URL.encode(signature)
    return joined(segments)
  }

  /// An invented payload under the header and signature of a message, or a header of its own.
  mutating func unsigned() -> [UInt8] {
    var segments = segments(original())
    segments[1] = Base64URL.encode(payload(pick([.standard, .cnpinning])))
    if random.next(below: 3) == 0 {
      let kid = pick(["", #","kid":"x""#, #","kid":"","crit":["b64"],"b64":false"#])
      let algorithm = pick(["none", "HS256", "ES256", "es256", "Es256", "RS256", "PS512", ""])
      let type = pick(["JWT", "pin-policy+jwt", "jwt", ""])
      segments[0] = Base64URL.encode(
        Array(#"{"alg":"\#(algorithm)","typ":"\#(type)"\#(kid)}"#.utf8))
    }
    return joined(segments)
  }

  mutating func randomBytes() -> [UInt8] {
    let count = random.next(below: pick([8, 64, 1024]))
    switch random.next(below: 3) {
    case 0: return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 1: return (0..<count).map { _ in pick(Array("ABCabc019-_.=+/ \n{}\"".utf8)) }
    default:
      return joined(
        (0..<3).map { _ in
          Base64URL.encode((0..<count / 3).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        })
    }
  }

  private func segments(_ message: [UInt8]) -> [[UInt8]] {
    message.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
  }

  private func joined(_ segments: [[UInt8]]) -> [UInt8] {
    Array(segments.joined(separator: [UInt8(ascii: ".")]))
  }
}
