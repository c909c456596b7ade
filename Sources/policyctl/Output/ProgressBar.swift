import Glibc

/// A line on the terminal that says how far a long run is; nothing anywhere else.
final class ProgressBar {
  private let isShown: Bool
  private let total: Int
  private var last = ""

  /// - Parameter isQuiet: whether nothing is to be shown on a terminal either.
  init(total: Int, isQuiet: Bool) {
    self.total = total
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && Environment.value(of: "TERM") != "dumb"
  }

  /// Shows how much is done; `facts` stands behind the bar.
  func show(_ done: Int, _ facts: String) {
    guard isShown, total > 0 else { return }
    let width = 30
    let filled = min(width, width * done / total)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    let text = "\r[\(bar)] \(done)/\(total)\(facts)"
    guard text != last else { return }
    last = text
    // ECMA-48 §8.3.41, erase in line: to its end.
    write(text + "\u{1b}[K")
  }

  /// Takes the line away.
  func clear() {
    if !last.isEmpty { write("\r\u{1b}[K") }
    last = ""
  }

  private func write(_ text: String) {
    _ = StandardStreams.write(Array(text.utf8), to: STDERR_FILENO)
  }
}
