/*
 * leaf.h - a program with one of its strings, numbers or words changed, whatever it is for:
 * what a target asks of two programs is then asked of every field.
 */
#ifndef FUZZ_LEAF_H
#define FUZZ_LEAF_H

#include "fuzz.h"

/* Writes a document anew with one leaf changed, which is drawn: into another of the
 * document's, or into one beside it. False when there is none. */
bool fuzz_change_leaf(fuzz_input *input, ep_bytes text, test_text *out);

#endif
