/*
 * mutator/mutate_whole.c - mutations of what is a valid program: one of its rules is
 * broken, or it becomes one of another version. They use the library itself, and
 * are drawn only as the first mutation of an input, so that what the library
 * reads here is what a target has read before.
 */
#include "mutator/mutate_work.h"

#include "gen/defects/defect.h"
#include "support.h"

/* A program that is decoded, and where. */
typedef struct whole {
    ep_arena arena;
    const ep_program *program;
} whole;

enum { WHOLE_MAX = 64 * 1024, WHOLE_CAP = 64 * 1024 * 1024 };

/* Decodes and checks the text at hand. To be closed in any case. */
static bool open_whole(fuzz_mutator *m, whole *w) {
    arena_open(&w->arena, WHOLE_CAP);
    return m->fresh && m->size <= WHOLE_MAX &&
           ep_decode(&w->arena, (ep_bytes){m->text, m->size}, NULL, &w->program, NULL) &&
           ep_check(w->program, &w->arena, NULL, NULL);
}

/* ------------------------------------------------------------------- one rule */

/* Of the program as it is encoded; codes that it cannot show are drawn in vain. */
bool mutation_break_rule(fuzz_mutator *m, const value *v) {
    (void)v;
    whole w;
    failure what;
    test_text text = {0};
    size_t codes = 0;
    while (ep_code_at(codes) != EP_OK) {
        codes++;
    }
    bool open = open_whole(m, &w) && ep_encode(w.program, &w.arena, test_sink, &text, NULL);
    bool done = false;
    for (size_t tries = 0; open && !done && tries < 12; tries++) {
        defect_options options = {ep_code_at(draw(m, codes)), random_draw(&m->random),
                                  test_text_bytes(&text), w.program};
        buffer_clear(&m->with);
        done = options.code != EP_LIMIT_DEPTH && defect_apply(&options, &m->with, &what) &&
               mutate_put(m, 0, m->size);
    }
    test_text_free(&text);
    ep_arena_free(&w.arena);
    return done;
}

/* ------------------------------------------------------------- another version */

/* The same program at another version, mostly an earlier one or a later one of
 * those that were released. */
bool mutation_migrate(fuzz_mutator *m, const value *v) {
    (void)v;
    whole w;
    ep_built built = {{NULL, 0}, NULL};
    ep_migrate_options options = {.version = ep_version_at(draw(m, m->versions))};
    bool done = open_whole(m, &w) && ep_migrate(w.program, &w.arena, &options, &built, NULL);
    buffer_put(&m->with, built.text.data, built.text.size);
    done = done && mutate_put(m, 0, m->size);
    ep_arena_free(&w.arena);
    return done;
}
