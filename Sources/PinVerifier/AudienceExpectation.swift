/// Which audience a verifier asks for. There is no default: a service says what it wants.
public enum AudienceExpectation: Equatable, Sendable {
  /// The policy's `aud` is these bytes. A policy of profile `cnpinning`, which has no audience, is
  /// refused: a service that takes both profiles has two verifiers.
  case exactly(String)
  /// Any audience, or none. One signing key then serves one tenant alone, for nothing else keeps
  /// one tenant's policy from being given to another.
  case unchecked
}
