import Foundation
import PinCrypto
import Testing

@Suite("secret bytes")
struct KeysSecretTests {
  @Test("they print and reflect as their length alone")
  func printing() {
    let secret = SecretBytes("hunter2")
    #expect("\(secret)" == "SecretBytes(7 bytes)")
    #expect(String(reflecting: secret) == "SecretBytes(7 bytes)")
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("104") && dumped.contains("count: 7"))
  }

  @Test("what is taken over is overwritten where it was")
  func takingOver() {
    var bytes = Array("hunter2".utf8)
    let secret = SecretBytes(wiping: &bytes)
    #expect(bytes == [0, 0, 0, 0, 0, 0, 0])
    #expect(secret.copied() == Array("hunter2".utf8))
  }

  @Test("the filler's count is cut to the room", arguments: [(-1, 0), (0, 0), (3, 3), (9, 4)])
  func filling(said: Int, count: Int) {
    let secret = SecretBytes(capacity: 4) { room in
      room.copyBytes(from: [1, 2, 3, 4])
      return said
    }
    #expect(secret.count == count)
    #expect(secret.copied() == Array([1, 2, 3, 4].prefix(count)))
  }

  @Test("a filler that throws leaves nothing")
  func throwing() {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try SecretBytes(capacity: 4) { _ in throw Stop() }
    }
  }

  @Test("a slice is cut to what is there")
  func slicing() {
    let secret = SecretBytes("hunter2")
    #expect(secret.slice(1..<3).text == "un")
    #expect(secret.slice(5..<99).text == "r2")
    #expect(secret.slice(98..<99).count == 0)
  }
}
