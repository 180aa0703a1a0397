/*
 * builder_run.h - for sweeps over a builder: the result of a sequence of calls on one,
 * at a version, with an allocation refused.
 */
#ifndef EP_TEST_BUILDER_RUN_H
#define EP_TEST_BUILDER_RUN_H

#include "check.h"
#include "epref.h"
#include "support.h"

/* A sequence of calls on a builder. */
typedef void piece(ep_builder *b);

typedef struct outcome {
    ep_code code;
    size_t size;  /* of the text */
    size_t calls; /* of the allocator */
    char detail[EP_DETAIL_SIZE];
} outcome;

/* The result of a sequence, with allocation n of the builder's arena refused, or all
 * from it on. */
static inline outcome run_builder(const char *version, piece *calls, size_t n, bool all) {
    ep_arena scratch;
    ep_arena arena;
    test_heap heap = {.fail_at = n, .fail_on = all, .apart = &scratch};
    test_heap other = {.apart = &arena};
    ep_built built = {{NULL, 0}, NULL};
    ep_error error = {.code = EP_OK};
    outcome o = {.code = EP_OK};
    test_arena(&scratch, &heap, 0);
    test_arena(&arena, &other, 0);
    ep_builder *b = ep_builder_open(&scratch, ep_version_find(version), &error);
    if (b != NULL) {
        calls(b);
        bool ok = ep_builder_finish(b, &arena, EP_BUILD_PROGRAM, &built, &error);
        CHECK_EQ_INT(ok, error.code == EP_OK);
        CHECK(!ok || built.program != NULL);
        CHECK(error.code != EP_ARGUMENT || error.detail[0] != '\0');
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK(heap.bytes == 0 && other.bytes == 0);
    o.code = error.code;
    o.size = built.text.size;
    o.calls = heap.calls;
    memcpy(o.detail, error.detail, sizeof o.detail);
    return o;
}

#endif
