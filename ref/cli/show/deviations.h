/*
 * deviations.h - what PyTorch is known to do with a program that is accepted here: not to load it,
 * or not to keep it. SPEC appendix C.
 */
#ifndef CLI_SHOW_DEVIATIONS_H
#define CLI_SHOW_DEVIATIONS_H

#include "cli/json.h"
#include "common/names.h"

#define DEVIATION(symbol, id, effect, first, last, about) DEVIATION_##symbol,
typedef enum deviation_id {
#include "deviations.def"
    DEVIATION_COUNT
} deviation_id;
#undef DEVIATION

typedef struct deviation {
    const char *id;       /* "D-47" */
    const char *releases; /* that were tried: "2.13" */
    const char *message;  /* "PyTorch 2.13 does not load it: a kernel of Triton" */
    const char *about;    /* "a kernel of Triton" */
    const char *clause;   /* "D-47, SPEC appendix C" */
    bool loads;
    int first; /* of the releases 2.x that do so */
    int last;
} deviation;

extern const deviation deviation_rows[DEVIATION_COUNT];

/* What a program has of each: the first place; a null value where it has none. False for want of
 * memory. n names and symbols: O(n log n), and linear in the program. */
bool deviations_find(const ep_program *program, ep_arena *arena, ep_value found[DEVIATION_COUNT]);

/* Adds "deviation", "releases" and "loads" to what is reported of one, by its message. */
void deviation_add(json *object, const char *message);

#endif
