/*
 * digest_libcrypto.c - the SHA-256 of digest.h, which is libcrypto's. Its functions of SHA-256
 * alone, which OpenSSL 3 calls deprecated, need neither memory nor providers; linked in, they
 * are 20 kB, and nothing is loaded for them when a process begins.
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/sha.h>

#define CONTEXT SHA256_CTX
#define BEGIN SHA256_Init
#define ADD SHA256_Update
#define FINISH SHA256_Final
#include "digest_state.h"
