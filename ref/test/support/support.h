/*
 * support.h - what the tests share: an allocator that counts and can refuse,
 * bytes that grow, the smallest program of any version with holes to fill,
 * and keys whose hashes collide.
 */
#ifndef EP_TEST_SUPPORT_H
#define EP_TEST_SUPPORT_H

#include "epref.h"

#include <string.h>

/* An allocator over malloc. Blocks have exactly the size that was asked for,
 * so that a sanitizer sees every byte beyond. */
typedef struct test_heap {
    size_t calls; /* of allocate, so far */
    size_t bytes; /* given and not yet taken back */
    size_t blocks;
    size_t fail_at; /* the call that is refused, from 1; 0: none */
    bool fail_on;   /* ... and every one after it */

    /* An arena over this heap that is given no block with room to spare: each
     * of its allocations is a call of its own then, and can be refused. */
    const ep_arena *apart;
} test_heap;

/* An empty arena over the heap, whose fields the caller has set. */
void test_arena(ep_arena *arena, test_heap *heap, size_t cap);

static inline ep_bytes test_bytes(const char *zero_terminated) {
    return (ep_bytes){zero_terminated, strlen(zero_terminated)};
}

/* Bytes that grow. Out of memory ends the test. */
typedef struct test_text {
    char *data;
    size_t size;
    size_t capacity;
} test_text;

void test_add(test_text *text, const char *data, size_t size);
void test_add_str(test_text *text, const char *zero_terminated);
void test_add_repeat(test_text *text, const char *zero_terminated, size_t times);
void test_add_int(test_text *text, int64_t value);
void test_add_scalar(test_text *text, uint32_t scalar); /* as UTF-8 */
void test_text_free(test_text *text);

static inline ep_bytes test_text_bytes(const test_text *text) {
    return (ep_bytes){text->data, text->size};
}

/* Gives the unused capacity back, so that a sanitizer sees what is read beyond
 * the end. */
ep_bytes test_text_exact(test_text *text);

/* Takes the first '@' out of a text and returns where it was; SIZE_MAX if
 * there is none. It marks the byte at which an error is expected. */
size_t test_take_mark(test_text *text);

/* Whether the part stands somewhere in the text. */
bool test_holds(ep_bytes text, const char *part);

/* How many versions ep_version_at knows. */
size_t test_version_count(void);

/* An ep_sink over a test_text, and one that takes nothing. */
bool test_sink(void *context, const char *data, size_t size);
bool test_refuse(void *context, const char *data, size_t size);

/* A whole file. False, with a word on standard error, when it cannot be read. */
bool test_read_file(const char *path, test_text *text);

/* A field's text, "Graph.inputs", instead of the one of an empty program. */
typedef struct test_hole {
    const char *field;
    const char *text;
} test_hole;

/* Appends the smallest program of a version as that version's release writes
 * it: every list empty, every number 0. The holes end with a NULL field. */
void test_program(test_text *text, const char *version, const test_hole *holes);

/* test_program with at most one hole; field may be NULL. */
void test_program_with(test_text *text, const char *version, const char *field, const char *hole);

/* Makes keys that all have one hash. */
typedef struct test_collider {
    uint32_t *slots;
} test_collider;

void test_collider_init(test_collider *collider);
void test_collider_free(test_collider *collider);

/* Appends the key that number stands for, without quotes; false when the
 * number gives none, as one in two does. All keys differ. */
bool test_colliding_key(const test_collider *collider, uint32_t number, test_text *text);

/*
 * Takes the locale of the environment, as programs around the library do: it
 * must change nothing. With EPREF_TEST_LOCALE set, the test is about a locale
 * whose decimal point is a comma; where there is none it ends as skipped.
 */
enum { TEST_SKIPPED = 77 };
void test_use_locale(void);

/* A small generator of numbers, for tests that draw: the same from any seed on
 * any machine. */
uint64_t test_draw(uint64_t *state);
size_t test_draw_below(uint64_t *state, size_t n);

/* An ep_migrate_constant that knows no type. */
bool test_no_type(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info);

#endif
