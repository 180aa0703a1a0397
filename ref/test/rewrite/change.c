/*
 * change.c - other programs that differ in little: places are tried in a
 * random order until one gives a program that is valid and certainly another.
 */
#include "rewriter.h"

/* --------------------------------------------------------------------- the kinds */

#define ROW(name, text, counted)                                                                   \
    { text, ep_change_find_##name, ep_change_make_##name, counted }

/* Kinds of which change_program.c has the fields. */
#define OF_FIELDS(text)                                                                            \
    { text, ep_change_find_fields, ep_change_make_scalar, false }

const ep_change_row ep_change_rows[EP_CHANGE_KINDS] = {
    [EP_CHANGE_CONSTANT] = {"constant", ep_change_find_constant, ep_change_make_scalar, false},
    [EP_CHANGE_OPERATOR] = ROW(operator, "operator", false),
    [EP_CHANGE_SWAP] = ROW(swap, "swapped arguments", true),
    [EP_CHANGE_EDGE] = ROW(edge, "edge", true),
    [EP_CHANGE_DTYPE] = OF_FIELDS("dtype"),
    [EP_CHANGE_SIZE] = OF_FIELDS("size"),
    [EP_CHANGE_LAYOUT] = OF_FIELDS("stride, offset, layout"),
    [EP_CHANGE_DEVICE] = OF_FIELDS("device, requires_grad"),
    [EP_CHANGE_CONSTRAINT] = ROW(constraint, "range", false),
    [EP_CHANGE_GUARD] = ROW(guard, "guard", false),
    [EP_CHANGE_INPUT_ORDER] = ROW(order, "input order", true),
    [EP_CHANGE_OUTPUT_ORDER] = ROW(order, "output order", true),
    [EP_CHANGE_SPEC] = OF_FIELDS("input and output specs"),
    [EP_CHANGE_TREESPEC] = ROW(treespec, "tree spec", false),
    [EP_CHANGE_MODULE] = {"module", ep_change_find_module, ep_change_make_scalar, false},
    [EP_CHANGE_DROP] = ROW(drop, "dropped node", true),
    [EP_CHANGE_EFFECTS] = ROW(effects, "order of effects", true),
};

const char *ep_change_kind_name(ep_change_kind kind) {
    return (size_t)kind < EP_CHANGE_KINDS ? ep_change_rows[kind].name : NULL;
}

/* ------------------------------------------------------------------------- places */

/* As it was before. */
static void undo(ep_rewriter *rewriter) {
    while (rewriter->undo.count > 0) {
        uint64_t bits = rewriter->undo.words[--rewriter->undo.count];
        *(uint64_t *)(uintptr_t)rewriter->undo.words[--rewriter->undo.count] = bits;
    }
}

static void shuffle_places(ep_rewriter *rewriter) {
    uint64_t *words = rewriter->places.words;
    for (size_t i = rewriter->places.count / EP_REWRITER_PLACE; i > 1; i--) {
        uint64_t *a = words + EP_REWRITER_PLACE * (i - 1);
        uint64_t *b = words + EP_REWRITER_PLACE * ep_rewriter_below(rewriter, i);
        for (size_t j = 0; j < EP_REWRITER_PLACE; j++) {
            uint64_t word = a[j];
            a[j] = b[j];
            b[j] = word;
        }
    }
}

/* ------------------------------------------------------------------------- trying */

typedef struct trial {
    ep_rewriter rewriter;
    const ep_program *program;
    const ep_change_row *row;
    uint64_t number; /* of the program, where nodes are counted */
    ep_built *built;
} trial;

/* Whether what was made is valid and another program. Only want of memory is an
 * error: all else is a place where the change cannot be made. */
static bool judge(trial *t, bool *made) {
    ep_arena *arena = t->rewriter.c.arena;
    ep_error error = {.code = EP_OK};
    uint64_t number = 0;
    *made = ep_rewriter_finish(&t->rewriter, t->built, &error) &&
            ep_check(t->built->program, arena, NULL, &error);
    if (error.code == EP_MEMORY) {
        return ep_canon_fail(&t->rewriter.c, EP_MEMORY);
    }
    if (*made && t->row->counted) {
        if (!ep_rewrite_invariant(t->built->program, arena, &number)) {
            return ep_canon_fail(&t->rewriter.c, EP_MEMORY);
        }
        *made = number != t->number;
    }
    return true;
}

static bool try_places(trial *t, bool *made) {
    ep_rewriter *rewriter = &t->rewriter;
    TRY(t->row->find(rewriter));
    shuffle_places(rewriter);
    if (rewriter->places.count > 0 && t->row->counted &&
        !ep_rewrite_invariant(t->program, rewriter->c.arena, &t->number)) {
        return ep_canon_fail(&rewriter->c, EP_MEMORY);
    }
    for (size_t i = 0; i < rewriter->places.count && !*made; i += EP_REWRITER_PLACE) {
        bool changed = false;
        TRY(t->row->make(rewriter, rewriter->places.words + i, &changed));
        TRY(!changed || judge(t, made));
        undo(rewriter);
    }
    return true;
}

bool ep_rewrite_changed(const ep_program *program, ep_arena *arena, const ep_rewrite_choice *wish,
                        ep_built *built, ep_error *error) {
    trial t = {.program = program, .row = &ep_change_rows[wish->what], .built = built};
    bool made = false;
    *built = (ep_built){{NULL, 0}, NULL};
    bool ok = ep_rewriter_open(&t.rewriter, program, arena, wish->seed);
    t.rewriter.kind = (ep_change_kind)wish->what;
    ok = ok && try_places(&t, &made);
    if (!made) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (ok) {
        ep_error_clear(error);
    } else {
        ep_error_plain(error, t.rewriter.c.code);
    }
    ep_rewriter_close(&t.rewriter);
    return ok;
}
