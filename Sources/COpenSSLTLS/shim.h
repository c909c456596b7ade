// libssl, apart from COpenSSL: a module map that links it makes every user load it. Inline functions
// stand here for macros and ex_data calls that Swift can't import.
#ifndef PIN_POLICY_COPENSSLTLS_SHIM_H
#define PIN_POLICY_COPENSSLTLS_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int pin_ssl_ctx_new_index(CRYPTO_EX_free *release) {
  return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

static inline int pin_ssl_session_new_index(void) {
  return SSL_SESSION_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

static inline int pin_ssl_ctx_set_minimum_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}

static inline long pin_ssl_ctx_minimum_version(SSL_CTX *context) {
  return SSL_CTX_get_min_proto_version(context);
}

static inline long pin_ssl_ctx_session_cache_off(SSL_CTX *context) {
  return SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

#endif
