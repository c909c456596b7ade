/// Lines of text before TLS begins: bounded in number and length, and by the deadline.
struct TextExchange {
  private let socket: Socket
  private let step: ProbeStep
  /// Received and not read yet.
  private var pending: [UInt8] = []
  /// What is left of what the other side may send.
  private var budget = 16_384

  init(_ socket: Socket, _ step: ProbeStep) {
    self.socket = socket
    self.step = step
  }

  func send(_ text: String) throws(ProbeFailure) {
    try socket.send(text.utf8, during: step)
  }

  func send(_ bytes: [UInt8]) throws(ProbeFailure) { try socket.send(bytes, during: step) }

  /// The next line without its end; bytes that are no UTF-8 are replaced.
  mutating func line() throws(ProbeFailure) -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        var line = pending[..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        pending.removeFirst(end + 1)
        return text
      }
      try fill()
    }
  }

  mutating func byte() throws(ProbeFailure) -> UInt8 {
    while pending.isEmpty { try fill() }
    return pending.removeFirst()
  }

  private mutating func fill() throws(ProbeFailure) {
    guard budget > 0 else { throw .badReply(step) }
    let bytes = try socket.receive(atMost: min(budget, 4096), during: step)
    budget -= bytes.count
    pending += bytes
  }

  /// Ends the exchange: TLS follows.
  ///
  /// - Throws: ``ProbeFailure/injectedText(_:)`` when something was sent beyond the last reply.
  consuming func finish() throws(ProbeFailure) {
    guard pending.isEmpty else { throw .injectedText(step) }
  }
}
