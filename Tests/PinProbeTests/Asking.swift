import Foundation
import LoopbackTLS
import PinCrypto
import PinPolicy
import PinProbe

/// Asks a loopback server as `name`.
func ask(
  _ server: LoopbackServer, as name: String = "a.test",
  until cancellation: Cancellation = Cancellation(),
  _ change: (inout TLSProbe.Options) -> Void = { _ in }
) throws -> TLSProbe.Answer {
  var options = TLSProbe.Options()
  change(&options)
  return try TLSProbe(options).ask(
    Endpoint(name, defaultPort: 443), at: Endpoint(server.place, defaultPort: nil),
    until: cancellation)
}

/// What a probe fails with.
func failure(_ body: () throws -> TLSProbe.Answer) throws -> ProbeFailure? {
  do {
    _ = try body()
    return nil
  } catch let failure as ProbeFailure { return failure }
}

extension Handshake {
  var leaf: Certificate? { try? chain.get().leaf }
}

/// A root and certificates of it, made once.
struct TestPKI {
  let root: TestCertificate
  let ecdsa: ServerIdentity
  let rsa: ServerIdentity

  init() throws {
    root = try TestCertificate.root("Probe Root X1")
    ecdsa = ServerIdentity(try root.issue(.server("a.test")))
    rsa = ServerIdentity(try root.issue(.server("a.test").with { $0.key = .rsa(2048) }))
  }

  static let shared = Result { try TestPKI() }
}

/// Reads and writes in clear text, for what comes before TLS.
enum ClearText {
  /// A line without its end; nil at the end.
  static func line(_ socket: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 1000, read(socket, &byte, 1) == 1 {
      if byte == 0x0a {
        return String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r", with: "")
      }
      bytes.append(byte)
    }
    return nil
  }

  static func say(_ socket: Int32, _ text: String) {
    _ = text.utf8CString.withUnsafeBytes { write(socket, $0.baseAddress, text.utf8.count) }
  }

  /// Plays one side of a conversation: `C:` lines are expected, `S:` texts are sent.
  static func play(_ socket: Int32, _ script: [String]) -> Bool {
    for entry in script {
      let text = String(entry.dropFirst(2))
      if entry.hasPrefix("C:") {
        guard line(socket) == text else { return false }
      } else {
        say(socket, text)
      }
    }
    return true
  }
}
