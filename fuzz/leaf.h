/*
 * leaf.h - the strings, numbers and words of a document: a program with one of them changed,
 * whatever it is for, so that what a target asks of two programs is asked of every field.
 */
#ifndef FUZZ_LEAF_H
#define FUZZ_LEAF_H

#include "fuzz.h"

/* Writes a document anew with one leaf changed, which is drawn: into another of the
 * document's, or into one beside it. False when there is none. */
bool fuzz_change_leaf(fuzz_input *input, ep_bytes text, test_text *out);

/* Of a byte in a string of a document: how many characters stand before it there, however
 * they are spelled. False where it is in no string. */
bool fuzz_place_in_string(ep_bytes text, size_t offset, size_t *index);

#endif
