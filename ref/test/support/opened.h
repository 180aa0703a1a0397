/*
 * opened.h - a program that is decoded from its text, or built, in memory of its own.
 */
#ifndef EP_TEST_OPENED_H
#define EP_TEST_OPENED_H

#include "check.h"
#include "schema/fields.h"
#include "support.h"

typedef struct test_opened {
    test_text text;
    test_heap heap;
    ep_arena arena;
    const ep_program *program;
    ep_fields fields;
} test_opened;

/* Decodes the text, which has to succeed. test_close is due in any case. */
static inline bool test_open(test_opened *o) {
    ep_error error;
    test_arena(&o->arena, &o->heap, 0);
    if (!CHECK_NOTE(ep_decode(&o->arena, test_text_exact(&o->text), NULL, &o->program, &error),
                    error.pointer)) {
        return false;
    }
    ep_fields_open(&o->fields, o->program->schema);
    return true;
}

static inline void test_close(test_opened *o) {
    ep_arena_free(&o->arena);
    CHECK_EQ_INT(o->heap.bytes, 0);
    test_text_free(&o->text);
}

/* A program that was built, with its text. */
typedef struct test_built {
    test_heap heap;
    ep_arena arena;
    ep_built built;
} test_built;

static inline void test_close_built(test_built *b) {
    ep_arena_free(&b->arena);
    CHECK_EQ_INT(b->heap.bytes, 0);
}

#endif
