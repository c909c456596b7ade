internal import COpenSSL

/// Enumerates the ways from a leaf to a trust anchor, within a budget.
///
/// X509_verify_cert builds one path and does not go back when an issuer turns out wrong, so a host
/// could be lost to the order in which a server sends its certificates.
struct PathSearch {
  private let presented: [Certificate]
  private let anchors: TrustAnchors
  private var pathsLeft: Int
  private var stepsLeft: Int
  /// Paths that are still to be followed, the next one last; each begins at the leaf.
  private var open: [[Certificate]]

  /// The longest path that is followed: beyond it libcrypto's own bound has long been passed.
  private static let longestPath = 16

  init(chain: PresentedChain, anchors: TrustAnchors, options: TrustEvaluator.Options) {
    presented = chain.certificates
    self.anchors = anchors
    pathsLeft = options.pathBudget
    stepsLeft = options.searchBudget
    open = [[chain.leaf]]
  }

  /// The next path whose names and signatures fit, leaf → anchor; the rest is X509_verify_cert's.
  mutating func next() -> [Certificate]? {
    while pathsLeft > 0, stepsLeft > 0, let path = open.popLast() {
      guard let last = path.last else { continue }
      if last.isSelfSigned {
        // Self-signed: the path ends here, at an anchor or nowhere.
        guard anchors.contain(last) else { continue }
        pathsLeft -= 1
        return path
      }
      guard path.count < Self.longestPath else { continue }
      extend(path, above: last)
    }
    return nil
  }

  private mutating func extend(_ path: [Certificate], above last: Certificate) {
    // Anchors are tried before what the server sent, so they are pushed after it.
    let candidates = presented.dropFirst().reversed() + anchors.issuers(of: last).reversed()
    var issuers: [Certificate] = []
    for issuer in candidates where issuer.subjectHash == last.issuerHash {
      guard stepsLeft > 0 else { return }
      if path.contains(where: { $0.isSame(as: issuer) }) { continue }
      if let index = issuers.firstIndex(where: { $0.isSame(as: issuer) }) {
        issuers.remove(at: index)
        issuers.append(issuer)
        continue
      }
      // A signature check each.
      stepsLeft -= 1
      if issuer.issued(last), last.isSigned(by: issuer) { issuers.append(issuer) }
    }
    for issuer in issuers { open.append(path + [issuer]) }
  }
}

extension Certificate {
  var address: UInt { unsafe withPointer { UInt(bitPattern: $0) } }

  var subjectHash: UInt {
    unsafe withPointer { unsafe UInt(X509_NAME_hash_ex(X509_get_subject_name($0), nil, nil, nil)) }
  }

  var issuerHash: UInt {
    unsafe withPointer { unsafe UInt(X509_NAME_hash_ex(X509_get_issuer_name($0), nil, nil, nil)) }
  }

  /// Whether it signed itself, by its own key and not by its names alone.
  var isSelfSigned: Bool { unsafe withPointer { unsafe X509_self_signed($0, 1) } == 1 }

  /// Whether names, key identifiers and key usage allow that this one issued another.
  func issued(_ other: Certificate) -> Bool {
    unsafe withPointer { issuer in
      unsafe other.withPointer { unsafe X509_check_issued(issuer, $0) == X509_V_OK }
    }
  }

  /// Whether this one's signature verifies with another's key.
  func isSigned(by issuer: Certificate) -> Bool {
    let key = unsafe issuer.withPointer { unsafe X509_get0_pubkey($0) }
    guard let key = unsafe key else {
      OpenSSLError.clear()
      return false
    }
    let status = unsafe withPointer { unsafe X509_verify($0, key) }
    if status != 1 { OpenSSLError.clear() }
    return status == 1
  }
}
