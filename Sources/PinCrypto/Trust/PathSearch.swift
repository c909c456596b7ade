internal import COpenSSL

/// Enumerates the ways from a leaf to a trust anchor, the shortest first, within a budget.
///
/// X509_verify_cert builds one path and does not go back when an issuer turns out wrong, so a host
/// could be lost to the order in which a server sends its certificates.
struct PathSearch {
  /// What was sent above the leaf, with the hash of each subject.
  private let presented: [(subjectHash: UInt, certificate: Certificate)]
  private let anchors: TrustAnchors
  private let time: Int64
  private var pathsLeft: Int
  private var stepsLeft: Int
  private var signaturesLeft: Int
  /// Which certificate signed which, as far as it was asked: many paths share a step.
  private var signed: [Step: Bool] = [:]
  /// Paths from the leaf: those that are still to be followed, and those that have arrived.
  private var open: ArraySlice<[Certificate]>
  private var complete: ArraySlice<[Certificate]> = []

  private struct Step: Hashable {
    let issuer: ObjectIdentifier
    let subject: ObjectIdentifier
  }

  /// The longest path that is followed; the longest that a public authority uses has five.
  private static let longestPath = 16

  init(
    chain: PresentedChain, anchors: TrustAnchors, options: TrustEvaluator.Options, time: Int64
  ) {
    presented = chain.certificates.dropFirst().map { ($0.subjectHash, $0) }
    self.anchors = anchors
    self.time = time
    pathsLeft = options.pathBudget
    stepsLeft = options.stepBudget
    signaturesLeft = options.signatureBudget
    open = []
    if !chain.leaf.isSelfSigned {
      append([chain.leaf])
    } else if anchors.contain(chain.leaf) {
      complete = [[chain.leaf]]
    }
  }

  /// The next path whose names and signatures fit, leaf → anchor; the rest is X509_verify_cert's.
  mutating func next() -> [Certificate]? {
    while pathsLeft > 0 {
      if let path = complete.popFirst() {
        pathsLeft -= 1
        return path
      }
      guard stepsLeft > 0, let path = open.popFirst() else { return nil }
      stepsLeft -= 1
      extend(path)
    }
    return nil
  }

  /// Completes a path by the anchors above it, which nothing that the server sent can then keep from
  /// being tried, and leaves it to be extended.
  private mutating func append(_ path: [Certificate]) {
    guard let hash = path.last?.issuerHash else { return }
    // A path ends at an anchor that signed itself: no partial chains.
    let ends = anchors.issuers(hash: hash).filter(\.isSelfSigned)
    for anchor in issuers(of: path, among: ends) { complete.append(path + [anchor]) }
    if path.count < Self.longestPath, open.count < stepsLeft { open.append(path) }
  }

  private mutating func extend(_ path: [Certificate]) {
    guard let hash = path.last?.issuerHash else { return }
    // An anchor that another certificate vouches for may stand in the middle.
    let candidates =
      anchors.issuers(hash: hash)
      + presented.filter { $0.subjectHash == hash }.map(\.certificate)
    let between = candidates.filter { !$0.isSelfSigned }
    for issuer in issuers(of: path, among: between) { append(path + [issuer]) }
  }

  /// Those that issued a path's last certificate, each once.
  private mutating func issuers(
    of path: [Certificate], among candidates: [Certificate]
  ) -> [Certificate] {
    guard let last = path.last else { return [] }
    var issuers: [Certificate] = []
    for issuer in candidates {
      let isKnown = (path + issuers).contains { $0.isSame(as: issuer) }
      if !isKnown, issuer.mayIssue(last, at: time), hasSigned(issuer, last) {
        issuers.append(issuer)
      }
    }
    return issuers
  }

  /// What costs most, so it is counted by itself.
  private mutating func hasSigned(_ issuer: Certificate, _ subject: Certificate) -> Bool {
    let step = Step(issuer: ObjectIdentifier(issuer), subject: ObjectIdentifier(subject))
    if let known = signed[step] { return known }
    guard signaturesLeft > 0 else { return false }
    signaturesLeft -= 1
    let isSigned = subject.isSigned(by: issuer)
    signed[step] = isSigned
    return isSigned
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

  /// Whether a path ends here, by names, key identifiers and key usage, as X509_verify_cert judges
  /// it: an anchor is trusted for being one, whatever its signature.
  var isSelfSigned: Bool {
    let status = unsafe withPointer { unsafe X509_self_signed($0, 0) }
    if status < 0 { OpenSSLError.clear() }
    return status == 1
  }

  /// Whether it is an authority in its time whose names, key identifiers and key usage allow that it
  /// issued another.
  func mayIssue(_ other: Certificate, at time: Int64) -> Bool {
    guard isAuthority, let notBefore, let notAfter, notBefore <= time, time <= notAfter else {
      return false
    }
    return unsafe withPointer { issuer in
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
