/*
 * digest_state.h - the functions of digest.h that a library has, on the state that digest.h has
 * room for. Who includes it defines CONTEXT, the library's own state, and BEGIN, ADD and FINISH,
 * its functions.
 */
#include <assert.h>
#include <string.h>

#include "digest.h"

static_assert(sizeof(CONTEXT) <= DIGEST_STATE_SIZE, "it is kept there");

static void keep(digest_hash *h, const CONTEXT *context) {
    memcpy(h->state, context, sizeof *context);
}

void digest_begin(digest_hash *h) {
    CONTEXT context;
    BEGIN(&context);
    keep(h, &context);
}

void digest_add(digest_hash *h, ep_bytes piece) {
    CONTEXT context;
    memcpy(&context, h->state, sizeof context);
    ADD(&context, (const void *)piece.data, piece.size);
    keep(h, &context);
}

void digest_finish_raw(digest_hash *h, unsigned char result[DIGEST_RAW_SIZE]) {
    CONTEXT context;
    memcpy(&context, h->state, sizeof context);
    FINISH(result, &context);
    digest_begin(h);
}
