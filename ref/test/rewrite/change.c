/*
 * change.c - other programs that differ in little: places are tried in a
 * random order until one gives a program that is valid and certainly another.
 */
#include "rewriter.h"

/* --------------------------------------------------------------------- the kinds */

#define ROW(name, text, counted)                                                                   \
    { text, ep_play_find_##name, ep_play_make_##name, counted }

const ep_play_row ep_play_rows[EP_PLAY_KINDS] = {
    [EP_PLAY_CONSTANT] = ROW(constant, "constant", false),
    [EP_PLAY_OPERATOR] = ROW(operator, "operator", false),
    [EP_PLAY_SWAP] = ROW(swap, "swapped arguments", true),
    [EP_PLAY_EDGE] = ROW(edge, "edge", true),
    [EP_PLAY_DTYPE] = ROW(dtype, "dtype", false),
    [EP_PLAY_SIZE] = ROW(size, "size", false),
    [EP_PLAY_LAYOUT] = ROW(layout, "stride, offset, layout", false),
    [EP_PLAY_DEVICE] = ROW(device, "device, requires_grad", false),
    [EP_PLAY_CONSTRAINT] = ROW(constraint, "range", false),
    [EP_PLAY_GUARD] = ROW(guard, "guard", false),
    [EP_PLAY_INPUT_ORDER] = ROW(input_order, "input order", true),
    [EP_PLAY_OUTPUT_ORDER] = ROW(output_order, "output order", true),
    [EP_PLAY_SPEC] = ROW(spec, "input and output specs", false),
    [EP_PLAY_TREESPEC] = ROW(treespec, "tree spec", false),
    [EP_PLAY_MODULE] = ROW(module, "module", false),
    [EP_PLAY_DROP] = ROW(drop, "dropped node", false),
    [EP_PLAY_EFFECTS] = ROW(effects, "order of effects", true),
};

const char *ep_play_kind_name(ep_play_kind kind) {
    return (size_t)kind < EP_PLAY_KINDS ? ep_play_rows[kind].name : NULL;
}

/* ------------------------------------------------------------------------- places */

bool ep_play_place(ep_play *play, uint64_t first, uint64_t second, uint64_t third) {
    return (ep_stack_push(&play->places, first) && ep_stack_push(&play->places, second) &&
            ep_stack_push(&play->places, third)) ||
           ep_canon_fail(&play->c, EP_MEMORY);
}

bool ep_play_set(ep_play *play, uint64_t *word, uint64_t bits) {
    if (!ep_stack_push(&play->undo, ep_pointer_bits(word)) || !ep_stack_push(&play->undo, *word)) {
        return ep_canon_fail(&play->c, EP_MEMORY);
    }
    *word = bits;
    return true;
}

/* As it was before. */
static void undo(ep_play *play) {
    while (play->undo.count > 0) {
        uint64_t bits = play->undo.words[--play->undo.count];
        *(uint64_t *)(uintptr_t)play->undo.words[--play->undo.count] = bits;
    }
}

static void shuffle_places(ep_play *play) {
    uint64_t *words = play->places.words;
    for (size_t i = play->places.count / EP_PLAY_PLACE; i > 1; i--) {
        uint64_t *a = words + EP_PLAY_PLACE * (i - 1);
        uint64_t *b = words + EP_PLAY_PLACE * ep_play_below(play, i);
        for (size_t j = 0; j < EP_PLAY_PLACE; j++) {
            uint64_t word = a[j];
            a[j] = b[j];
            b[j] = word;
        }
    }
}

/* ------------------------------------------------------------------------- trying */

typedef struct trial {
    ep_play play;
    const ep_program *program;
    const ep_play_row *row;
    uint64_t number; /* of the program, where nodes are counted */
    ep_built *built;
} trial;

/* Whether what was made is valid and another program. Only want of memory is an
 * error: all else is a place where the change cannot be made. */
static bool judge(trial *t, bool *made) {
    ep_arena *arena = t->play.c.arena;
    ep_error error = {.code = EP_OK};
    uint64_t number = 0;
    *made = ep_play_finish(&t->play, t->built, &error) &&
            ep_check(t->built->program, arena, NULL, &error);
    if (error.code == EP_MEMORY) {
        return ep_canon_fail(&t->play.c, EP_MEMORY);
    }
    if (*made && t->row->counted) {
        if (!ep_play_count(t->built->program, arena, &number)) {
            return ep_canon_fail(&t->play.c, EP_MEMORY);
        }
        *made = number != t->number;
    }
    return true;
}

static bool try_places(trial *t, bool *made) {
    ep_play *play = &t->play;
    TRY(t->row->find(play));
    shuffle_places(play);
    if (play->places.count > 0 && t->row->counted &&
        !ep_play_count(t->program, play->c.arena, &t->number)) {
        return ep_canon_fail(&play->c, EP_MEMORY);
    }
    for (size_t i = 0; i < play->places.count && !*made; i += EP_PLAY_PLACE) {
        bool changed = false;
        TRY(t->row->make(play, play->places.words + i, &changed));
        TRY(!changed || judge(t, made));
        undo(play);
    }
    return true;
}

bool ep_play_change(const ep_program *program, ep_arena *arena, const ep_play_wish *wish,
                    ep_built *built, ep_error *error) {
    trial t = {.program = program, .row = &ep_play_rows[wish->what], .built = built};
    bool made = false;
    *built = (ep_built){{NULL, 0}, NULL};
    bool ok = ep_play_open(&t.play, program, arena, wish->seed) && try_places(&t, &made);
    if (!made) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (ok) {
        ep_error_clear(error);
    } else {
        ep_error_plain(error, t.play.c.code);
    }
    ep_play_close(&t.play);
    return ok;
}
