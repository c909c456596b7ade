public import PinPolicy
import StrictJSON

extension SourceDocument {
  /// The policy to sign: names expanded, hosts canonical, notes kept for the encoder to drop.
  ///
  /// - Throws: ``ProfileMisfits`` with everything that the profile cannot say.
  public func policy(
    window: ValidityWindow, profile: Profile = .standard
  ) throws(ProfileMisfits) -> Policy {
    switch profile {
    case .standard: return body.policy(window: window)
    case .cnpinning:
      let misfits = misfitsOfCNPinning
      guard misfits.isEmpty else { throw ProfileMisfits(misfits: misfits) }
      return Policy(
        profile: .cnpinning, audience: nil, window: window,
        rules: rules.map {
          HostRule(pattern: $0.pattern, pinSet: PinSet(chains: $0.pinSet.chains))
        })
    }
  }

  /// What a policy of the profile leaves out without meaning less: a sentence for each.
  public func omissions(for profile: Profile) -> [String] {
    guard profile == .cnpinning else { return [] }
    let audience = PrintableText.quoted(body.audience)
    var omissions = [
      "aud \(audience) is left out, profile cnpinning has no audience: use one key for each tenant"
    ]
    if let issuer = body.issuer {
      omissions.append(
        "iss \(PrintableText.quoted(issuer)) is left out, profile cnpinning has no issuer")
    }
    return omissions
  }

  /// Judged by meaning: a member at its default fits, `require` over one kind of pins too.
  private var misfitsOfCNPinning: [ProfileMisfit] {
    var misfits: [ProfileMisfit] = []
    let root = JSONPath.root
    for member in ["refreshHint", "reportTo", "denied"]
    where document.member(member, of: document.root) != nil {
      misfits.append(ProfileMisfit(path: root.member(member), kind: .member))
    }
    for (key, rule) in zip(hostKeys, rules) {
      let path = root.member("hosts").member(key)
      if case .host(let host) = rule.pattern, host.isReservedInCNPinning {
        misfits.append(ProfileMisfit(path: path, kind: .reservedName))
      }
      if rule.mode != .enforce {
        misfits.append(ProfileMisfit(path: path.member("mode"), kind: .mode))
      }
      if rule.includesSubdomains {
        misfits.append(ProfileMisfit(path: path.member("includesSubdomains"), kind: .subdomains))
      }
      if rule.pinSet.hasDigests {
        misfits.append(ProfileMisfit(path: path.member("spki"), kind: .digests))
      }
      for (index, chain) in rule.pinSet.chains.enumerated() {
        for (link, pattern) in chain.links.enumerated() where pattern == .any {
          misfits.append(
            ProfileMisfit(
              path: path.member("chains").index(index).index(link), kind: .anyLink))
        }
      }
    }
    return misfits
  }
}

extension PinSet {
  fileprivate var hasDigests: Bool {
    !(any.isEmpty && leaf.isEmpty && ca.isEmpty && anchor.isEmpty)
  }
}
