/*
 * test_keys.c - the first repeated key of an object, against a comparison of
 * all pairs: few keys and many, escaped spellings, and keys that were made to
 * share one hash.
 */
#include "json/keys.h"

#include "check.h"
#include "support.h"
#include "json/lexer.h"

#include <stdlib.h>

/* Keys in JSON, one after the other, and their references. */
typedef struct key_list {
    test_text json;
    ep_ref *refs;
    size_t n;
    size_t capacity;
} key_list;

static void add_key(key_list *keys, const char *data, size_t size) {
    if (keys->n == keys->capacity) {
        keys->capacity = keys->capacity * 2 + 16;
        keys->refs = realloc(keys->refs, keys->capacity * sizeof *keys->refs);
        if (keys->refs == NULL) {
            exit(EXIT_FAILURE);
        }
    }
    size_t at = keys->json.size;
    test_add_str(&keys->json, "\"");
    test_add(&keys->json, data, size);
    test_add_str(&keys->json, "\"");
    ep_fault fault = {.code = EP_OK};
    const char *begin = keys->json.data;
    ep_lexer lexer = {begin, begin + at, begin + keys->json.size, 1 << 20, &fault};
    CHECK(ep_lex_string(&lexer, &keys->refs[keys->n++]));
}

static void add_key_str(key_list *keys, const char *text) {
    add_key(keys, text, strlen(text));
}

static void free_keys(key_list *keys) {
    test_text_free(&keys->json);
    free(keys->refs);
    *keys = (key_list){0};
}

static size_t find(const key_list *keys) {
    test_heap heap = {0};
    ep_arena arena;
    ep_stack scratch;
    size_t second = SIZE_MAX;
    test_arena(&arena, &heap, 0);
    ep_stack_init(&scratch, &arena);
    CHECK(ep_stack_push(&scratch, 42)); /* what is on the stack stays */
    CHECK(ep_keys_find_repeat(keys->json.data, keys->refs, keys->n, &scratch, &second));
    CHECK_EQ_INT(scratch.count, 1);
    CHECK_EQ_INT(scratch.words[0], 42);
    ep_stack_free(&scratch);
    CHECK_EQ_INT(heap.bytes, 0);
    return second;
}

static size_t naive(const key_list *keys) {
    for (size_t i = 1; i < keys->n; i++) {
        for (size_t j = 0; j < i; j++) {
            char a[128];
            char b[128];
            size_t size = ep_text_decode(keys->json.data, keys->refs[i], a);
            if (size == ep_text_decode(keys->json.data, keys->refs[j], b) &&
                memcmp(a, b, size) == 0) {
                return i;
            }
        }
    }
    return keys->n;
}

static void add_numbered(key_list *keys, size_t from, size_t n) {
    for (size_t i = from; i < from + n; i++) {
        char name[32];
        add_key(keys, name, (size_t)snprintf(name, sizeof name, "k%zu", i));
    }
}

/* n different keys, then one of them again, at every place. */
static void test_one_repeat(void) {
    for (size_t n = 0; n < 24; n++) {
        key_list distinct = {0};
        add_numbered(&distinct, 0, n);
        CHECK_EQ_INT(find(&distinct), n);
        free_keys(&distinct);
        for (size_t of = 0; of < n; of++) {
            for (size_t at = of + 1; at <= n; at++) {
                key_list keys = {0};
                add_numbered(&keys, 0, at);
                add_numbered(&keys, of, 1);
                add_numbered(&keys, at, n - at);
                CHECK_EQ_INT(find(&keys), at);
                free_keys(&keys);
            }
        }
    }
}

static void test_spellings(void) {
    static const char *const same[] = {"a/\xC3\xA9", "\\u0061/\xC3\xA9", "a\\/\\u00e9",
                                       "\\u0061\\u002F\\u00E9"};
    for (size_t padding = 0; padding < 20; padding += 10) {
        for (size_t i = 0; i < EP_COUNT_OF(same); i++) {
            for (size_t j = 0; j < EP_COUNT_OF(same); j++) {
                key_list keys = {0};
                add_numbered(&keys, 0, padding);
                add_key_str(&keys, same[i]);
                add_key_str(&keys, "a/e");
                add_key_str(&keys, same[j]);
                CHECK_EQ_INT(find(&keys), padding + 2);
                free_keys(&keys);
            }
        }
    }
}

/* Names from a small set in drawn spellings, so that repeats are common. */
static void test_drawn(void) {
    uint64_t state = 1;
    for (size_t round = 0; round < 3000; round++) {
        key_list keys = {0};
        size_t n = test_draw_below(&state, 40);
        size_t names = 1 + test_draw_below(&state, round % 3 == 0 ? 2000 : 60);
        for (size_t i = 0; i < n; i++) {
            char name[32];
            size_t number = test_draw_below(&state, names);
            const char *format = test_draw(&state) % 2 == 0 ? "n%zu" : "\\u006e%zu";
            add_key(&keys, name, (size_t)snprintf(name, sizeof name, format, number));
        }
        CHECK_EQ_INT(find(&keys), naive(&keys));
        free_keys(&keys);
    }
}

static void add_colliding(key_list *keys, const test_collider *collider, uint32_t number) {
    test_text key = {0};
    if (test_colliding_key(collider, number, &key)) {
        add_key(keys, key.data, key.size);
    }
    test_text_free(&key);
}

static void test_collisions(void) {
    test_collider collider;
    test_collider_init(&collider);
    key_list keys = {0};
    for (uint32_t i = 0; i < 2000; i++) {
        add_colliding(&keys, &collider, i);
    }
    CHECK(keys.n > 500);
    uint32_t hash = ep_text_hash(keys.json.data, keys.refs[0]);
    for (size_t i = 1; i < keys.n; i++) {
        CHECK_EQ_BITS(ep_text_hash(keys.json.data, keys.refs[i]), hash);
    }
    CHECK_EQ_INT(find(&keys), keys.n);
    size_t n = keys.n;
    char again[15];
    memcpy(again, keys.json.data + ep_ref_offset(keys.refs[n / 2]), sizeof again);
    add_key(&keys, again, sizeof again);
    CHECK_EQ_INT(find(&keys), n);
    free_keys(&keys);
    test_collider_free(&collider);
}

/* Few that collide among many that do not, repeats drawn. */
static void test_mixed_collisions(void) {
    test_collider collider;
    test_collider_init(&collider);
    uint64_t state = 3;
    for (size_t round = 0; round < 500; round++) {
        key_list keys = {0};
        size_t runs = 1 + test_draw_below(&state, 30);
        for (size_t i = 0; i < 40; i++) {
            if (test_draw(&state) % 2 == 0) {
                add_colliding(&keys, &collider, (uint32_t)test_draw_below(&state, runs * 30));
            } else {
                add_numbered(&keys, test_draw_below(&state, 2000), 1);
            }
        }
        CHECK_EQ_INT(find(&keys), naive(&keys));
        free_keys(&keys);
    }
    test_collider_free(&collider);
}

static void test_no_memory(void) {
    test_heap heap = {.fail_at = 1};
    ep_arena arena;
    ep_stack scratch;
    size_t second = 0;
    key_list keys = {0};
    add_numbered(&keys, 0, 8);
    test_arena(&arena, &heap, 0);
    ep_stack_init(&scratch, &arena);
    CHECK(ep_keys_find_repeat(keys.json.data, keys.refs, keys.n, &scratch, &second));
    CHECK_EQ_INT(heap.calls, 0); /* few keys take no memory */
    add_numbered(&keys, 8, 1);
    CHECK(!ep_keys_find_repeat(keys.json.data, keys.refs, keys.n, &scratch, &second));
    CHECK(ep_keys_find_repeat(keys.json.data, keys.refs, keys.n, &scratch, &second));
    CHECK_EQ_INT(second, 9);
    ep_stack_free(&scratch);
    free_keys(&keys);
}

int main(void) {
    test_one_repeat();
    test_spellings();
    test_drawn();
    test_collisions();
    test_mixed_collisions();
    test_no_memory();
    return check_report();
}
