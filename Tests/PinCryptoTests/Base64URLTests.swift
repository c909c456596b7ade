import PinCrypto
import Testing

@Suite("base64url")
struct Base64URLTests {
  @Test(
    "RFC 4648 §10 without padding",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"), ("\u{3fe}?>", "z74_Pg"), ("~~~", "fn5-"),
    ])
  func bothWays(bytes: String, text: String) {
    #expect(Base64URL.text(bytes.utf8) == text)
    #expect(Base64URL.decode(text) == Array(bytes.utf8))
  }

  @Test(
    "refuses what another reader would repair",
    arguments: [
      "Zg==", "Zg=", "Zm8=", "=", "====",  // padding
      "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v\r\n", "Zm\t9", "Z\u{0}9v",  // white space, NUL
      "+u__", "-u//", "Zm9v+A", "Zm9v/A",  // the other alphabet
      "Z", "Zm9vY", "Zm9vYmFyA",  // a length that no byte string has
      "Zh", "Zv", "Z_", "Zm9", "Zm-", "Zm9vYh",  // unused bits that are not zero
      "Zm9v.", "Zm9~", "Zéé", "Ｚm9v", "Zm,v",  // outside the alphabet
    ])
  func refusal(text: String) { #expect(Base64URL.decode(text) == nil) }

  @Test("every byte outside the alphabet is refused at every place of a group")
  func alphabet() {
    let alphabet = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for byte in UInt8.min...UInt8.max {
      for place in 0..<7 {
        var text = [UInt8]("AAAAAAA".utf8)
        text[place] = byte
        // Seven characters are 42 bits: the last one's two lowest belong to no byte.
        let isGood = place == 6 ? "AEIMQUYcgkosw048".utf8.contains(byte) : alphabet.contains(byte)
        #expect((Base64URL.decode(text) != nil) == isGood, "\(byte) at \(place)")
      }
    }
  }

  @Test("decoding undoes encoding for every length, also from a slice")
  func roundTrip() {
    var bytes: [UInt8] = []
    for length in 0..<300 {
      let text = Base64URL.encode(bytes)
      #expect(Base64URL.decode(text) == bytes)
      #expect(Base64URL.decode(([0x2e] + text)[1...]) == bytes)
      bytes.append(UInt8(truncatingIfNeeded: length &* 167 &+ length / 7))
    }
  }
}
