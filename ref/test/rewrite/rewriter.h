/*
 * rewriter.h - what the files of this folder share: a copy of a program that is
 * being changed, with its graphs and the order that its nodes have to keep. A
 * string is written anew at most once, from what the program says.
 */
#ifndef EP_PLAY_WORK_H
#define EP_PLAY_WORK_H

#include "canon.h"
#include "rewrite.h"

typedef struct ep_play {
    ep_canonizer c; /* the copy, its graphs, and the first failure */
    ep_maker maker;
    uint64_t state;  /* of the generator of numbers */
    ep_stack places; /* for a change */
    ep_stack undo;   /* a word of the copy, and what stood there */
} ep_play;

/* Copies a program and reads its graphs. ep_play_close is due in any case. */
bool ep_play_open(ep_play *play, const ep_program *program, ep_arena *arena, uint64_t seed);
void ep_play_close(ep_play *play);

/* Writes the copy and decodes what was written. */
bool ep_play_finish(ep_play *play, ep_built *built, ep_error *error);

/* -------------------------------------------------------------------- numbers */

uint64_t ep_play_draw(ep_play *play);

/* Less than n, which is not 0. */
size_t ep_play_below(ep_play *play, size_t n);

/* Puts items in a random order; of a dict, count keys and values behind them. */
void ep_play_shuffle(ep_play *play, uint64_t *items, size_t count, bool dict);

/* A random order of the numbers below count. NULL for want of memory. */
uint32_t *ep_play_permutation(ep_play *play, size_t count);

/* --------------------------------------------------------------------- strings */

/* What a string of the program says. */
static inline bool ep_play_text(ep_play *play, ep_ref ref, ep_bytes *text) {
    return ep_canon_text(&play->c, ref, text);
}

/* Makes a string of the copy. */
bool ep_play_put(ep_play *play, ep_bytes text, uint64_t *slot);

/* A text and a number behind it, in the arena. */
bool ep_play_numbered(ep_play *play, ep_bytes text, uint64_t number, ep_bytes *made);

/* ---------------------------------------------------------------------- walking */

/* A value in the tree. */
typedef struct ep_play_slot {
    const ep_shape *shape;
    uint64_t *bits;
    ep_node *node;  /* the struct or union that has it; NULL: an item of a list */
    uint8_t member; /* its number there */
    ep_field field; /* likewise, or EP_F_none */
} ep_play_slot;

typedef bool ep_play_visitor(void *context, const ep_play_slot *slot);

/* Tells of everything below a struct or union, but for what is absent, and of
 * subgraphs only when asked. False when the visitor stopped it, who knows why,
 * or for want of memory, which is recorded. */
bool ep_play_visit(ep_play *play, ep_node *root, bool subgraphs, ep_play_visitor *visit,
                   void *context);

/* ------------------------------------------------------------------------ guises */

bool ep_play_rename(ep_play *play, unsigned what);
bool ep_play_expressions(ep_play *play, unsigned what);
bool ep_play_order(ep_play *play);
bool ep_play_specs(ep_play *play);
bool ep_play_dicts(ep_play *play);
bool ep_play_guards(ep_play *play);
bool ep_play_modules(ep_play *play);
bool ep_play_provenance(ep_play *play);

/* ----------------------------------------------------------------------- changes */

/* Where a change can be tried: up to three words, which the kind knows to read. */
enum { EP_PLAY_PLACE = 3 };

bool ep_play_place(ep_play *play, uint64_t first, uint64_t second, uint64_t third);

/* Writes a word of the copy, and remembers what stood there. */
bool ep_play_set(ep_play *play, uint64_t *word, uint64_t bits);

/* One kind of change. */
typedef struct ep_play_row {
    const char *name;
    bool (*find)(ep_play *play); /* puts the places */
    /* Makes the change; *made is false where nothing can be done. */
    bool (*make)(ep_play *play, const uint64_t *place, bool *made);
    bool counted; /* whether it takes ep_play_count to be certain */
} ep_play_row;

extern const ep_play_row ep_play_rows[EP_PLAY_KINDS];

/* The kinds of change, by what they are about. */
#define EP_PLAY_CHANGE(name)                                                                       \
    bool ep_play_find_##name(ep_play *play);                                                       \
    bool ep_play_make_##name(ep_play *play, const uint64_t *place, bool *made)

EP_PLAY_CHANGE(constant);
EP_PLAY_CHANGE(operator);
EP_PLAY_CHANGE(swap);
EP_PLAY_CHANGE(edge);
EP_PLAY_CHANGE(dtype);
EP_PLAY_CHANGE(size);
EP_PLAY_CHANGE(layout);
EP_PLAY_CHANGE(device);
EP_PLAY_CHANGE(constraint);
EP_PLAY_CHANGE(guard);
EP_PLAY_CHANGE(input_order);
EP_PLAY_CHANGE(output_order);
EP_PLAY_CHANGE(spec);
EP_PLAY_CHANGE(treespec);
EP_PLAY_CHANGE(module);
EP_PLAY_CHANGE(drop);
EP_PLAY_CHANGE(effects);

#endif
