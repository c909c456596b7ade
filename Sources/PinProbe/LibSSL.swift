internal import CLibSSL
internal import Glibc

/// libssl, loaded when the first server is asked.
///
/// Linked, it would cost every run of the command line a quarter of a millisecond, also of one that
/// touches no network (docs/decisions/0008-libssl-on-demand.md).
// @unchecked: pointers to functions, written once.
@safe
struct LibSSL: @unchecked Sendable {
  let clientMethod: pin_TLS_client_method
  let newContext: pin_SSL_CTX_new
  let freeContext: pin_SSL_CTX_free
  let controlContext: pin_SSL_CTX_ctrl
  let setSecurityLevel: pin_SSL_CTX_set_security_level
  let setCipherList: pin_SSL_CTX_set_cipher_list
  let setALPN: pin_SSL_CTX_set_alpn_protos
  let setVerify: pin_SSL_CTX_set_verify
  let useCertificate: pin_SSL_CTX_use_certificate
  let usePrivateKey: pin_SSL_CTX_use_PrivateKey
  let new: pin_SSL_new
  let free: pin_SSL_free
  let control: pin_SSL_ctrl
  let setBIO: pin_SSL_set_bio
  let setMessageCallback: pin_SSL_set_msg_callback
  let connect: pin_SSL_connect
  let read: pin_SSL_read
  let shutdown: pin_SSL_shutdown
  let error: pin_SSL_get_error
  let peerCertificate: pin_SSL_get0_peer_certificate
  let peerChain: pin_SSL_get_peer_cert_chain
  let version: pin_SSL_get_version
  let cipher: pin_SSL_get_current_cipher
  let cipherName: pin_SSL_CIPHER_get_name
  let selectedALPN: pin_SSL_get0_alpn_selected

  /// The library, or what the loader said about its absence.
  static let shared: Result<LibSSL, Absence> = load("libssl.so.3")

  struct Absence: Error, Equatable {
    let reason: String
  }

  static func load(_ name: String) -> Result<LibSSL, Absence> {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return .failure(absence) }
    do {
      return .success(try unsafe LibSSL(library))
    } catch { return .failure(error) }
  }

  private static var absence: Absence {
    Absence(reason: unsafe dlerror().map { unsafe String(cString: $0) } ?? "not found")
  }

  // The types are those that ssl.h declares; the library stays loaded, as the pointers do.
  private init(_ library: UnsafeMutableRawPointer) throws(Absence) {
    func symbol<Function>(_ name: String, as type: Function.Type) throws(Absence) -> Function {
      guard let address = unsafe dlsym(library, name) else { throw Self.absence }
      return unsafe unsafeBitCast(address, to: type)
    }
    unsafe clientMethod = try symbol("TLS_client_method", as: pin_TLS_client_method.self)
    unsafe newContext = try symbol("SSL_CTX_new", as: pin_SSL_CTX_new.self)
    unsafe freeContext = try symbol("SSL_CTX_free", as: pin_SSL_CTX_free.self)
    unsafe controlContext = try symbol("SSL_CTX_ctrl", as: pin_SSL_CTX_ctrl.self)
    unsafe setSecurityLevel = try symbol(
      "SSL_CTX_set_security_level", as: pin_SSL_CTX_set_security_level.self)
    unsafe setCipherList = try symbol(
      "SSL_CTX_set_cipher_list", as: pin_SSL_CTX_set_cipher_list.self)
    unsafe setALPN = try symbol("SSL_CTX_set_alpn_protos", as: pin_SSL_CTX_set_alpn_protos.self)
    unsafe setVerify = try symbol("SSL_CTX_set_verify", as: pin_SSL_CTX_set_verify.self)
    unsafe useCertificate = try symbol(
      "SSL_CTX_use_certificate", as: pin_SSL_CTX_use_certificate.self)
    unsafe usePrivateKey = try symbol(
      "SSL_CTX_use_PrivateKey", as: pin_SSL_CTX_use_PrivateKey.self)
    unsafe new = try symbol("SSL_new", as: pin_SSL_new.self)
    unsafe free = try symbol("SSL_free", as: pin_SSL_free.self)
    unsafe control = try symbol("SSL_ctrl", as: pin_SSL_ctrl.self)
    unsafe setBIO = try symbol("SSL_set_bio", as: pin_SSL_set_bio.self)
    unsafe setMessageCallback = try symbol(
      "SSL_set_msg_callback", as: pin_SSL_set_msg_callback.self)
    unsafe connect = try symbol("SSL_connect", as: pin_SSL_connect.self)
    unsafe read = try symbol("SSL_read", as: pin_SSL_read.self)
    unsafe shutdown = try symbol("SSL_shutdown", as: pin_SSL_shutdown.self)
    unsafe error = try symbol("SSL_get_error", as: pin_SSL_get_error.self)
    unsafe peerCertificate = try symbol(
      "SSL_get0_peer_certificate", as: pin_SSL_get0_peer_certificate.self)
    unsafe peerChain = try symbol("SSL_get_peer_cert_chain", as: pin_SSL_get_peer_cert_chain.self)
    unsafe version = try symbol("SSL_get_version", as: pin_SSL_get_version.self)
    unsafe cipher = try symbol("SSL_get_current_cipher", as: pin_SSL_get_current_cipher.self)
    unsafe cipherName = try symbol("SSL_CIPHER_get_name", as: pin_SSL_CIPHER_get_name.self)
    unsafe selectedALPN = try symbol(
      "SSL_get0_alpn_selected", as: pin_SSL_get0_alpn_selected.self)
  }
}
