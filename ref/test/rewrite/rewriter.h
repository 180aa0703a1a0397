/*
 * rewriter.h - what the files of this folder share: a copy of a program that is
 * being changed, with its graphs and the order that its nodes have to keep. A
 * string is written anew at most once, from what the program says.
 */
#ifndef EP_TEST_REWRITER_H
#define EP_TEST_REWRITER_H

#include "canon/canon.h"
#include "common/random.h"
#include "rewrite.h"

typedef struct ep_rewriter {
    ep_canonizer c; /* the copy, its graphs, and the first failure */
    ep_maker maker;
    random_source random;
} ep_rewriter;

/* Copies a program and reads its graphs. ep_rewriter_close is due in any case. */
bool ep_rewriter_open(ep_rewriter *rewriter, const ep_program *program, ep_arena *arena,
                      uint64_t seed);
void ep_rewriter_close(ep_rewriter *rewriter);

/* Writes the copy and decodes what was written. */
bool ep_rewriter_finish(ep_rewriter *rewriter, ep_built *built, ep_error *error);

/* -------------------------------------------------------------------- numbers */

static inline uint64_t ep_rewriter_draw(ep_rewriter *rewriter) {
    return random_draw(&rewriter->random);
}

static inline size_t ep_rewriter_below(ep_rewriter *rewriter, size_t n) {
    return random_below(&rewriter->random, n);
}

static inline void ep_rewriter_exchange(uint64_t *a, uint64_t *b) {
    uint64_t word = *a;
    *a = *b;
    *b = word;
}

/* Puts items in a random order; of a dict, count keys and values behind them. */
void ep_rewriter_shuffle(ep_rewriter *rewriter, uint64_t *items, size_t count, bool dict);

/* A random order of the numbers below count. NULL for want of memory. */
uint32_t *ep_rewriter_permutation(ep_rewriter *rewriter, size_t count);

/* --------------------------------------------------------------------- strings */

/* What a string of the program says. */
static inline bool ep_rewriter_text(ep_rewriter *rewriter, ep_ref ref, ep_bytes *text) {
    return ep_canon_text(&rewriter->c, ref, text);
}

/* Makes a string of the copy. */
bool ep_rewriter_put(ep_rewriter *rewriter, ep_bytes text, uint64_t *slot);

/* A text and a number behind it, in the arena. */
bool ep_rewriter_numbered(ep_rewriter *rewriter, ep_bytes text, uint64_t number, ep_bytes *made);

/* Marks a name as taken; while it is another's, a number is put behind it. */
bool ep_rewriter_take(ep_rewriter *rewriter, ep_map *taken, ep_bytes text, ep_bytes *name);

/* ---------------------------------------------------------------------- walking */

/* A value in the tree. */
typedef struct ep_rewriter_slot {
    const ep_shape *shape;
    uint64_t *bits;
    ep_node *node;   /* the struct or union that has it; NULL: an item of a list */
    uint8_t member;  /* its number there */
    ep_field field;  /* likewise, or EP_F_none */
    ep_field within; /* the field, or the nearest one around it that has a number */
} ep_rewriter_slot;

typedef bool ep_rewriter_visitor(void *context, const ep_rewriter_slot *slot);

/* Tells of everything below a struct or union, but for what is absent, and of
 * subgraphs only when asked. False when the visitor stopped it, who knows why,
 * or for want of memory, which is recorded. */
bool ep_rewriter_visit(ep_rewriter *rewriter, ep_node *root, bool subgraphs,
                       ep_rewriter_visitor *visit, void *context);

/* ------------------------------------------------------ equivalent programs */

bool ep_rewriter_rename(ep_rewriter *rewriter, unsigned what);
bool ep_rewriter_expressions(ep_rewriter *rewriter, unsigned what);
bool ep_rewriter_order(ep_rewriter *rewriter);
bool ep_rewriter_specs(ep_rewriter *rewriter);
bool ep_rewriter_dicts(ep_rewriter *rewriter);
bool ep_rewriter_guards(ep_rewriter *rewriter);
bool ep_rewriter_modules(ep_rewriter *rewriter);
bool ep_rewriter_provenance(ep_rewriter *rewriter);

#endif
