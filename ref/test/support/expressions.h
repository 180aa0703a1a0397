/*
 * expressions.h - what tests of expressions share: the spelling of symbols and numbers
 * in srepr, valid expressions of both forms, and their reading.
 */
#ifndef EP_TEST_EXPRESSIONS_H
#define EP_TEST_EXPRESSIONS_H

#include "language/expression.h"

#define INFIX EP_EXPRESSION_INFIX
#define SREPR EP_EXPRESSION_SREPR

#define S0 "Symbol('s0', positive=True, integer=True)"
#define U1 "Symbol('u1', integer=True)"
#define Z0 "Symbol('zuf0')"
#define Z1 "Symbol('zf1', positive=True, real=True)"
#define HALF "Float('0.5', precision=53)"
#define MINUS_HALF "Float('-0.5', precision=53)"

/* Sorts: of expressions, and what the rows of expression_samples.def say beside them. */
enum { INT = EP_SORT_INT, FLOAT = EP_SORT_FLOAT, BOOL = EP_SORT_BOOL, EITHER, ANY };

typedef struct sample {
    ep_expression_form form;
    int sort;
    const char *text;
    const char *symbols;
} sample;

#define SAMPLE(form, sort, text, symbols) {form, sort, text, symbols},
static const sample samples[] = {
#include "expression_samples.def"
};
#undef SAMPLE

/* Reads an expression of any sort and depth. */
static inline bool parse_any(ep_arena *arena, ep_expression_form form, ep_bytes text,
                             const ep_expression **expression) {
    ep_passage passage = {.text = text, .raw = text};
    ep_expression_options options = {.form = form, .any_sort = true, .depth = SIZE_MAX};
    ep_fault fault = {.code = EP_OK};
    return ep_expression_parse(arena, &passage, &options, expression, &fault);
}

#endif
