#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
