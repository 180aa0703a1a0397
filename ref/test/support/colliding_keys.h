/*
 * colliding_keys.h - texts that hurt a hash map: the hash of map.c is no secret, so
 * whoever writes a file can draw texts until they have hashes of their liking.
 */
#ifndef EP_TEST_MAP_ENEMY_H
#define EP_TEST_MAP_ENEMY_H

#include "epref.h"

enum { ENEMY_WIDTH = 24 }; /* bytes of each text */

/* Texts of letters and digits, one after the other. */
typedef struct enemy_texts {
    char *data;
    size_t count;
} enemy_texts;

void enemy_free(enemy_texts *texts);

static inline ep_bytes enemy_text(const enemy_texts *texts, size_t i) {
    return (ep_bytes){texts->data + i * ENEMY_WIDTH, ENEMY_WIDTH};
}

/* add_00000000000000000000, and so on: nothing is wrong with these. */
enemy_texts enemy_numbered(size_t count);

/*
 * count texts, a power of two, for a map that they fill to the half: put in
 * this order each goes to a slot of its own, right behind the one before, so
 * that no put passes a slot. One more text, number count, is not among them:
 * its search begins before them all.
 */
enemy_texts enemy_row(size_t count);

/* count texts that begin in few slots of a map that they fill: one in so many
 * hundred slots gets them all. */
enemy_texts enemy_pile(size_t count);

#endif
