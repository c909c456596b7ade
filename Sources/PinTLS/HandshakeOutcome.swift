public import PinCrypto
public import PinPolicy
public import PinVerifier

/// What to do with hosts that no rule of the policy governs. There is no default: a service says.
public enum UnpinnedHosts: Sendable {
  /// Trust evaluation alone decides.
  case allow
  case reject
}

/// What a handshake's certificates were judged to be.
public enum HandshakeOutcome: Sendable {
  /// Trusted, and the pins do not stand in the way: `accepted`, `reported`, `exempt`, or `notPinned`
  /// where such hosts are allowed.
  case proceeds(Judgement)
  /// Trusted, but rejected by the pins, or `notPinned` where such hosts are not allowed.
  case refused(Judgement)
  /// Not trusted, whatever the pins.
  case untrusted(host: HostName, TrustFailure)
  /// What the server sent can't be read.
  case unreadable(host: HostName, CertificateError)
  /// The connection is to be of a version before TLS 1.2: `TLSv1.1`.
  case oldVersion(String)
  /// Nobody said which host this is: set it with SSL_set1_host or as the server name.
  case noHost
  /// What was set as the host is none.
  case invalidHost(HostNameError)
  /// There is no policy, so nothing can be accepted.
  case noPolicy(host: HostName)
  /// The policy is not in force at the time of the handshake.
  case policyNotInForce(host: HostName, PolicyVerificationError)

  public var isAllowed: Bool {
    if case .proceeds = self { true } else { false }
  }
}
