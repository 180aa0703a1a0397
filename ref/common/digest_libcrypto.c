/*
 * digest_libcrypto.c - the SHA-256 of digest.h, which is libcrypto's. Its functions of SHA-256
 * alone, which OpenSSL 3 calls deprecated, need neither memory nor providers; linked in, they
 * are 20 kB, and nothing is loaded for them when a process begins.
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <assert.h>
#include <openssl/sha.h>
#include <string.h>

#include "digest.h"

static_assert(sizeof(SHA256_CTX) <= DIGEST_STATE_SIZE, "it is kept there");

static void keep(digest_hash *h, const SHA256_CTX *context) {
    memcpy(h->state, context, sizeof *context);
}

void digest_begin(digest_hash *h) {
    SHA256_CTX context;
    SHA256_Init(&context);
    keep(h, &context);
}

void digest_add(digest_hash *h, ep_bytes piece) {
    SHA256_CTX context;
    memcpy(&context, h->state, sizeof context);
    SHA256_Update(&context, piece.data, piece.size);
    keep(h, &context);
}

void digest_finish_raw(digest_hash *h, unsigned char result[DIGEST_RAW_SIZE]) {
    SHA256_CTX context;
    memcpy(&context, h->state, sizeof context);
    SHA256_Final(result, &context);
    digest_begin(h);
}
