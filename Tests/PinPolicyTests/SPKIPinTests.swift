import PinPolicy
import Testing

@Suite("SPKI pins")
struct SPKIPinTests {
  static let empty = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  @Test("text and digest convert both ways")
  func roundTrip() throws {
    let pin = try SPKIPin(Self.empty)
    #expect(pin.bytes.starts(with: [0xe3, 0xb0, 0xc4, 0x42]))
    #expect(pin.bytes.suffix(2) == [0xb8, 0x55])
    #expect(pin.description == Self.empty)
    #expect(SPKIPin(digest: pin.bytes) == pin)
    for seed in 0..<64 as Range<UInt8> {
      let digest = (0..<32).map { UInt8($0) &* 37 &+ seed &* 5 }
      let pin = try #require(SPKIPin(digest: digest))
      #expect(pin.bytes == digest)
      #expect(try SPKIPin(pin.description) == pin)
    }
  }

  @Test("a digest has 32 bytes", arguments: [0, 20, 31, 33, 64])
  func digestLength(count: Int) {
    #expect(SPKIPin(digest: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test("every bit of a digest counts")
  func bits() throws {
    let zero = try #require(SPKIPin(digest: [UInt8](repeating: 0, count: 32)))
    for bit in 0..<256 {
      var digest = [UInt8](repeating: 0, count: 32)
      digest[bit / 8] = 0x80 >> UInt8(bit % 8)
      let pin = try #require(SPKIPin(digest: digest))
      #expect(pin != zero)
      #expect(try SPKIPin(pin.description) == pin)
    }
  }

  @Test(
    "each rule refuses by its name",
    arguments: [
      ("", .prefix),
      ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .prefix),
      ("SHA256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .prefix),
      ("sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .prefix),
      ("sha1/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .prefix),
      (" sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .prefix),
      ("@name", .prefix),
      ("sha256/", .length(0)),
      ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", .length(43)),
      ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU==", .length(45)),
      ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= ", .length(45)),
      ("sha256/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", .length(64)),
      ("sha256/47DEQpj8HBSa-/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .alphabet),
      ("sha256/47DEQpj8HBSa_/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .alphabet),
      ("sha256/47DEQpj8HBSa\n/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .alphabet),
      ("sha256/47DEQpj8HBSa=/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .alphabet),
      ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUA", .alphabet),
      ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF==", .alphabet),
      ("sha256/47DEQpj8HBSaéTImW+5JCeuQeRkm5NMpJWZG3hSuFU=", .alphabet),
      ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=", .trailingBits),
      ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFX=", .trailingBits),
    ] as [(String, SPKIPinError)])
  func refusal(text: String, reason: SPKIPinError) {
    #expect(throws: reason) { try SPKIPin(text) }
  }
}
