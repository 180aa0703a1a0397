/*
 * mutator/mutate_whole.c - mutations of what is a valid program: one of its rules is
 * broken, or it becomes one of another version. They use the library itself, and
 * are drawn only as the first mutation of an input, so that what the library
 * reads here is what a target has read before.
 */
#include "mutator/mutate_work.h"

#include "gen/defects/defect.h"
#include "support.h"

#include <string.h>

/* A program that is decoded, and where. */
typedef struct whole {
    ep_arena arena;
    ep_bytes text;
    const ep_program *program;
} whole;

enum { WHOLE_MAX = 64 * 1024, WHOLE_CAP = 64 * 1024 * 1024 };

/* Whether a program's own text is the one that it was decoded from. */
static bool is_own_text(whole *w) {
    test_text text = {0};
    bool same = ep_encode(w->program, &w->arena, test_sink, &text, NULL) &&
                bytes_compare(test_text_bytes(&text), w->text) == 0;
    test_text_free(&text);
    return same;
}

/* Decodes and checks the text at hand. To be closed in any case. */
static bool open_whole(fuzz_mutator *m, whole *w) {
    ep_decode_options decoding = ep_decode_options_default();
    ep_check_options checking = ep_check_options_default();
    arena_open(&w->arena, WHOLE_CAP);
    w->text = (ep_bytes){m->text, m->size};
    return m->fresh && m->size <= WHOLE_MAX &&
           ep_decode(&w->arena, w->text, &decoding, &w->program, NULL) &&
           ep_check(w->program, &w->arena, &checking, NULL);
}

/* ------------------------------------------------------------------- one rule */

/* A code that the version can show, from a drawn one on. */
static ep_code draw_code(fuzz_mutator *m, const ep_version *version) {
    size_t count = 0;
    while (ep_code_at(count) != EP_OK) {
        count++;
    }
    size_t first = draw(m, count);
    for (size_t i = 0; i < count; i++) {
        ep_code code = ep_code_at((first + i) % count);
        if (code != EP_LIMIT_DEPTH && defect_possible(code, version)) {
            return code;
        }
    }
    return EP_SYNTAX;
}

bool mutation_break_rule(fuzz_mutator *m) {
    whole w;
    bool done = false;
    bool open = open_whole(m, &w) && is_own_text(&w);
    for (size_t tries = 0; open && !done && tries < 4; tries++) {
        defect_options options = {
            .seed = random_draw(&m->random), .text = w.text, .valid = w.program};
        options.code = draw_code(m, ep_program_version(w.program));
        failure what;
        buffer_clear(&m->with);
        done = defect_apply(&options, &m->with, &what) && mutate_put(m, 0, m->size);
    }
    ep_arena_free(&w.arena);
    return done;
}

/* ------------------------------------------------------------- another version */

/* The same program at another version, mostly an earlier one or a later one of
 * those that were released. */
bool mutation_migrate(fuzz_mutator *m) {
    whole w;
    ep_built built = {{NULL, 0}, NULL};
    ep_migrate_options options = {.version = ep_version_at(draw(m, m->versions))};
    bool done = open_whole(m, &w) && ep_migrate(w.program, &w.arena, &options, &built, NULL);
    buffer_put(&m->with, built.text.data, built.text.size);
    done = done && mutate_put(m, 0, m->size);
    ep_arena_free(&w.arena);
    return done;
}
