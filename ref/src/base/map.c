/*
 * base/map.c - see map.h. Open addressing with linear probing, at most half full. Texts
 * come from hostile files, which can make hashes collide; so a probe ends after a fixed
 * number of slots. A text that finds no slot there, which hardly ever happens by
 * chance, goes into a crit-bit tree, which needs no hash: its forks are at the bits in
 * which texts differ.
 */
#include "base/map.h"

#define SEED 0x2545F4914F6CDD1Du

enum {
    FIRST_CAPACITY = 16,
    RUN_MAX = 32 /* slots that are probed for a text */
};

void ep_map_init(ep_map *map, ep_arena *arena) {
    *map = (ep_map){.arena = arena};
    ep_map_forks_init(&map->forks, arena);
}

static size_t keys_size(size_t capacity) {
    return capacity / 2 * sizeof(ep_map_key);
}

static size_t slots_size(size_t capacity) {
    return capacity * sizeof(ep_map_slot);
}

/* A billion keys, or as many as there are addresses for. */
static const size_t most_slots =
    SIZE_MAX / sizeof(ep_map_key) < UINT32_MAX / 4 ? SIZE_MAX / sizeof(ep_map_key) : UINT32_MAX / 4;

static void give(ep_arena *arena, ep_map_key *keys, ep_map_slot *slots, size_t capacity) {
    if (keys != NULL) {
        ep_arena_give(arena, keys, keys_size(capacity));
    }
    if (slots != NULL) {
        ep_arena_give(arena, slots, slots_size(capacity));
    }
}

void ep_map_free(ep_map *map) {
    give(map->arena, map->keys, map->slots, map->capacity);
    ep_map_forks_free(&map->forks);
    ep_map_init(map, map->arena);
}

/* The two halves of a 128-bit product, combined by xor: every bit of either factor
 * affects every bit of the result. */
#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 product;

static uint64_t fold(uint64_t a, uint64_t b) {
    product p = (product)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}
#else
static uint64_t fold(uint64_t a, uint64_t b) {
    uint64_t low_a = a & UINT32_MAX, high_a = a >> 32;
    uint64_t low_b = b & UINT32_MAX, high_b = b >> 32;
    uint64_t low = low_a * low_b;
    uint64_t middle = high_a * low_b + (low >> 32);
    uint64_t other = low_a * high_b + (middle & UINT32_MAX);
    uint64_t high = high_a * high_b + (middle >> 32) + (other >> 32);
    return high ^ ((other << 32) | (low & UINT32_MAX));
}
#endif

/* The last words of a longer text overlap those before them. */
static uint64_t hash_of(ep_bytes text) {
    const char *p = text.data;
    uint64_t hash = SEED ^ text.size;
    if (text.size <= 8) { /* an empty one may have no place at all */
        return fold(hash ^ ep_load_short(p, text.size), SEED ^ 0xD6E8FEB86659FD93u);
    }
    const char *end = p + text.size;
    for (; end - p > 16; p += 16) {
        hash = fold(hash ^ ep_load64(p), SEED ^ 0x9E3779B97F4A7C15u ^ ep_load64(p + 8));
    }
    p = text.size < 16 ? p : end - 16;
    return fold(hash ^ ep_load64(p), SEED ^ 0xD6E8FEB86659FD93u ^ ep_load64(end - 8));
}

/* ----------------------------------------------------------------- the slots */

/* The slot that holds a text, or the free one where it belongs; capacity when all slots
 * within reach of its hash hold other texts. */
EP_INLINE size_t slot_of(const ep_map *map, ep_bytes text, uint64_t hash) {
    size_t slot = (size_t)hash & (map->capacity - 1);
    uint32_t tag = (uint32_t)(hash >> 32);
    for (size_t run = 0; run < RUN_MAX; run++) {
        const ep_map_slot *at = &map->slots[slot];
        if (at->key == 0 || (at->tag == tag && ep_name_equal(map->keys[at->key - 1].text, text))) {
            return slot;
        }
        slot = (slot + 1) & (map->capacity - 1);
    }
    return map->capacity;
}

/* ------------------------------------------------------------------ the tree */

typedef ep_map_fork fork;

static fork *fork_at(const ep_map *map, uint32_t side) {
    return &map->forks.items[(side >> 1) - 1];
}

static bool is_key(uint32_t side) {
    return (side & 1) != 0;
}

/* A letter of a text: 0 past its end, so that no text is the beginning of
 * another. */
static uint32_t letter_at(ep_bytes text, size_t place) {
    return place < text.size ? (uint32_t)(unsigned char)text.data[place] + 1 : 0;
}

static unsigned side_of(const fork *f, ep_bytes text) {
    return (letter_at(text, f->place) & f->bit) != 0;
}

/* The key of the tree with the longest common prefix of bits. */
static uint32_t nearest(const ep_map *map, ep_bytes text) {
    uint32_t side = map->root;
    while (!is_key(side)) {
        const fork *f = fork_at(map, side);
        side = f->sides[side_of(f, text)];
    }
    return (side >> 1) - 1;
}

/* The first place and the highest bit in which two texts differ. */
static fork difference(ep_bytes a, ep_bytes b) {
    uint32_t place = 0;
    while (letter_at(a, place) == letter_at(b, place)) {
        place++;
    }
    uint32_t bits = letter_at(a, place) ^ letter_at(b, place);
    uint32_t bit = 1;
    while (bits >> 1 >= bit) {
        bit <<= 1;
    }
    return (fork){.place = place, .bit = bit};
}

/* Inserts a key that the tree does not hold. */
static bool plant(ep_map *map, uint32_t number) {
    ep_bytes text = map->keys[number].text;
    uint32_t leaf = (number + 1) << 1 | 1;
    if (map->root == 0) {
        map->root = leaf;
        return true;
    }
    TRY(ep_map_forks_reserve(&map->forks, 1));
    fork made = difference(map->keys[nearest(map, text)].text, text);
    uint32_t *side = &map->root;
    while (!is_key(*side)) {
        fork *f = fork_at(map, *side);
        if (f->place > made.place || (f->place == made.place && f->bit < made.bit)) {
            break;
        }
        side = &f->sides[side_of(f, text)];
    }
    unsigned own = side_of(&made, text);
    made.sides[own] = leaf;
    made.sides[1 - own] = *side;
    *side = (uint32_t)(map->forks.count + 1) << 1;
    map->forks.items[map->forks.count++] = made;
    return true;
}

static uint32_t find_in_tree(const ep_map *map, ep_bytes text) {
    if (map->root == 0) {
        return EP_MAP_NONE;
    }
    uint32_t number = nearest(map, text);
    return ep_text_equal(map->keys[number].text, text) ? number : EP_MAP_NONE;
}

/* ------------------------------------------------------------------- the map */

/* Into a slot within reach of its hash, or into the tree when these are full. */
static bool place_key(ep_map *map, uint32_t number) {
    const ep_map_key *key = &map->keys[number];
    size_t slot = slot_of(map, key->text, key->hash);
    if (slot != map->capacity) {
        map->slots[slot] = (ep_map_slot){number + 1, (uint32_t)(key->hash >> 32)};
        return true;
    }
    return plant(map, number);
}

bool ep_map_reserve(ep_map *map, size_t count) {
    size_t capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity;
    if (count <= map->capacity / 2) {
        return true;
    }
    while (capacity / 2 < count && capacity <= most_slots) { /* LCOV_EXCL_BR_LINE as below */
        capacity *= 2;
    }
    if (capacity > most_slots) { /* LCOV_EXCL_BR_LINE a billion keys */
        return false;            /* LCOV_EXCL_LINE a billion keys */
    }
    ep_map_key *keys = ep_arena_take(map->arena, keys_size(capacity));
    ep_map_slot *slots = ep_arena_take(map->arena, slots_size(capacity));
    if (keys == NULL || slots == NULL) {
        give(map->arena, keys, slots, capacity);
        return false;
    }
    if (map->count != 0) {
        memcpy(keys, map->keys, map->count * sizeof *keys);
    }
    memset(slots, 0, slots_size(capacity));
    give(map->arena, map->keys, map->slots, map->capacity);
    map->keys = keys;
    map->slots = slots;
    map->capacity = capacity;
    map->forks.count = 0;
    map->root = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        /* keys that are close in the larger table were so before: the forks have room */
        if (EP_NEVER(!place_key(map, i))) {
            map->count = i; /* a key without a place would be put again */
            return false;
        }
    }
    return true;
}

bool ep_map_put(ep_map *map, ep_bytes text, uint32_t *number, bool *fresh) {
    if (map->count == map->capacity / 2) {
        TRY(ep_map_reserve(map, map->count + 1));
    }
    uint64_t hash = hash_of(text);
    size_t slot = slot_of(map, text, hash);
    bool full = slot == map->capacity;
    *number = full ? find_in_tree(map, text) : map->slots[slot].key - 1;
    *fresh = *number == EP_MAP_NONE;
    if (*fresh) {
        *number = (uint32_t)map->count;
        map->keys[*number] = (ep_map_key){text, hash};
        TRY(!full || plant(map, *number));
        map->count++;
        if (!full) {
            map->slots[slot] = (ep_map_slot){*number + 1, (uint32_t)(hash >> 32)};
        }
    }
    return true;
}

uint32_t ep_map_find(const ep_map *map, ep_bytes text) {
    if (map->count == 0) {
        return EP_MAP_NONE;
    }
    size_t slot = slot_of(map, text, hash_of(text));
    if (slot == map->capacity) {
        return find_in_tree(map, text);
    }
    return map->slots[slot].key - 1; /* of a free one: EP_MAP_NONE */
}
