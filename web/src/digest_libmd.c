/*
 * digest_libmd.c - the SHA-256 of common/digest.h, which is libmd's: libcrypto is
 * built as a whole or not at all, which takes longer than all the rest.
 */
#include "common/digest.h"

#include <assert.h>
#include <sha2.h>
#include <string.h>

static_assert(sizeof(SHA2_CTX) <= DIGEST_STATE_SIZE, "it is kept there");

static void keep(digest_hash *h, const SHA2_CTX *context) {
    memcpy(h->state, context, sizeof *context);
}

void digest_begin(digest_hash *h) {
    SHA2_CTX context;
    SHA256Init(&context);
    keep(h, &context);
}

void digest_add(digest_hash *h, ep_bytes piece) {
    SHA2_CTX context;
    memcpy(&context, h->state, sizeof context);
    SHA256Update(&context, (const uint8_t *)piece.data, piece.size);
    keep(h, &context);
}

void digest_finish_raw(digest_hash *h, unsigned char result[DIGEST_RAW_SIZE]) {
    SHA2_CTX context;
    memcpy(&context, h->state, sizeof context);
    SHA256Final(result, &context);
    digest_begin(h);
}
