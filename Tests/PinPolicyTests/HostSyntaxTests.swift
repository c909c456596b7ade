import TestSupport
import Testing

@testable import PinPolicy

/// The grammar, which reads eight bytes at once, against a slow reading of the same rules.
@Suite("Grammar of names, eight bytes at once")
struct HostSyntaxTests {
  private static func isName(_ text: [UInt8]) -> Bool {
    let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
          && label.last != UInt8(ascii: "-")
          && label.allSatisfy { Array("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8).contains($0) }
      }
      && !HostSyntax.isNumeric(Array(labels[labels.count - 1]).span)
  }

  @Test("every byte at every place of names of every length up to three words")
  func everyByte() {
    for length in 1...24 {
      for place in 0..<length {
        for byte in UInt8.min ... .max {
          var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          text[place] = byte
          if HostSyntax.isCanonicalName(text.span) != Self.isName(text) {
            Issue.record("\(text)")
          }
        }
      }
    }
  }

  @Test("random names up to the longest, of few letters, so that rules meet")
  func random() {
    var numbers = SystemRandomNumberGenerator()
    let letters = Array("aaaaaaaaaz09_-..A".utf8)
    var names = 0
    for _ in 0..<20_000 {
      var text = (0..<Int.random(in: 1...40, using: &numbers)).map { _ in
        letters[Int.random(in: 0..<letters.count, using: &numbers)]
      }
      if Bool.random() { text.insert(contentsOf: [UInt8](repeating: 97, count: 56), at: 0) }
      let isName = Self.isName(text)
      names += isName ? 1 : 0
      if HostSyntax.isCanonicalName(text.span) != isName { Issue.record("\(text)") }
    }
    #expect(names > 100)
  }

  @Test("labels and names at their longest", arguments: [62, 63, 64, 65])
  func longest(label: Int) {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: label)
    for before in ["", "a.", "abcdefg.", "abcdefgh."] {
      for after in ["", ".a", ".abcdefg"] {
        let name = Array(before.utf8) + text + Array(after.utf8)
        #expect(HostSyntax.isCanonicalName(name.span) == (label <= 63))
      }
    }
    let long = (text + [UInt8(ascii: ".")]) + (text + [UInt8(ascii: ".")])
    let longer = long + long.dropLast()
    #expect(HostSyntax.isCanonicalName(longer.span) == Self.isName(Array(longer)))
  }
}
