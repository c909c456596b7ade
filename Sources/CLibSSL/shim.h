#ifndef PIN_POLICY_CLIBSSL_SHIM_H
#define PIN_POLICY_CLIBSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

/* What PinProbe looks up in libssl at run time, in the types that the header declares. */
#define PIN_LIBSSL(name) typedef __typeof__(&name) pin_##name
PIN_LIBSSL(TLS_client_method);
PIN_LIBSSL(SSL_CTX_new);
PIN_LIBSSL(SSL_CTX_free);
PIN_LIBSSL(SSL_CTX_ctrl);
PIN_LIBSSL(SSL_CTX_set_security_level);
PIN_LIBSSL(SSL_CTX_set_cipher_list);
PIN_LIBSSL(SSL_CTX_set_alpn_protos);
PIN_LIBSSL(SSL_CTX_set_verify);
PIN_LIBSSL(SSL_CTX_use_certificate);
PIN_LIBSSL(SSL_CTX_use_PrivateKey);
PIN_LIBSSL(SSL_new);
PIN_LIBSSL(SSL_free);
PIN_LIBSSL(SSL_ctrl);
PIN_LIBSSL(SSL_set_bio);
PIN_LIBSSL(SSL_set_msg_callback);
PIN_LIBSSL(SSL_connect);
PIN_LIBSSL(SSL_read);
PIN_LIBSSL(SSL_shutdown);
PIN_LIBSSL(SSL_get_error);
PIN_LIBSSL(SSL_get0_peer_certificate);
PIN_LIBSSL(SSL_get_peer_cert_chain);
PIN_LIBSSL(SSL_get_version);
PIN_LIBSSL(SSL_get_current_cipher);
PIN_LIBSSL(SSL_CIPHER_get_name);
PIN_LIBSSL(SSL_get0_alpn_selected);

#endif
