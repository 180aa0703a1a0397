/*
 * diff_state.h - where two archives part beyond their programs: tensors by name, their
 * types and their values, and extra files. The form is an interface: scripts read it.
 */
#ifndef CLI_COMMANDS_DIFF_STATE_H
#define CLI_COMMANDS_DIFF_STATE_H

#include "cli/source.h"

enum { SIDES = 2 };

typedef enum state_group {
    STATE_WEIGHTS,
    STATE_CONSTANTS,
    STATE_EXTRA_FILES,
    STATE_MEMBERS
} state_group;

enum { STATE_GROUPS = STATE_MEMBERS + 1 };

/* "extra file" */
extern const char *const diff_state_groups[STATE_GROUPS];

typedef struct state_diff {
    const options *o;
    source *sides[SIDES]; /* archives that are open */
    buffer *product;
    size_t count; /* of differences, those of the programs before */
    size_t told;  /* no more than the limit */
    size_t counts[STATE_GROUPS];
    size_t refused; /* whose fault a failure is */
} state_diff;

/* Compares two archives, and puts what is not the same behind the product. False: *what. */
bool diff_state(state_diff *d, failure *what);

/* Puts the tensors of one name, that programs of version 1 keep inside themselves, which are not
 * the same: a canonical form says what they are, and not their elements. Which names there are is
 * a difference of the programs. False: *what. */
bool diff_constants(state_diff *d, const ep_program *const programs[SIDES], failure *what);

#endif
