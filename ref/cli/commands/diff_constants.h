/*
 * diff_constants.h - the tensors that programs of version 1 keep inside themselves: a canonical
 * form says what they are, and not their elements.
 */
#ifndef CLI_COMMANDS_DIFF_CONSTANTS_H
#define CLI_COMMANDS_DIFF_CONSTANTS_H

#include "diff_state.h"

/* Puts those of one name that are not the same; which names there are is a difference of the
 * programs. False: *what. */
bool diff_constants(state_diff *d, const ep_program *const programs[2], failure *what);

#endif
