/*
 * pack_digest.c - common/digest.h without libcrypto, for the target "pack": four sums of 64
 * bits, for which nobody looks for collisions here.
 */
#include "common/digest.h"

#include <string.h>

enum { SUMS = 4, DIGITS = DIGEST_HEX_SIZE / SUMS };

typedef struct sums {
    uint64_t of[SUMS];
} sums;

void digest_begin(digest_hash *h) {
    sums s;
    for (size_t i = 0; i < SUMS; i++) {
        s.of[i] = 0xCBF29CE484222325u + i;
    }
    memcpy(h->state, &s, sizeof s);
}

void digest_add(digest_hash *h, ep_bytes piece) {
    sums s;
    memcpy(&s, h->state, sizeof s);
    for (size_t i = 0; i < piece.size; i++) {
        uint64_t *sum = &s.of[i % SUMS];
        *sum = (*sum ^ (unsigned char)piece.data[i]) * 0x100000001B3u;
        s.of[(i + 1) % SUMS] += *sum >> 32;
    }
    memcpy(h->state, &s, sizeof s);
}

void digest_finish(digest_hash *h, char hex[DIGEST_HEX_SIZE + 1]) {
    sums s;
    memcpy(&s, h->state, sizeof s);
    for (size_t i = 0; i < DIGEST_HEX_SIZE; i++) {
        hex[i] = "0123456789abcdef"[s.of[i / DIGITS] >> (4 * (i % DIGITS)) & 15];
    }
    hex[DIGEST_HEX_SIZE] = '\0';
    digest_begin(h);
}
