/*
 * base/map.h - texts to numbers: the first text that is put is 0, the next new one 1,
 * and so on. The user of a map keeps the data of a text in an array under its number.
 */
#ifndef EP_MAP_H
#define EP_MAP_H

#include "base/stack.h"

/* What is kept of a text. */
typedef struct ep_map_key {
    ep_bytes text; /* not copied: it has to outlive the map */
    uint64_t hash;
} ep_map_key;

/* A place in the table: what its key is compared by first, and which key it is. */
typedef struct ep_map_slot {
    uint32_t key; /* its number and one; 0 is free */
    uint32_t tag; /* the upper half of its hash */
} ep_map_slot;

/*
 * A fork: texts whose letter at a place lacks a bit are on the left. What is on
 * a side is a fork or a key, by its number and one, keys with their lowest bit
 * set.
 */
typedef struct ep_map_fork {
    uint32_t place;
    uint32_t bit;
    uint32_t sides[2];
} ep_map_fork;

EP_STACK_OF(ep_map_forks, ep_map_fork);

typedef struct ep_map {
    ep_arena *arena;
    ep_map_key *keys;
    ep_map_slot *slots;
    size_t count;
    size_t capacity;    /* of slots, a power of two; half as many keys */
    ep_map_forks forks; /* of a tree of the keys that found no slot near their own */
    uint32_t root;      /* of that tree; 0: there is none */
} ep_map;

#define EP_MAP_NONE UINT32_MAX

/* An empty map that allocates nothing yet. */
void ep_map_init(ep_map *map, ep_arena *arena);
void ep_map_free(ep_map *map);

/* The number of a text. A text that is not in the map is inserted, and *fresh is then
 * true. False for want of memory. Linear in the text in the worst case. */
bool ep_map_put(ep_map *map, ep_bytes text, uint32_t *number, bool *fresh);

/* Room for so many texts in all, so that their order of magnitude need not be found out
 * step by step; false for want of memory. */
bool ep_map_reserve(ep_map *map, size_t count);

/* The number of a text; EP_MAP_NONE if the map does not hold it. */
uint32_t ep_map_find(const ep_map *map, ep_bytes text);

#endif
