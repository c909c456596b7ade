public import StrictJSON

/// A reason why a path does not satisfy a rule, for machines; positions count from 0.
public enum Diagnostic: Equatable, Sendable {
  /// A chain has another number of links than the path has certificates. Both lists are written
  /// root first: the values of the links (nil for `any`), and the Common Names (nil where
  /// unreadable).
  case lengths(chain: Int, expected: [String?], met: [String?])
  /// A link other than `any` meets a certificate without a readable Common Name.
  case unreadable(chain: Int, certificate: Int)
  /// The first link that does not match, counted from the root, and the name that it met.
  case link(chain: Int, link: Int, value: String, commonName: String)
  /// None of the kind's pins is among the digests where it looks, leaf first.
  case spki(kind: PinKind, seen: [PathCertificate])
  /// A path was discarded for this key.
  case denied(SPKIPin)

  /// An element of `diagnostics` in `evaluate --json`.
  public var json: JSONValue {
    func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }
    func names(_ names: [String?]) -> JSONValue {
      .array(names.map { $0.map(JSONValue.string) ?? .null })
    }
    let members: [JSONMember] =
      switch self {
      case .lengths(let chain, let expected, let met):
        [
          JSONMember("chain", integer(chain)),
          JSONMember("lengths", .array([integer(expected.count), integer(met.count)])),
          JSONMember("expected", names(expected)),
          JSONMember("met", names(met)),
        ]
      case .unreadable(let chain, let certificate):
        [JSONMember("chain", integer(chain)), JSONMember("unreadable", integer(certificate))]
      case .link(let chain, let link, let value, let commonName):
        [
          JSONMember("chain", integer(chain)),
          JSONMember("link", integer(link)),
          JSONMember("value", .string(value)),
          JSONMember("commonName", .string(commonName)),
        ]
      case .spki(let kind, let seen):
        [
          JSONMember("kind", .string(kind.rawValue)),
          JSONMember(
            "seen",
            .array(
              seen.map { certificate in
                .object([
                  JSONMember("spki", .string(certificate.spki.description)),
                  JSONMember(
                    "commonNames", .array(certificate.commonName.names.map(JSONValue.string))),
                ])
              })),
        ]
      case .denied(let pin):
        [JSONMember("denied", .string(pin.description))]
      }
    return .object(members)
  }
}

extension ChainPattern {
  /// Why a path does not match this chain, or nil when it does.
  ///
  /// In this order: the lengths, the first unreadable certificate that a link other than `any`
  /// meets, the first link that fails.
  /// - Parameter path: leaf first.
  func mismatch(with path: [PathCertificate], index chain: Int) -> Diagnostic? {
    let names = path.reversed().map(\.commonName.readable)
    guard links.count == names.count else {
      return .lengths(chain: chain, expected: links.map(\.value), met: names)
    }
    for (index, link) in links.enumerated() where link != .any && names[index] == nil {
      return .unreadable(chain: chain, certificate: index)
    }
    for (index, link) in links.enumerated() {
      if let value = link.value, let name = names[index], !link.matches(name) {
        return .link(chain: chain, link: index, value: value, commonName: name)
      }
    }
    return nil
  }
}
