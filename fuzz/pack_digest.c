/*
 * pack_digest.c - common/digest.h without libcrypto, for the target "pack": a sum of 64 bits
 * (FNV-1a), for which nobody looks for collisions here.
 */
#include "common/digest.h"

#include <string.h>

void digest_begin(digest_hash *h) {
    memcpy(h->state, &(uint64_t){0xCBF29CE484222325u}, sizeof(uint64_t));
}

void digest_add(digest_hash *h, ep_bytes piece) {
    uint64_t sum;
    memcpy(&sum, h->state, sizeof sum);
    for (size_t i = 0; i < piece.size; i++) {
        sum = (sum ^ (unsigned char)piece.data[i]) * 0x100000001B3u;
    }
    memcpy(h->state, &sum, sizeof sum);
}

void digest_finish(digest_hash *h, char hex[DIGEST_HEX_SIZE + 1]) {
    uint64_t sum;
    memcpy(&sum, h->state, sizeof sum);
    for (size_t i = 0; i < DIGEST_HEX_SIZE; i++) {
        hex[i] = "0123456789abcdef"[sum >> (4 * (i % 16)) & 15];
    }
    hex[DIGEST_HEX_SIZE] = '\0';
    digest_begin(h);
}
