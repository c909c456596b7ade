/* Bare EVP, and a count of allocations: what the Swift code is measured against. */
#ifndef BASELINE_H
#define BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *_Nonnull digest; /* "SHA256" … */
  bool pss;           /* RSASSA-PSS, salt as long as the digest */
} baseline_algorithm;

/* An EVP_PKEY from PEM, public or private; NULL where it can't be read. */
void *_Nullable baseline_public_key(const uint8_t *_Nonnull pem, size_t size);
void *_Nullable baseline_private_key(const uint8_t *_Nonnull pem, size_t size);

/* Each turn a fresh EVP_MD_CTX, EVP_DigestVerifyInit and EVP_DigestVerify over prepared bytes.
 * Answers with nanoseconds, or -1 once a signature does not verify. */
int64_t baseline_verify(
    void *_Nonnull key, baseline_algorithm algorithm, const uint8_t *_Nonnull signature,
    size_t signature_size, const uint8_t *_Nonnull input, size_t input_size, int64_t turns);

/* The same with EVP_DigestSign. */
int64_t baseline_sign(
    void *_Nonnull key, baseline_algorithm algorithm, const uint8_t *_Nonnull input,
    size_t input_size, int64_t turns);

/* The time that the thread has run, in nanoseconds: what else runs on the machine counts less. */
int64_t baseline_now(void);

/* How many times memory was asked for since the process began. */
int64_t baseline_allocations(void);

/* Gives free memory back to the system, so that what stays resident is in use. */
void baseline_trim(void);

/* Lets standard output go out a line at a time, into a pipe too. */
void baseline_answer_by_line(void);

#endif
