import PinPolicy
import PinProbe
import StrictJSON

extension TLSProbe.Answer {
  /// Says what makes the answer less than whole.
  func warn(about endpoint: Endpoint, on output: Output) {
    for refusal in handshakes.compactMap(\.refusal) {
      output.warning("\(endpoint): \(refusal.story)")
    }
    for failure in failures {
      output.warning("\(endpoint): \(PrintableText.message(failure.message))")
    }
  }

  /// Why less is known than was asked for, a failure a key type.
  var failures: [Failure] {
    unknown.map { keyType, error in
      let failure = ServerOptions.failure(error)
      return Failure(
        failure.category, code: failure.code,
        "Whether there is a certificate for \(keyType.rawValue) too is unknown: \(failure.message)",
        detail: [JSONMember("keyType", .string(keyType.rawValue))] + failure.detail,
        status: failure.status, hint: failure.hint)
    }
  }
}

extension TLSAlert {
  /// What it means after a handshake that showed the server's certificates.
  var story: String {
    "the server ended the connection with the alert \(code), \(name): "
      + (code == 116
        ? "it asked for a client certificate and was shown none; give it with --client-cert FILE"
        : "it wants a client certificate, or another than it was shown (--client-cert FILE)")
  }
}
