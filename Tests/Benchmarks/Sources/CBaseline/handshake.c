#include "handshake.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "baseline.h"

void *baseline_store(const uint8_t *pem, size_t size) {
  X509_STORE *store = X509_STORE_new();
  BIO *bytes = BIO_new_mem_buf(pem, (int)size);
  X509 *anchor = PEM_read_bio_X509(bytes, NULL, NULL, NULL);
  X509_STORE_add_cert(store, anchor);
  X509_free(anchor);
  BIO_free(bytes);
  return store;
}

static void ask(X509_VERIFY_PARAM *parameters, int64_t time) {
  X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_TRUSTED_FIRST);
  X509_VERIFY_PARAM_set_time(parameters, time);
  X509_VERIFY_PARAM_set_auth_level(parameters, 2);
  X509_VERIFY_PARAM_set_hostflags(
      parameters, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER);
}

int64_t baseline_verify_chain(
    void *store, const char *host, int64_t time, const uint8_t *leaf, size_t leaf_size,
    const uint8_t *authority, size_t authority_size, int64_t turns) {
  int64_t start = baseline_now();
  for (int64_t turn = 0; turn < turns; turn++) {
    const unsigned char *next = leaf;
    X509 *first = d2i_X509(NULL, &next, (long)leaf_size);
    next = authority;
    X509 *second = d2i_X509(NULL, &next, (long)authority_size);
    STACK_OF(X509) *untrusted = sk_X509_new_null();
    sk_X509_push(untrusted, second);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    X509_STORE_CTX_init(context, store, first, untrusted);
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    ask(parameters, time);
    X509_VERIFY_PARAM_set1_host(parameters, host, 0);
    int status = X509_verify_cert(context);
    X509_STORE_CTX_free(context);
    sk_X509_free(untrusted);
    X509_free(first);
    X509_free(second);
    if (status != 1) return -1;
  }
  return baseline_now() - start;
}

void *baseline_server(const char *chain_file, const char *key_file, int version) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_min_proto_version(context, version);
  SSL_CTX_set_max_proto_version(context, version);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(context, 0);
  if (SSL_CTX_use_certificate_chain_file(context, chain_file) == 1 &&
      SSL_CTX_use_PrivateKey_file(context, key_file, SSL_FILETYPE_PEM) == 1)
    return context;
  SSL_CTX_free(context);
  return NULL;
}

void *baseline_client(void *store, int64_t time) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set1_cert_store(context, store);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  ask(SSL_CTX_get0_param(context), time);
  return context;
}

/* One handshake; adds what the client took to `client_time`. */
static int shake_hands(
    SSL_CTX *client, SSL_CTX *server, const char *host, int64_t *client_time) {
  SSL *one = SSL_new(client), *two = SSL_new(server);
  BIO *up = BIO_new(BIO_s_mem()), *down = BIO_new(BIO_s_mem());
  BIO_up_ref(up);
  BIO_up_ref(down);
  SSL_set_bio(one, down, up);
  SSL_set_bio(two, up, down);
  SSL_set_connect_state(one);
  SSL_set_accept_state(two);
  SSL_set1_host(one, host);
  SSL_set_tlsext_host_name(one, host);
  int client_done = 0, server_done = 0;
  for (int flight = 0; flight < 10 && !(client_done && server_done); flight++) {
    int64_t start = baseline_now();
    client_done = SSL_do_handshake(one) == 1;
    *client_time += baseline_now() - start;
    server_done = SSL_do_handshake(two) == 1;
  }
  SSL_free(one);
  SSL_free(two);
  return client_done && server_done;
}

int64_t baseline_handshakes(
    void *client, void *server, const char *host, int is_client_alone, int64_t turns) {
  int64_t client_time = 0, start = baseline_now();
  for (int64_t turn = 0; turn < turns; turn++)
    if (!shake_hands(client, server, host, &client_time)) return -1;
  return is_client_alone ? client_time : baseline_now() - start;
}
