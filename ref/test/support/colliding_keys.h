/*
 * colliding_keys.h - texts that hurt a hash map: the hash of map.c is no secret, so
 * whoever writes a file can draw texts until they have hashes of their liking.
 */
#ifndef EP_TEST_COLLIDING_KEYS_H
#define EP_TEST_COLLIDING_KEYS_H

#include "epref.h"

enum { COLLIDING_WIDTH = 24 }; /* bytes of each text */

/* Texts of letters and digits, one after the other. */
typedef struct colliding_keys {
    char *data;
    size_t count;
} colliding_keys;

void colliding_free(colliding_keys *texts);

static inline ep_bytes colliding_key(const colliding_keys *texts, size_t i) {
    return (ep_bytes){texts->data + i * COLLIDING_WIDTH, COLLIDING_WIDTH};
}

/* add_00000000000000000000, and so on: nothing is wrong with these. */
colliding_keys keys_numbered(size_t count);

/*
 * count texts, a power of two, for a map that they fill to the half: put in
 * this order each goes to a slot of its own, right behind the one before, so
 * that no put passes a slot. One more text, number count, is not among them:
 * its search begins before them all.
 */
colliding_keys colliding_row(size_t count);

/* count texts that begin in few slots of a map that they fill: one in so many
 * hundred slots gets them all. */
colliding_keys colliding_pile(size_t count);

#endif
