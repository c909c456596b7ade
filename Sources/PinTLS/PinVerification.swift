internal import COpenSSLTLS
internal import Glibc
public import PinCrypto
internal import PinPolicy
public import PinVerifier
internal import Synchronization

/// Makes an SSL_CTX judge every server by trust and then by pins, inside the handshake.
///
/// A server that fails is answered with a TLS alert, before any byte of the application is sent. The
/// host comes from SSL_set1_host (the first name, else the address), else from the server name;
/// without one the handshake fails. SSL_VERIFY_NONE does not switch the judgement off, and a
/// handshake that offers anonymous cipher suites, which show no certificate, is stopped. Nothing
/// before TLS 1.2 is offered, unless a connection asks for it, and then refused.
///
/// Client session caching is turned off. A session that the application kept is offered again only
/// for the host, the policy epoch and the installation that it was made under, in this process:
/// otherwise the handshake is a full one and judges again. It fails instead where it is a
/// renegotiation, and where it begins with SSL_write_early_data. Where the application puts an info
/// callback of its own in place of this one, a handshake that offers any session fails: set it on the
/// SSL_CTX before this is installed, and it is called from here. When the policy changes between the
/// offer and the server's answer, the connection is shut down as it is established: no byte passes.
///
/// Not judged: external pre-shared keys (SSL_set_psk_use_session_callback and the like) and SRP, by
/// which an application identifies servers without certificates.
///
/// - Parameters:
///   - context: an `SSL_CTX *` for clients, of which no SSL was made yet: each takes over what its
///     context has when it is made. Its certificate verification callback, verify mode and
///     info callback are replaced, the last one is still called. It keeps what else is given here:
///     an `observer` or `clock` that owns the context would keep it for ever.
///   - policy: asked at each handshake.
///   - trust: the anchors and options of trust evaluation.
///   - onUnpinned: hosts that no rule governs.
///   - clock: seconds since 1970.
///   - observer: told the outcome of each judgement, on the thread that shakes hands. A resumed
///     handshake has none.
/// - Throws: ``PinTLSError``.
@unsafe
public func installPinVerification(
  on context: OpaquePointer,
  policy: any PolicySnapshotSource,
  trust: TrustEvaluator,
  onUnpinned: UnpinnedHosts,
  clock: @escaping @Sendable () -> Int64 = systemTime,
  observer: @escaping @Sendable (HandshakeOutcome) -> Void = { _ in }
) throws(PinTLSError) {
  let verification = unsafe PinVerification(
    policy: policy, trust: trust, onUnpinned: onUnpinned, clock: clock, observer: observer,
    next: SSL_CTX_get_info_callback(context))
  unsafe try verification.install(on: context)
}

/// The machine's clock, in whole seconds since 1970.
@Sendable
public func systemTime() -> Int64 { Int64(time(nil)) }

/// The state behind an SSL_CTX's callbacks; the SSL_CTX owns it.
@safe
final class PinVerification: Sendable {
  private let policy: any PolicySnapshotSource
  private let trust: TrustEvaluator
  private let onUnpinned: UnpinnedHosts
  private let clock: @Sendable () -> Int64
  private let observer: @Sendable (HandshakeOutcome) -> Void
  private let known = KnownCertificates()
  /// The application's own progress callback, called after ours. A C function: it has no state.
  fileprivate let next: ProgressCallback?
  /// Tells installations apart, which may differ in anchors and in `onUnpinned`.
  private let number = counter.wrappingAdd(1, ordering: .relaxed).newValue

  init(
    policy: any PolicySnapshotSource, trust: TrustEvaluator, onUnpinned: UnpinnedHosts,
    clock: @escaping @Sendable () -> Int64,
    observer: @escaping @Sendable (HandshakeOutcome) -> Void, next: ProgressCallback?
  ) {
    self.policy = policy
    self.trust = trust
    self.onUnpinned = onUnpinned
    self.clock = clock
    self.observer = observer
    unsafe self.next = next
  }

  fileprivate func install(on context: OpaquePointer) throws(PinTLSError) {
    guard unsafe SSL_CTX_get_ex_data(context, contextIndex) == nil else { throw .alreadyInstalled }
    guard contextIndex >= 0, sessionIndex >= 0,
      unsafe SSL_CTX_add_custom_ext(
        context, guardExtension, UInt32(SSL_EXT_CLIENT_HELLO), offerSession, nil, nil, nil, nil)
        == 1
    else { throw .openSSL(OpenSSLError.drained()) }
    let owned = unsafe Unmanaged.passRetained(self)
    guard unsafe SSL_CTX_set_ex_data(context, contextIndex, owned.toOpaque()) == 1 else {
      unsafe owned.release()
      throw .openSSL(OpenSSLError.drained())
    }
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    unsafe SSL_CTX_set_cert_verify_callback(context, verifyCertificate, nil)
    _ = unsafe pin_ssl_ctx_session_cache_off(context)
    // A context of one version, or for DTLS, does not heed it: what comes of that is refused when it
    // is judged.
    if unsafe pin_ssl_ctx_minimum_version(context) < Int(TLS1_2_VERSION) {
      _ = unsafe pin_ssl_ctx_set_minimum_version(context, TLS1_2_VERSION)
    }
    unsafe SSL_CTX_set_info_callback(
      context, next == nil ? sessionWatch : sessionWatchAndNext)
  }

  /// The verification that an SSL's context was given.
  fileprivate static func of(_ connection: OpaquePointer) -> PinVerification? {
    guard let context = unsafe SSL_get_SSL_CTX(connection),
      let state = unsafe SSL_CTX_get_ex_data(context, contextIndex)
    else { return nil }
    return unsafe Unmanaged<PinVerification>.fromOpaque(state).takeUnretainedValue()
  }

  /// Judges what the server sent. 1 is yes; everything else is no.
  fileprivate func judge(_ chain: OpaquePointer, of connection: OpaquePointer) -> Int32 {
    // libssl asks for the mode only after this callback.
    let mode = unsafe SSL_get_verify_mode(connection)
    unsafe SSL_set_verify(
      connection, mode | SSL_VERIFY_PEER, SSL_get_verify_callback(connection))
    let time = clock()
    // Before the judgement: should the policy change meanwhile, the session belongs to the old one.
    let snapshot = policy.snapshot(at: time)
    let (outcome, path) = unsafe outcome(chain, connection, snapshot.policy, at: time)
    observer(outcome)
    guard outcome.isAllowed, let path else {
      unsafe X509_STORE_CTX_set_error(chain, outcome.verifyError)
      return 0
    }
    // A session without a mark is never offered again.
    unsafe SSL_SESSION_set_ex_data(
      SSL_get_session(connection), sessionIndex, mark(of: path.host, in: snapshot.epoch))
    unsafe X509_STORE_CTX_set_error(chain, X509_V_OK)
    // What SSL_get0_verified_chain shows.
    unsafe X509_STORE_CTX_set0_verified_chain(chain, path.newStack())
    return 1
  }

  private func outcome(
    _ chain: OpaquePointer, _ connection: OpaquePointer, _ policy: VerifiedPolicy?, at time: Int64
  ) -> (HandshakeOutcome, ValidatedPath?) {
    if unsafe isBeforeTLS12(connection) {
      return (.oldVersion(unsafe String(cString: SSL_get_version(connection))), nil)
    }
    guard let text = unsafe hostText(of: connection) else { return (.noHost, nil) }
    let host: HostName
    do throws(HostNameError) {
      host = try HostName(text)
    } catch {
      return (.invalidHost(error), nil)
    }
    let path: ValidatedPath
    do throws(CertificateError) {
      let presented = unsafe try PresentedChain(
        leaf: X509_STORE_CTX_get0_cert(chain), untrusted: X509_STORE_CTX_get0_untrusted(chain)
      ) { (pointer, index) throws(CertificateError) in
        unsafe try known.certificate(sharing: pointer, index: index)
      }
      do throws(TrustFailure) {
        path = try trust.evaluate(presented, host: host, at: time)
      } catch {
        return (.untrusted(host: host, error), nil)
      }
    } catch {
      return (.unreadable(host: host, error), nil)
    }
    guard let policy else { return (.noPolicy(host: host), nil) }
    do throws(PolicyVerificationError) {
      let judged = try policy.judged(path, at: time)
      switch (judged.judgement.verdict, onUnpinned) {
      case (.rejected, _), (.notPinned, .reject): return (.refused(judged.judgement), nil)
      case (.accepted, _), (.reported, _), (.exempt, _), (.notPinned, .allow):
        return (.proceeds(judged.judgement), judged.path)
      }
    } catch {
      return (.policyNotInForce(host: host, error), nil)
    }
  }

  /// Whether a connection may offer a session: it was judged for the same host, in the epoch that
  /// holds now, by the rules that hold here.
  fileprivate func mayResume(_ session: OpaquePointer, on connection: OpaquePointer) -> Bool {
    guard let mark = unsafe SSL_SESSION_get_ex_data(session, sessionIndex),
      let text = unsafe hostText(of: connection), let host = try? HostName(text)
    else { return false }
    return unsafe mark == self.mark(of: host, in: policy.snapshot(at: clock()).epoch)
  }

  /// What a session was judged under, as ex_data: a pointer that nobody follows. A digest with a key
  /// of the process, so that there is nothing to free and no one can aim at it.
  private func mark(of host: HostName, in epoch: PolicyEpoch) -> UnsafeMutableRawPointer? {
    var hasher = Hasher()
    hasher.combine(number)
    hasher.combine(epoch)
    hasher.combine(host)
    return unsafe UnsafeMutableRawPointer(bitPattern: hasher.finalize() | 1)
  }

  private static let counter = Atomic<UInt64>(0)
}

/// Whether what was agreed on is TLS 1.1 or older, or its like in DTLS, whose numbers fall.
private func isBeforeTLS12(_ connection: OpaquePointer) -> Bool {
  let version = unsafe SSL_version(connection)
  return unsafe SSL_is_dtls(connection) == 1
    ? version > DTLS1_2_VERSION : version < TLS1_2_VERSION
}

/// The host that the application set, or the server name that it asks for.
private func hostText(of connection: OpaquePointer) -> String? {
  let parameters = unsafe SSL_get0_param(connection)
  if let name = unsafe X509_VERIFY_PARAM_get0_host(parameters, 0) {
    return unsafe String(cString: name)
  }
  // It leaves an error where there is no address, which the application would take for its own.
  ERR_set_mark()
  let address = unsafe X509_VERIFY_PARAM_get1_ip_asc(parameters)
  ERR_pop_to_mark()
  if let address = unsafe address {
    defer { unsafe CRYPTO_free(address, #fileID, #line) }
    return unsafe String(cString: address)
  }
  return unsafe SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name)
    .map { unsafe String(cString: $0) }
}

extension HandshakeOutcome {
  /// What libssl turns into the alert: libcrypto's own reason where trust failed, else
  /// `bad_certificate`.
  fileprivate var verifyError: Int32 {
    switch self {
    case .untrusted(_, let failure) where failure.verifyError > 0: failure.verifyError
    case .proceeds: X509_V_OK
    case .noHost, .invalidHost, .oldVersion, .noPolicy, .policyNotInForce:
      X509_V_ERR_APPLICATION_VERIFICATION
    case .refused, .untrusted, .unreadable: X509_V_ERR_CERT_REJECTED
    }
  }
}

/// In the private range of TLS extension types; never sent.
private let guardExtension: UInt32 = 65_321

private let contextIndex = unsafe pin_ssl_ctx_new_index { _, state, _, _, _, _ in
  if let state = unsafe state { unsafe Unmanaged<PinVerification>.fromOpaque(state).release() }
}

private let sessionIndex = pin_ssl_session_new_index()

private let verifyCertificate: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 =
  { chain, _ in
    guard let chain = unsafe chain,
      let data = unsafe X509_STORE_CTX_get_ex_data(
        chain, SSL_get_ex_data_X509_STORE_CTX_idx())
    else { return 0 }
    let connection = OpaquePointer(data)
    guard let verification = unsafe PinVerification.of(connection) else {
      unsafe X509_STORE_CTX_set_error(chain, X509_V_ERR_APPLICATION_VERIFICATION)
      return 0
    }
    return unsafe verification.judge(chain, of: connection)
  }

/// Called while a ClientHello is made, whatever other callbacks an application sets. It adds nothing
/// to it; what would slip past the judgement stops the handshake here.
private let offerSession: SSL_custom_ext_add_cb_ex = { connection, _, _, _, _, _, _, alert, _ in
  guard let connection = unsafe connection,
    let verification = unsafe PinVerification.of(connection),
    unsafe !offersAnonymity(connection), unsafe verification.mayOffer(connection)
  else {
    unsafe alert?.pointee = SSL_AD_INTERNAL_ERROR
    return -1
  }
  return 0
}

/// Whether a cipher suite without certificates is among those that are offered. The list that was
/// set may hold some that the security level keeps back.
private func offersAnonymity(_ connection: OpaquePointer) -> Bool {
  guard unsafe holdsAnonymity(SSL_get_ciphers(connection)) else { return false }
  let offered = unsafe SSL_get1_supported_ciphers(connection)
  defer { unsafe OPENSSL_sk_free(offered) }
  return unsafe holdsAnonymity(offered)
}

private func holdsAnonymity(_ suites: OpaquePointer?) -> Bool {
  for index in 0..<max(unsafe OPENSSL_sk_num(suites), 0) {
    let suite = unsafe OPENSSL_sk_value(suites, index).map { OpaquePointer($0) }
    if unsafe SSL_CIPHER_get_auth_nid(suite) == NID_auth_null { return true }
  }
  return false
}

extension PinVerification {
  /// Whether a connection is about to offer a session that it may not.
  fileprivate func hasStaleSession(_ connection: OpaquePointer) -> Bool {
    guard let session = unsafe offered(by: connection) else { return false }
    return unsafe !mayResume(session, on: connection)
  }

  /// Whether what a connection is about to offer may be offered: no session, or one that may be
  /// resumed and whose resumption is watched to its end.
  fileprivate func mayOffer(_ connection: OpaquePointer) -> Bool {
    guard let session = unsafe offered(by: connection) else { return true }
    return unsafe isWatched(connection) && mayResume(session, on: connection)
  }

  private func offered(by connection: OpaquePointer) -> OpaquePointer? {
    guard let session = unsafe SSL_get_session(connection),
      unsafe SSL_SESSION_is_resumable(session) == 1
    else { return nil }
    return unsafe session
  }

  /// Whether the info callback is the one that was installed.
  private func isWatched(_ connection: OpaquePointer) -> Bool {
    let callback =
      unsafe SSL_get_info_callback(connection)
      ?? SSL_get_SSL_CTX(connection).flatMap { unsafe SSL_CTX_get_info_callback($0) }
    let installed = unsafe next == nil ? sessionWatch : sessionWatchAndNext
    return unsafe unsafeBitCast(callback, to: UInt.self) == unsafeBitCast(installed, to: UInt.self)
  }

  /// Whether the session that was resumed may not be, now that the handshake has come to its end.
  /// Whether it could be resumed again, which libssl may have put an end to, does not matter.
  fileprivate func hasResumedStaleSession(_ connection: OpaquePointer) -> Bool {
    guard unsafe SSL_session_reused(connection) == 1 else { return false }
    guard let session = unsafe SSL_get_session(connection) else { return true }
    return unsafe !mayResume(session, on: connection)
  }
}

typealias ProgressCallback = @convention(c) (OpaquePointer?, Int32, Int32) -> Void

/// Forgets a session of another host or epoch before it is offered, so that a full handshake judges
/// the server again instead of failing. A connection that is established has to keep its session, so
/// a renegotiation in another epoch fails.
///
/// The server decides how long a resumption takes. Where the policy has changed meanwhile, nothing can
/// be written to the connection or read from it.
private let sessionWatch: ProgressCallback = { connection, stage, _ in
  guard stage & (SSL_CB_HANDSHAKE_START | SSL_CB_HANDSHAKE_DONE) != 0,
    let connection = unsafe connection,
    let verification = unsafe PinVerification.of(connection)
  else { return }
  if stage & SSL_CB_HANDSHAKE_START != 0 {
    if unsafe SSL_in_before(connection) == 1, unsafe verification.hasStaleSession(connection) {
      _ = unsafe SSL_set_session(connection, nil)
    }
  } else if unsafe verification.hasResumedStaleSession(connection) {
    unsafe SSL_set_shutdown(connection, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    // An SSL_write that shakes hands on its way looked at the above before: there is nowhere to write.
    unsafe SSL_set0_wbio(connection, BIO_new_mem_buf("", 0))
  }
}

private let sessionWatchAndNext: ProgressCallback = { connection, stage, result in
  unsafe sessionWatch(connection, stage, result)
  guard let connection = unsafe connection else { return }
  unsafe PinVerification.of(connection)?.next?(connection, stage, result)
}
