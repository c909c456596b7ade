/// Guesses what a mistyped word was meant to be.
enum Suggestion {
  /// `; did you mean --key?`, or nothing when no word is near.
  static func phrase(for word: String, among words: [String]) -> String {
    guard let nearest = nearest(to: word, among: words) else { return "" }
    return "; did you mean \(nearest)?"
  }

  /// The known word with the fewest edits, within a third of its length; the first of several.
  static func nearest(to word: String, among words: [String]) -> String? {
    // Nobody mistypes a word this long, and the comparison is quadratic.
    guard word.utf8.count <= 64 else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in words {
      let letters = candidate.drop { $0 == "-" }.count
      let distance = distance(Array(word.lowercased().utf8), Array(candidate.lowercased().utf8))
      guard letters > 1, distance <= max(1, letters / 3), distance < best?.distance ?? .max else {
        continue
      }
      best = (candidate, distance)
    }
    if let best { return best.word }
    return words.first { word.utf8.count >= 4 && $0.hasPrefix(word) }
  }

  /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
