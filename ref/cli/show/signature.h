/*
 * signature.h - what goes in and out of a program, the same for versions that
 * say it in lists of specs and for version 1, which says it in dicts.
 */
#ifndef CLI_SHOW_SIGNATURE_H
#define CLI_SHOW_SIGNATURE_H

#include "common/names.h"

typedef struct signature {
    ep_value rows[2];   /* inputs and outputs: specs, or the graph's arguments */
    bool by_dicts;      /* version 1 */
    name_list roles[2]; /* of version 1: what a name is */
    ep_arena *arena;
    bool failed; /* for want of memory; sticks */
} signature;

/* One input or output. */
typedef struct signature_row {
    const char *kind; /* "parameter" */
    ep_value value;   /* an argument, or a constant */
    ep_bytes name;    /* of a constant input; empty for others */
    ep_bytes target;  /* "layer.weight"; empty where there is none */
    bool transient;   /* a buffer that the state dict leaves out */
} signature_row;

void signature_open(signature *s, const ep_program *program, ep_arena *arena);

typedef enum signature_side { SIGNATURE_INPUTS, SIGNATURE_OUTPUTS } signature_side;

/* The i-th input or output, false past the end. */
bool signature_at(signature *s, signature_side side, size_t i, signature_row *row);

void signature_close(signature *s);

#endif
