/* Bare libcrypto and libssl: what trust evaluation and the handshake hook are measured against. */
#ifndef HANDSHAKE_H
#define HANDSHAKE_H

#include <stddef.h>
#include <stdint.h>

/* A store of the one anchor in a PEM text. */
void *_Nullable baseline_store(const uint8_t *_Nonnull pem, size_t size);

/* d2i_X509 of a leaf and of the one certificate above it, then X509_verify_cert with the same checks
 * that TrustEvaluator asks for. Nanoseconds of `turns` turns, -1 once it fails. */
int64_t baseline_verify_chain(
    void *_Nonnull store, const char *_Nonnull host, int64_t time,
    const uint8_t *_Nonnull leaf, size_t leaf_size, const uint8_t *_Nonnull authority,
    size_t authority_size, int64_t turns);

/* A server that shows the certificate, key and chain of PEM files. */
void *_Nullable baseline_server(
    const char *_Nonnull chain_file, const char *_Nonnull key_file, int version);

/* A client that checks as baseline_verify_chain does. */
void *_Nullable baseline_client(void *_Nonnull store, int64_t time);

/* Full handshakes in memory: nanoseconds of both sides, or of the client alone. */
int64_t baseline_handshakes(
    void *_Nonnull client, void *_Nonnull server, const char *_Nonnull host,
    int is_client_alone, int64_t turns);

#endif
