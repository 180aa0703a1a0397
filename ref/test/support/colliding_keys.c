/*
 * colliding_keys.c - see colliding_keys.h. The map itself is asked for the hash of a
 * text, so that nothing here knows how it is made.
 */
#include "colliding_keys.h"

#include "base/map.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------- texts */

static colliding_keys room_for(size_t count) {
    colliding_keys texts = {malloc((count + 1) * COLLIDING_WIDTH + 1), count};
    if (texts.data == NULL) {
        exit(EXIT_FAILURE);
    }
    return texts;
}

void colliding_free(colliding_keys *texts) {
    free(texts->data);
    *texts = (colliding_keys){NULL, 0};
}

colliding_keys keys_numbered(size_t count) {
    colliding_keys texts = room_for(count);
    for (size_t i = 0; i < count; i++) {
        snprintf(texts.data + i * COLLIDING_WIDTH, COLLIDING_WIDTH + 1, "add_%020zu", i);
    }
    return texts;
}

/* The next text: no two are the same. */
static void draw(uint64_t *state, char text[COLLIDING_WIDTH]) {
    uint64_t number = ++*state;
    uint64_t mixed = number * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < COLLIDING_WIDTH; i++) {
        uint64_t *from = i < 16 ? &mixed : &number;
        text[i] = (char)('a' + *from % 16);
        *from /= 16;
    }
}

/* ------------------------------------------------------------------- hashes */

/* A map that never holds more than the text that it is asked about. */
typedef struct oracle {
    test_heap heap;
    ep_arena arena;
    ep_map map;
} oracle;

static void must(bool ok) {
    if (!ok) {
        fputs("the test is out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
}

static void put(ep_map *map, ep_bytes text) {
    uint32_t number;
    bool fresh;
    must(ep_map_put(map, text, &number, &fresh));
}

static void open_oracle(oracle *o) {
    o->heap = (test_heap){0};
    test_arena(&o->arena, &o->heap, 0);
    ep_map_init(&o->map, &o->arena);
}

static void close_oracle(oracle *o) {
    ep_map_free(&o->map);
    ep_arena_free(&o->arena);
}

static uint64_t hash_of(oracle *o, ep_bytes text) {
    put(&o->map, text);
    uint64_t hash = o->map.keys[0].hash;
    o->map.count = 0;
    o->map.slots[hash & (o->map.capacity - 1)] = 0;
    return hash;
}

/* ---------------------------------------------------------------------- a row */

colliding_keys colliding_row(size_t count) {
    colliding_keys texts = room_for(count);
    bool *found = calloc(count, sizeof *found);
    uint64_t state = 0;
    oracle o;
    must(found != NULL);
    open_oracle(&o);
    for (size_t missing = count + 1; missing > 0;) {
        char text[COLLIDING_WIDTH];
        draw(&state, text);
        uint64_t slot = hash_of(&o, (ep_bytes){text, COLLIDING_WIDTH}) & (2 * count - 1);
        bool last = missing == 1 && slot == 0;
        if (last || (slot < count && !found[slot])) {
            memcpy(texts.data + (last ? count : slot) * COLLIDING_WIDTH, text, COLLIDING_WIDTH);
            found[slot] = true;
            missing--;
        }
    }
    close_oracle(&o);
    free(found);
    return texts;
}

/* --------------------------------------------------------------------- a pile */

colliding_keys colliding_pile(size_t count) {
    enum { WINDOWS = 256 };
    colliding_keys texts = room_for(count);
    uint64_t state = 0;
    size_t capacity = WINDOWS;
    oracle o;
    while (capacity < 2 * count) {
        capacity *= 2;
    }
    open_oracle(&o);
    for (size_t i = 0; i < count; i++) {
        char *text = texts.data + i * COLLIDING_WIDTH;
        uint64_t slot;
        do {
            draw(&state, text);
            slot = hash_of(&o, (ep_bytes){text, COLLIDING_WIDTH}) & (capacity - 1);
        } while (slot >= capacity / WINDOWS);
    }
    close_oracle(&o);
    return texts;
}
