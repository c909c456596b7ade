import PinCrypto
import PinPolicy
import PolicyAuthoring
import StrictJSON

/// The least that would have to change for a path to be accepted, told to a person.
enum NearestFix {
  /// Sentences; none for a verdict that needs no fix.
  static func lines(
    for judgement: Judgement, allowingUnpinned: Bool, name: (SPKIPin) -> String?
  ) -> [String] {
    switch judgement.reason {
    case nil:
      return judgement.verdict == .notPinned && !allowingUnpinned
        ? [unpinned(judgement.host)] : []
    case .noPath: return []
    case .denied:
      return [
        "A denied key is refused whatever the rules say: the server needs a certificate under "
          + "another key, or, if the key was denied by mistake, the policy must be signed without it."
      ]
    case .pins:
      guard let pinSet = judgement.resolution.rule?.pinSet else { return [] }
      let satisfied = Set(judgement.satisfied.map(\.kind))
      let failed = PinKind.allCases.filter { pinSet.lists($0) && !satisfied.contains($0) }
      let fixes = failed.map { fix($0, pinSet, judgement.path, name) }
      let isEither = pinSet.requirement == .any && fixes.count > 1
      return impostor(pinSet, failed, judgement.path)
        + (isEither ? ["One of these is enough:"] : [])
        + fixes + [
          "But only if you expect this path: an attacker's path would be let in by the same change."
        ]
    }
  }

  private static func unpinned(_ host: HostName) -> String {
    "No rule governs \(host): add one for it"
      + (host.isAddress ? "" : ", or includesSubdomains to one above it")
      + "; a host that should stay unpinned is well with --allow-unpinned."
  }

  /// A root that has the name which the rule asks for, and none of the keys.
  private static func impostor(
    _ pinSet: PinSet, _ failed: [PinKind], _ path: [PathCertificate]
  ) -> [String] {
    guard let root = path.last, failed.contains(where: { [.any, .ca, .anchor].contains($0) }),
      pinSet.chains.contains(where: { chain in
        chain.links.first.map { $0 != .any && $0.matches(root.commonName) } ?? false
      })
    else { return [] }
    return [
      "Possibly an impostor: \(PinText.name(root.commonName)) has the name of a pinned root, and "
        + "another key."
    ]
  }

  private static func fix(
    _ kind: PinKind, _ pinSet: PinSet, _ path: [PathCertificate], _ name: (SPKIPin) -> String?
  ) -> String {
    guard kind != .chains else { return chainFix(pinSet.chains, path) }
    guard let certificate = path[kind.certificates(in: path)].last else {
      return "\(kind.rawValue): the path is the server's certificate alone, so that nothing can be "
        + "among its authorities; pin it as spki.leaf or spki.anchor."
    }
    let known = name(certificate.spki).map { " (@\($0))" } ?? ""
    return "\(kind.rawValue): add \(certificate.spki)\(known), the key of "
      + "\(PinText.name(certificate.commonName))."
  }

  /// The chain with the fewest failing links is mended; without one that resembles the path, a new
  /// one is proposed.
  private static func chainFix(_ chains: [ChainPattern], _ path: [PathCertificate]) -> String {
    let rootFirst = Array(path.reversed())
    let proposals = rootFirst.enumerated().map { index, certificate in
      LinkProposal(
        for: certificate.commonName, isLeaf: index == path.count - 1, profile: .standard
      ).link ?? .any
    }
    var best: (chain: Int, links: [Int])?
    for (index, chain) in chains.enumerated() where chain.links.count == path.count {
      let failing = chain.links.indices.filter {
        !chain.links[$0].matches(rootFirst[$0].commonName)
      }
      if failing.count < best?.links.count ?? path.count { best = (index, failing) }
    }
    if let best {
      let links = best.links.map { "link \($0) \(text(proposals[$0].jsonValue))" }
      return "chains: in chain \(best.chain), make \(links.joined(separator: ", ")); or add that "
        + "chain beside it."
    }
    let links = rootFirst.indices.map { index in
      // What matches from either end stays, whatever came in between.
      chains.compactMap { chain in
        [index, chain.links.count - path.count + index].lazy
          .filter(chain.links.indices.contains).map { chain.links[$0] }
          .first { $0 != .any && $0.matches(rootFirst[index].commonName) }
      }.first ?? proposals[index]
    }
    return "chains: add \(text(.array(links.map(\.jsonValue))))."
  }

  private static func text(_ value: JSONValue) -> String {
    JSONWriter.text(value, order: .asGiven, indent: nil)
  }
}

extension PinSet {
  /// Whether the rule says anything of this kind.
  func lists(_ kind: PinKind) -> Bool {
    kind == .chains ? !chains.isEmpty : !pins(kind).isEmpty
  }
}
