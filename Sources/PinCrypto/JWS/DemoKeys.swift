/// The keys of the folder `keys/`, whose private halves are published.
public enum DemoKeys {
  /// Their RFC 7638 thumbprints.
  public static let identifiers: Set<String> = []

  /// - Throws: ``KeyError/demoKey(_:)``.
  package static func refuse(_ identifier: String) throws(KeyError) {
    if identifiers.contains(identifier) { throw .demoKey(identifier) }
  }
}
