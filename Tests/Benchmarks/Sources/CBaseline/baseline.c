#include "baseline.h"

#include <malloc.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int64_t baseline_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void baseline_trim(void) { malloc_trim(0); }

void baseline_answer_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

void *baseline_public_key(const uint8_t *pem, size_t size) {
  BIO *bytes = BIO_new_mem_buf(pem, (int)size);
  EVP_PKEY *key = PEM_read_bio_PUBKEY(bytes, NULL, NULL, NULL);
  BIO_free(bytes);
  return key;
}

void *baseline_private_key(const uint8_t *pem, size_t size) {
  BIO *bytes = BIO_new_mem_buf(pem, (int)size);
  EVP_PKEY *key = PEM_read_bio_PrivateKey(bytes, NULL, NULL, NULL);
  BIO_free(bytes);
  return key;
}

static const EVP_MD *digest(baseline_algorithm algorithm) {
  if (strcmp(algorithm.digest, "SHA256") == 0) return EVP_sha256();
  return strcmp(algorithm.digest, "SHA384") == 0 ? EVP_sha384() : EVP_sha512();
}

static bool set_padding(EVP_PKEY_CTX *context, baseline_algorithm algorithm) {
  if (!algorithm.pss) return true;
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
}

int64_t baseline_verify(
    void *key, baseline_algorithm algorithm, const uint8_t *signature, size_t signature_size,
    const uint8_t *input, size_t input_size, int64_t turns) {
  int64_t start = baseline_now();
  for (int64_t turn = 0; turn < turns; turn++) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *parameters = NULL;
    bool good = EVP_DigestVerifyInit(context, &parameters, digest(algorithm), NULL, key) == 1 &&
                set_padding(parameters, algorithm) &&
                EVP_DigestVerify(context, signature, signature_size, input, input_size) == 1;
    EVP_MD_CTX_free(context);
    if (!good) return -1;
  }
  return baseline_now() - start;
}

int64_t baseline_sign(
    void *key, baseline_algorithm algorithm, const uint8_t *input, size_t input_size,
    int64_t turns) {
  int64_t start = baseline_now();
  for (int64_t turn = 0; turn < turns; turn++) {
    unsigned char signature[1024];
    size_t size = sizeof signature;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *parameters = NULL;
    bool good = EVP_DigestSignInit(context, &parameters, digest(algorithm), NULL, key) == 1 &&
                set_padding(parameters, algorithm) &&
                EVP_DigestSign(context, signature, &size, input, input_size) == 1;
    EVP_MD_CTX_free(context);
    if (!good) return -1;
  }
  return baseline_now() - start;
}
