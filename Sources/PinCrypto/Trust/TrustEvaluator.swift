internal import COpenSSL
public import PinPolicy

/// Decides whether a TLS server's chain is to be trusted, before any pin is looked at.
///
/// Wraps X509_verify_cert with what it leaves open closed: the host name is not optional, a Common
/// Name is never a host, wildcards are whole labels, weak keys and digests are refused, and
/// extendedKeyUsage is checked. Immutable: share one freely.
public struct TrustEvaluator: Sendable {
  public struct Options: Sendable {
    /// OpenSSL's security level: 2 means 112 bits, RSA from 2048 bits, no SHA-1 below the anchor.
    public var securityLevel: Int32 = 2
    /// Asks for the details of RFC 5280 that some private authorities get wrong
    /// (X509_V_FLAG_X509_STRICT).
    public var isStrict = false
    /// The most authorities between leaf and anchor; nil for libcrypto's own bound.
    public var maximumIntermediates: Int?
    /// How many paths are searched for when the first one fails, which may be found again and counts
    /// then, and how many certificates are appended and signatures checked to find them: what an
    /// attacker sends must not decide what an evaluation costs.
    public var pathBudget = 16
    public var stepBudget = 256
    public var signatureBudget = 100

    public init() {}
  }

  public let anchors: TrustAnchors
  public let revocation: Revocation
  public let options: Options

  public init(
    anchors: TrustAnchors, revocation: Revocation = .none, options: Options = Options()
  ) {
    self.anchors = anchors
    self.revocation = revocation
    self.options = options
  }

  /// Builds and checks a path for a host at a time. Blocks for some signature checks; touches no
  /// network.
  ///
  /// - Throws: ``TrustFailure`` of the first path that was tried, when none holds.
  public func evaluate(
    _ chain: PresentedChain, host: HostName, at time: Int64
  ) throws(TrustFailure) -> ValidatedPath {
    let failure: TrustFailure
    do throws(TrustFailure) {
      let path = try check(
        chain.leaf, through: chain.certificates, to: anchors, host: host, at: time)
      return ValidatedPath(
        host: host, time: time, certificates: path, evaluator: self, presented: chain)
    } catch {
      failure = error
    }
    // The leaf's own faults stay whatever stands above it.
    guard failure.certificate != 0 || !failure.reason.staysWithLeaf,
      let path = paths(of: chain, host: host, at: time, butFor: [], first: true).first
    else { throw failure }
    return path
  }

  /// ``evaluate(_:host:at:)`` off the caller's executor.
  // Emitted where it is called (docs/decisions/0009-no-concurrency-runtime.md): a program that never
  // does, policyctl for one, needs no runtime for concurrency, whose start would be a thirtieth of a
  // whole verification.
  @_alwaysEmitIntoClient
  @concurrent
  public func evaluateConcurrently(
    _ chain: PresentedChain, host: HostName, at time: Int64
  ) async throws(TrustFailure) -> ValidatedPath {
    try evaluate(chain, host: host, at: time)
  }

  /// Paths that hold, one after another, but for one that is known.
  func paths(
    of chain: PresentedChain, host: HostName, at time: Int64, butFor known: [Certificate],
    first: Bool = false
  ) -> [ValidatedPath] {
    var found: [ValidatedPath] = []
    var search = PathSearch(chain: chain, anchors: anchors, options: options, time: time)
    while let candidate = search.next() {
      if candidate.elementsEqual(known, by: { $0.isSame(as: $1) }) { continue }
      guard let anchor = candidate.last, let leaf = candidate.first,
        let alone = try? TrustAnchors.only([anchor])
      else { continue }
      guard
        let path = try? check(leaf, through: candidate, to: alone, host: host, at: time)
      else { continue }
      found.append(
        ValidatedPath(
          host: host, time: time, certificates: path, evaluator: self, presented: chain))
      if first { return found }
    }
    return found
  }

  /// One X509_verify_cert.
  private func check(
    _ leaf: Certificate, through untrusted: [Certificate], to anchors: TrustAnchors, host: HostName,
    at time: Int64
  ) throws(TrustFailure) -> [Certificate] {
    OpenSSLError.clear()
    defer { OpenSSLError.clear() }
    guard let list = unsafe OPENSSL_sk_new_null(), let context = unsafe X509_STORE_CTX_new() else {
      throw TrustFailure(.internal, certificate: nil, explanation: "out of memory")
    }
    defer {
      unsafe X509_STORE_CTX_free(context)
      unsafe OPENSSL_sk_free(list)
    }
    for certificate in untrusted {
      // Borrowed: the caller's array outlives the context.
      unsafe certificate.withPointer { _ = unsafe OPENSSL_sk_push(list, UnsafeRawPointer($0)) }
    }
    let started = unsafe anchors.withPointer { store in
      unsafe leaf.withPointer { unsafe X509_STORE_CTX_init(context, store, $0, list) == 1 }
    }
    guard started, let parameters = unsafe X509_STORE_CTX_get0_param(context),
      unsafe configure(
        parameters, host: host, at: time,
        checkingPolicies: untrusted.contains(where: \.constrainsPolicies))
    else {
      throw TrustFailure(.internal, certificate: nil, explanation: "\(OpenSSLError.drained())")
    }
    let lists = unsafe OPENSSL_sk_new_null()
    defer { unsafe OPENSSL_sk_free(lists) }
    for list in revocation.lists {
      unsafe list.withPointer { _ = unsafe OPENSSL_sk_push(lists, UnsafeRawPointer($0)) }
    }
    unsafe X509_STORE_CTX_set0_crls(context, lists)
    unsafe X509_STORE_CTX_set_verify_cb(context, letAnchorsHaveAnyPurpose)
    // 0 and negative are both no: success is 1 and nothing else.
    guard unsafe X509_verify_cert(context) == 1 else {
      let code = unsafe X509_STORE_CTX_get_error(context)
      let depth = unsafe X509_STORE_CTX_get_error_depth(context)
      // libcrypto counts references and copies nothing, so the address tells which one it is.
      let address = unsafe UInt(bitPattern: X509_STORE_CTX_get_current_cert(context))
      let culprit =
        untrusted.first { $0.address == address } ?? anchors.certificate(at: address)
      throw TrustFailure(
        verifyError: code, certificate: depth >= 0 ? Int(depth) : nil, culprit: culprit)
    }
    let path = try unsafe path(of: context, from: untrusted, to: anchors)
    // libcrypto compares an excluded name with the leaf's wildcard, which is another text.
    if let index = path.indices.dropFirst().first(where: { path[$0].excludes(host) }) {
      throw TrustFailure(
        .nameConstraint, certificate: 0, culprit: path.first,
        explanation: "certificate \(index) excludes the host",
        verifyError: X509_V_ERR_EXCLUDED_VIOLATION)
    }
    return path
  }

  private func configure(
    _ parameters: OpaquePointer, host: HostName, at time: Int64, checkingPolicies: Bool
  ) -> Bool {
    var flags = UInt(X509_V_FLAG_TRUSTED_FIRST)
    // Certificate policies matter where an authority says so (RFC 5280 §6.1.3 (f)).
    if checkingPolicies {
      flags |= UInt(X509_V_FLAG_POLICY_CHECK)
      // Without it none would do.
      guard unsafe X509_VERIFY_PARAM_add0_policy(parameters, OBJ_nid2obj(NID_any_policy)) == 1
      else { return false }
    }
    if options.isStrict { flags |= UInt(X509_V_FLAG_X509_STRICT) }
    switch revocation.scope {
    case .none: break
    case .leaf: flags |= UInt(X509_V_FLAG_CRL_CHECK)
    case .chain: flags |= UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL)
    }
    unsafe X509_VERIFY_PARAM_set_flags(parameters, flags)
    unsafe X509_VERIFY_PARAM_set_time(parameters, Int(time))
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, options.securityLevel)
    unsafe X509_VERIFY_PARAM_set_depth(
      parameters, Int32(clamping: max(options.maximumIntermediates ?? 100, 0)))
    // The host is matched against subjectAltName alone, and wildcards are whole labels (RFC 6125).
    unsafe X509_VERIFY_PARAM_set_hostflags(
      parameters,
      UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    let name = host.description
    let isHostSet =
      host.isAddress
      ? unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, name)
      : unsafe X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count)
    return unsafe isHostSet == 1
      && X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER) == 1
      && X509_VERIFY_PARAM_set_trust(parameters, X509_TRUST_SSL_SERVER) == 1
  }

  /// The path that was built, as certificates that are known here.
  private func path(
    of context: OpaquePointer, from untrusted: [Certificate], to anchors: TrustAnchors
  ) throws(TrustFailure) -> [Certificate] {
    let chain = unsafe X509_STORE_CTX_get0_chain(context)
    let count = max(unsafe OPENSSL_sk_num(chain), 0)
    var path: [Certificate] = []
    path.reserveCapacity(Int(count))
    for index in 0..<count {
      // libcrypto counts references and copies nothing, so the address tells which one it is.
      let address = unsafe UInt(bitPattern: OPENSSL_sk_value(chain, index))
      guard
        let certificate = untrusted.first(where: { $0.address == address })
          ?? anchors.certificate(at: address)
      else {
        throw TrustFailure(.internal, certificate: Int(index), explanation: "unknown certificate")
      }
      path.append(certificate)
    }
    guard !path.isEmpty else {
      throw TrustFailure(.internal, certificate: nil, explanation: "an empty path")
    }
    return path
  }
}

/// extendedKeyUsage says what is below an anchor; the anchor itself is trusted for a name and a key
/// (RFC 5280 §6.1.1 (d)), and libcrypto would look at it there too. A leaf that is its own anchor is
/// a leaf.
private let letAnchorsHaveAnyPurpose: @convention(c) (Int32, OpaquePointer?) -> Int32 = {
  isGood, context in
  let depth = unsafe X509_STORE_CTX_get_error_depth(context)
  let isPurposeOfAnchor =
    unsafe isGood != 1 && X509_STORE_CTX_get_error(context) == X509_V_ERR_INVALID_PURPOSE
    && depth > 0 && depth == OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context)) - 1
  return isPurposeOfAnchor ? 1 : isGood
}

extension TrustFailure.Reason {
  /// Whether no other path above a leaf with this fault can help.
  fileprivate var staysWithLeaf: Bool {
    switch self {
    case .hostname, .expired, .notYetValid, .weak, .extendedKeyUsage, .criticalExtension,
      .malformed, .internal:
      true
    case .untrusted, .selfSigned, .signature, .constraint, .nameConstraint, .revoked,
      .revocationUnknown, .tooLong:
      false
    }
  }
}
