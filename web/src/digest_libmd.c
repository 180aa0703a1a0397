/*
 * digest_libmd.c - the SHA-256 of common/digest.h, which is libmd's: libcrypto comes as a
 * whole or not at all, and would be most of the module.
 */
#include "common/digest.h"

#include <sha2.h>

#include "common/memory.h"
#include "common/refusal.h"

bool digest_begin(digest_hash *h) {
    h->context = memory_resize(NULL, sizeof(SHA2_CTX));
    if (h->context != NULL) {
        SHA256Init(h->context);
    }
    return h->context != NULL;
}

bool digest_add(digest_hash *h, ep_bytes piece) {
    SHA256Update(h->context, (const uint8_t *)piece.data, piece.size);
    return true;
}

bool digest_finish_raw(digest_hash *h, unsigned char result[DIGEST_RAW_SIZE]) {
    SHA256Final(result, h->context);
    SHA256Init(h->context);
    return true;
}

void digest_free(digest_hash *h) {
    memory_free(h->context);
    h->context = NULL;
}

bool digest_refuse(failure *what) {
    return refuse_plainly(what, EP_MEMORY); /* nothing else is refused here */
}
