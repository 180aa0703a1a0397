/*
 * expression_value.h - what a symbolic expression comes to (SPEC 4.1), read from its text in
 * either form by a reader of its own. Two texts that mean the same come to the same number,
 * however they are spelled.
 */
#ifndef FUZZ_EXPRESSION_VALUE_H
#define FUZZ_EXPRESSION_VALUE_H

#include "fuzz.h"

/* A number, or a bool as 0 or 1. */
typedef struct fuzz_value {
    double number;
    bool exact; /* an integer, and no other could be meant */
    bool known; /* false: too large, too small or undefined, or it could be either of two */
} fuzz_value;

/* What symbols stand for. */
typedef struct fuzz_symbols {
    fuzz_value (*find)(void *context, ep_bytes name);
    void *context;
} fuzz_symbols;

/* A small number for each name. */
extern const fuzz_symbols fuzz_any_symbols;

/* Of a text that is a valid expression; unknown for any other. What a function is that has
 * one name in both forms does not matter: it comes to a number that depends on the name and
 * the arguments. */
fuzz_value fuzz_value_of(ep_bytes text, const fuzz_symbols *symbols);

/* Whether two numbers may be the same. */
bool fuzz_values_agree(fuzz_value a, fuzz_value b);

#endif
