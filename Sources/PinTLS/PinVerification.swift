internal import COpenSSLTLS
internal import Glibc
public import PinCrypto
internal import PinPolicy
public import PinVerifier

/// Makes an SSL_CTX judge every server by trust and then by pins, inside the handshake.
///
/// A server that fails is answered with a TLS alert, before any byte of the application is sent. The
/// host comes from SSL_set1_host, else from the server name; without one the handshake fails. Client
/// session caching is turned off, and a session that the application kept is offered again only in
/// the policy epoch that it was made in: otherwise the handshake is a full one and judges again.
///
/// - Parameters:
///   - context: an `SSL_CTX *` for clients. Its verify callback and verify mode are replaced; setting
///     SSL_VERIFY_NONE on an SSL made from it would switch all checking off.
///   - policy: asked at each handshake.
///   - trust: the anchors and options of trust evaluation.
///   - onUnpinned: hosts that no rule governs.
///   - clock: seconds since 1970.
///   - observer: told the outcome of each handshake, on the thread that it runs on.
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
  /// The application's own progress callback, called after ours. A C function: it has no state.
  fileprivate let next: ProgressCallback?

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
    unsafe SSL_CTX_set_info_callback(context, handshakeProgress)
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
    let time = clock()
    let snapshot = policy.snapshot(at: time)
    let (outcome, path) = unsafe outcome(chain, connection, snapshot.policy, at: time)
    observer(outcome)
    guard outcome.isAllowed, let path else {
      unsafe X509_STORE_CTX_set_error(chain, outcome.verifyError)
      return 0
    }
    // The session remembers the epoch; one without is never offered again.
    _ = unsafe SSL_SESSION_set_ex_data(
      SSL_get_session(connection), sessionIndex, snapshot.epoch.mark)
    unsafe X509_STORE_CTX_set_error(chain, X509_V_OK)
    unsafe setVerifiedChain(path, of: chain)
    return 1
  }

  private func outcome(
    _ chain: OpaquePointer, _ connection: OpaquePointer, _ policy: VerifiedPolicy?, at time: Int64
  ) -> (HandshakeOutcome, ValidatedPath?) {
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
        leaf: X509_STORE_CTX_get0_cert(chain), untrusted: X509_STORE_CTX_get0_untrusted(chain))
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
      let judgement = try policy.evaluate(path, at: time)
      switch (judgement.verdict, onUnpinned) {
      case (.rejected, _), (.notPinned, .reject): return (.refused(judgement), nil)
      case (.accepted, _), (.reported, _), (.exempt, _), (.notPinned, .allow):
        return (.proceeds(judgement), path)
      }
    } catch {
      return (.policyNotInForce(host: host, error), nil)
    }
  }

  /// Whether a session may be offered: it was judged in the epoch that holds now.
  fileprivate func mayResume(_ session: OpaquePointer) -> Bool {
    let mark = unsafe SSL_SESSION_get_ex_data(session, sessionIndex)
    guard let mark = unsafe mark else { return false }
    return unsafe mark == policy.snapshot(at: clock()).epoch.mark
  }
}

/// The host that the application set, or the server name that it asks for.
private func hostText(of connection: OpaquePointer) -> String? {
  let parameters = unsafe SSL_get0_param(connection)
  if let name = unsafe X509_VERIFY_PARAM_get0_host(parameters, 0) {
    return unsafe String(cString: name)
  }
  if let address = unsafe X509_VERIFY_PARAM_get1_ip_asc(parameters) {
    defer { unsafe CRYPTO_free(address, #fileID, #line) }
    return unsafe String(cString: address)
  }
  return unsafe SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name)
    .map { unsafe String(cString: $0) }
}

/// Lets SSL_get0_verified_chain show the path that was judged.
private func setVerifiedChain(_ path: ValidatedPath, of context: OpaquePointer) {
  guard let list = unsafe OPENSSL_sk_new_null() else { return }
  for certificate in path.certificates {
    unsafe certificate.withPointer { pointer in
      if unsafe X509_up_ref(pointer) == 1 {
        _ = unsafe OPENSSL_sk_push(list, UnsafeRawPointer(pointer))
      }
    }
  }
  unsafe X509_STORE_CTX_set0_verified_chain(context, list)
}

extension PolicyEpoch {
  /// The epoch as ex_data, which is a pointer that nobody follows.
  fileprivate var mark: UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: UInt(number))
  }
}

extension HandshakeOutcome {
  /// What libssl turns into the alert: libcrypto's own reason where trust failed, else
  /// `bad_certificate`.
  fileprivate var verifyError: Int32 {
    switch self {
    case .untrusted(_, let failure) where failure.code > 0: failure.code
    case .proceeds: X509_V_OK
    case .noHost, .invalidHost, .noPolicy, .policyNotInForce: X509_V_ERR_APPLICATION_VERIFICATION
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
/// to it; a session of another epoch stops the handshake here.
private let offerSession: SSL_custom_ext_add_cb_ex = { connection, _, _, _, _, _, _, alert, _ in
  guard let connection = unsafe connection, let session = unsafe SSL_get_session(connection),
    unsafe SSL_SESSION_is_resumable(session) == 1
  else { return 0 }
  guard let verification = unsafe PinVerification.of(connection) else { return 0 }
  if unsafe verification.mayResume(session) { return 0 }
  unsafe alert?.pointee = SSL_AD_INTERNAL_ERROR
  return -1
}

typealias ProgressCallback = @convention(c) (OpaquePointer?, Int32, Int32) -> Void

/// Forgets a session of another epoch before it is offered, so that a full handshake judges the
/// server again instead of failing.
private let handshakeProgress: ProgressCallback = { connection, stage, result in
  guard let connection = unsafe connection,
    let verification = unsafe PinVerification.of(connection)
  else { return }
  if stage & SSL_CB_HANDSHAKE_START != 0, unsafe SSL_in_before(connection) == 1,
    let session = unsafe SSL_get_session(connection),
    unsafe SSL_SESSION_is_resumable(session) == 1, unsafe !verification.mayResume(session)
  {
    _ = unsafe SSL_set_session(connection, nil)
  }
  unsafe verification.next?(connection, stage, result)
}
