// libcrypto only: libssl has a module map of its own, so that a service that only verifies
// policies does not load it. Inline functions stand here for macros that Swift can't import, and
// for functions with a variable number of arguments.
#ifndef PIN_POLICY_COPENSSL_SHIM_H
#define PIN_POLICY_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/prctl.h>

static const unsigned long PIN_XN_FLAG_ONELINE = XN_FLAG_ONELINE;

// Of stdlib.h, for programs in C with GNU extensions.
extern char *secure_getenv(const char *name);

/// What the environment says, unless the process has rights that who set it need not have.
static inline const char *pin_policy_trusted_environment(const char *name) {
  return secure_getenv(name);
}

static inline int pin_policy_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#endif
