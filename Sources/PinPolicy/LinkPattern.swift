/// What one certificate's Common Name must look like.
///
/// Names are compared byte for byte as UTF-8: no case folding, no Unicode normalisation.
public enum LinkPattern: Hashable, Sendable {
  case exact(String)
  case prefix(String)
  /// The value followed by one or more ASCII digits and nothing else.
  case prefixWithNumber(String)
  case suffix(String)
  /// Any Common Name, or none (profile `standard` only).
  case any
}
