/*
 * map.c - layer 1: see map.h. Open addressing, at most half full. Texts come
 * from hostile files, so the hash is keyed, and is keyed anew when a run of
 * slots grows longer than chance makes it: texts that collide under one key do
 * not under the next.
 */
#include "map.h"

enum {
    FIRST_CAPACITY = 64,
    RUN_MAX = 96,     /* of slots that are passed in a search */
    RESEEDED_MAX = 16 /* after which long runs are put up with */
};

void ep_map_init(ep_map *map, ep_arena *arena) {
    *map = (ep_map){.arena = arena, .seed = 0x2545F4914F6CDD1Du};
}

static size_t keys_size(size_t capacity) {
    return capacity / 2 * sizeof(ep_map_key);
}

static void give(ep_arena *arena, ep_map_key *keys, uint32_t *slots, size_t capacity) {
    if (keys != NULL) {
        ep_arena_give(arena, keys, keys_size(capacity));
    }
    if (slots != NULL) {
        ep_arena_give(arena, slots, capacity * sizeof *slots);
    }
}

void ep_map_free(ep_map *map) {
    give(map->arena, map->keys, map->slots, map->capacity);
    ep_map_init(map, map->arena);
}

/* Both halves of a product of 128 bits, folded: every bit of either factor
 * reaches every bit of the result, and which differences cancel depends on
 * the key. */
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

static uint64_t load32(const char *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* A text of up to eight bytes as a word; its length is hashed apart. */
static uint64_t load_short(const char *p, size_t size) {
    if (size >= 4) {
        return load32(p) | load32(p + size - 4) << 32;
    }
    if (size == 0) {
        return 0;
    }
    return (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[size / 2] << 8 |
           (unsigned char)p[size - 1];
}

/* The last word of a longer text overlaps the one before it. */
static uint64_t hash_of(uint64_t seed, ep_bytes text) {
    const char *p = text.data;
    const char *end = p + text.size;
    uint64_t hash = seed ^ text.size;
    if (text.size <= 8) {
        return fold(hash ^ load_short(p, text.size), seed ^ 0xD6E8FEB86659FD93u);
    }
    for (; end - p > 8; p += 8) {
        hash = fold(hash ^ ep_load64(p), seed ^ 0x9E3779B97F4A7C15u);
    }
    return fold(hash ^ ep_load64(end - 8), seed ^ 0xD6E8FEB86659FD93u);
}

/* The slot where a text is, or would be put. *run counts the slots passed. */
static size_t slot_of(const ep_map *map, ep_bytes text, uint64_t hash, size_t *run) {
    size_t slot = hash & (map->capacity - 1);
    for (*run = 0; map->slots[slot] != 0; ++*run) {
        const ep_map_key *key = &map->keys[map->slots[slot] - 1];
        if (key->hash == hash && ep_text_equal(key->text, text)) {
            break;
        }
        slot = (slot + 1) & (map->capacity - 1);
    }
    return slot;
}

/* Fills the slots from the keys. */
static void fill(ep_map *map) {
    memset(map->slots, 0, map->capacity * sizeof *map->slots);
    for (size_t i = 0; i < map->count; i++) {
        size_t slot = map->keys[i].hash & (map->capacity - 1);
        while (map->slots[slot] != 0) {
            slot = (slot + 1) & (map->capacity - 1);
        }
        map->slots[slot] = (uint32_t)(i + 1);
    }
}

static void reseed(ep_map *map) {
    map->reseeded++;
    map->seed = fold(map->seed + map->reseeded, 0xA0761D6478BD642Fu);
    for (size_t i = 0; i < map->count; i++) {
        map->keys[i].hash = hash_of(map->seed, map->keys[i].text);
    }
    fill(map);
}

static bool grow(ep_map *map) {
    size_t capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2;
    if (capacity > UINT32_MAX / 2) {
        return false;
    }
    ep_map_key *keys = ep_arena_take(map->arena, keys_size(capacity));
    uint32_t *slots = ep_arena_take(map->arena, capacity * sizeof *slots);
    if (keys == NULL || slots == NULL) {
        give(map->arena, keys, slots, capacity);
        return false;
    }
    if (map->count != 0) {
        memcpy(keys, map->keys, map->count * sizeof *keys);
    }
    give(map->arena, map->keys, map->slots, map->capacity);
    map->keys = keys;
    map->slots = slots;
    map->capacity = capacity;
    fill(map);
    return true;
}

bool ep_map_put(ep_map *map, ep_bytes text, uint32_t *number, bool *fresh) {
    if (map->count == map->capacity / 2) {
        TRY(grow(map));
    }
    uint64_t hash = hash_of(map->seed, text);
    size_t run;
    size_t slot = slot_of(map, text, hash, &run);
    *fresh = map->slots[slot] == 0;
    if (*fresh) {
        map->keys[map->count] = (ep_map_key){text, hash};
        map->slots[slot] = (uint32_t)++map->count;
    }
    *number = map->slots[slot] - 1;
    if (run > RUN_MAX && map->reseeded < RESEEDED_MAX) {
        reseed(map);
    }
    return true;
}

uint32_t ep_map_find(const ep_map *map, ep_bytes text) {
    if (map->count == 0) {
        return EP_MAP_NONE;
    }
    size_t run;
    size_t slot = slot_of(map, text, hash_of(map->seed, text), &run);
    return map->slots[slot] == 0 ? EP_MAP_NONE : map->slots[slot] - 1;
}
