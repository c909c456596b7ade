/* Times libjose: `libjose_peer FOLDER`, then a line `libjose ALG FILE COUNT` each time.
 *
 * The key is read once; a verification splits the compact form, checks the signature and decodes the
 * payload. Answers with the nanoseconds that COUNT verifications took. */
#include <jansson.h>
#include <jose/b64.h>
#include <jose/jws.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static size_t read_file(const char *path, char *bytes, size_t room) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "libjose_peer: cannot open %s\n", path);
    exit(3);
  }
  size_t count = fread(bytes, 1, room, file);
  fclose(file);
  return count;
}

static bool verify(const char *token, size_t size, const json_t *key) {
  const char *end = token + size;
  const char *first = memchr(token, '.', size);
  const char *second = first ? memchr(first + 1, '.', (size_t)(end - first - 1)) : NULL;
  if (!second) return false;
  json_t *message = json_pack(
      "{s:s%,s:s%,s:s%}", "protected", token, (size_t)(first - token), "payload", first + 1,
      (size_t)(second - first - 1), "signature", second + 1, (size_t)(end - second - 1));
  bool good = message && jose_jws_ver(NULL, message, NULL, key, false);
  if (good) {
    json_t *encoded = json_object_get(message, "payload");
    size_t room = jose_b64_dec(encoded, NULL, 0);
    unsigned char *payload = malloc(room);
    good = payload && jose_b64_dec(encoded, payload, room) != SIZE_MAX;
    free(payload);
  }
  json_decref(message);
  return good;
}

int main(int count, char **arguments) {
  static char token[1 << 20];
  char line[256], library[32], algorithm[32], name[128], path[512];
  char loaded[32] = "";
  json_t *key = NULL;
  unsigned long turns;
  if (count != 2) return 2;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%31s %31s %127s %lu", library, algorithm, name, &turns) != 4) return 2;
    if (strcmp(loaded, algorithm) != 0) {
      json_decref(key);
      snprintf(path, sizeof path, "%s/%s.pub.jwk", arguments[1], algorithm);
      key = json_load_file(path, 0, NULL);
      snprintf(loaded, sizeof loaded, "%s", algorithm);
    }
    snprintf(path, sizeof path, "%s/%s", arguments[1], name);
    size_t size = read_file(path, token, sizeof token);
    int64_t start = now();
    for (unsigned long turn = 0; turn < turns; turn++) {
      if (!verify(token, size, key)) {
        fprintf(stderr, "libjose_peer: %s %s is refused\n", algorithm, name);
        return 1;
      }
    }
    printf("%lld\n", (long long)(now() - start));
    fflush(stdout);
  }
  return 0;
}
