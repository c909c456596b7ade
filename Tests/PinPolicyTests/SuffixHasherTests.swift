import Testing

@testable import PinPolicy

@Suite("Hashes of suffixes")
struct SuffixHasherTests {
  private static let key = SuffixHasher.Key()
  private static let labels = ["a", "ab", "abcdef", "abcdefg", "abcdefgh", "com", "x-y", "1"]

  @Test("every suffix hashes as the name that it is")
  func suffixes() throws {
    for first in Self.labels {
      for second in Self.labels {
        let names = ["com", second + ".com", first + "." + second + ".com"]
        var suffix = SuffixHasher(Self.key)
        for name in names {
          #expect(
            suffix.extend(over: names[2].utf8Span.span) == names[2].utf8.count - name.utf8.count)
          #expect(suffix.hash == SuffixHasher.hash(name.utf8Span.span, Self.key))
        }
        #expect(suffix.extend(over: names[2].utf8Span.span) == nil)
      }
    }
  }

  @Test("texts that differ in where their labels end have hashes of their own")
  func boundaries() {
    var texts = Set<String>()
    for length in 1...16 {
      let letters = String(repeating: "a", count: length)
      texts.insert(letters)
      for dot in 1..<max(length, 2) where dot < length {
        texts.insert(letters.prefix(dot) + "." + letters.dropFirst(dot))
      }
    }
    // 136 texts among 2^32 hashes: that any two agree has a probability below 10^-5.
    #expect(Set(texts.map { SuffixHasher.hash($0.utf8Span.span, Self.key) }).count == texts.count)
  }

  @Test("names that differ in a number or a letter spread over the buckets")
  func spread() {
    var buckets = [Int](repeating: 0, count: 4096)
    for first in UInt8(ascii: "a")...UInt8(ascii: "p") {
      for number in 0..<256 {
        let text = String(decoding: [first], as: UTF8.self) + "\(100_000 + number).example.com"
        buckets[Int(SuffixHasher.hash(text.utf8Span.span, Self.key) & 4095)] += 1
      }
    }
    // 4 096 hosts in as many buckets: the fullest has 6 or so, 17 with a probability of 10^-11.
    #expect(buckets.max() ?? 0 <= 16)
  }
}
