/*
 * language/expression_reader.h - the state that the parsers of both forms share: a
 * cursor, a stack of open parentheses, a stack of finished terms that have no parent
 * yet, and the symbols found.
 */
#ifndef EP_EXPRESSION_READER_H
#define EP_EXPRESSION_READER_H

#include "base/map.h"
#include "language/expression.h"

typedef struct ep_function_row {
    ep_bytes srepr; /* names; empty: not in this form */
    ep_bytes infix;
    ep_bytes open; /* of an operator in INFIX */
    ep_bytes between;
    ep_bytes close;
    uint8_t least;
    uint8_t most; /* 0: no limit */
    uint8_t step;
    char result;
    const char *arguments;
} ep_function_row;

const ep_function_row *ep_function_row_of(unsigned function);

/* The function of a name in a form, EP_FUNCTION_COUNT if there is none. */
unsigned ep_function_find(ep_expression_form form, ep_bytes name);

/* Something open, the innermost first. Spent ones are used again. */
typedef struct ep_expression_frame {
    struct ep_expression_frame *outer;
    const char *at;   /* of the name or parenthesis that opened it */
    size_t base;      /* of its arguments in the stack of terms */
    uint8_t kind;     /* EP_TERM_CALL or EP_TERM_GROUP; the whole is a group too */
    uint8_t function; /* of a call */

    /* INFIX only: the operators of the argument that is being read. */
    uint8_t joint;        /* a relation, And, Or or FloorDiv; EP_FUNCTION_COUNT: none */
    bool power;           /* a base waits for its exponent */
    bool powered;         /* the last factor is a power */
    const char *sign;     /* of a minus sign before this product */
    const char *slash;    /* before this factor */
    const char *negation; /* of a tilde before this operand */
    size_t item;          /* where in the stack of terms this argument begins, */
    size_t sum;           /* its current sum */
    size_t product;       /* and its current product */
} ep_expression_frame;

EP_STACK_OF(ep_symbol_stack, ep_symbol);

typedef struct ep_expression_reader {
    ep_arena *arena;
    const ep_passage *passage;
    const ep_expression_options *options;
    ep_fault *fault;
    const char *p;
    const char *end;
    ep_terms terms;
    ep_map names;
    ep_symbol_stack symbols;    /* by the map's numbers */
    ep_expression_frame *frame; /* NULL: the whole is read */
    ep_expression_frame *spare;
    size_t depth;
    bool operand; /* one is due, rather than an operator */
} ep_expression_reader;

/* Reads the text; leaves one term on the stack. */
bool ep_expression_read_infix(ep_expression_reader *r);
bool ep_expression_read_srepr(ep_expression_reader *r);

/* Records a fault. Always false. */
bool ep_expression_fail(ep_expression_reader *r, ep_code code, const char *at,
                        const char *expected);
bool ep_expression_no_memory(ep_expression_reader *r);

/* Opens a call or a group that begins at a byte; the cursor is behind it. */
bool ep_expression_open(ep_expression_reader *r, ep_term_kind kind, unsigned function,
                        const char *at);
/* Leaves it, its arguments still on the stack. */
ep_expression_frame ep_expression_close(ep_expression_reader *r);

/* Pushes a term without arguments, from at to the cursor; its text begins lead
 * bytes in and has size bytes. */
bool ep_expression_leaf(ep_expression_reader *r, const ep_term *model);

/* Pushes a symbol, whose kind is filled in. */
bool ep_expression_symbol(ep_expression_reader *r, ep_term *model, unsigned assumptions);

/* Replaces the terms from base on by one that has them as arguments. */
bool ep_expression_wrap(ep_expression_reader *r, const ep_term *model, size_t base);

/* wrap of a call, its arguments judged. */
bool ep_expression_call(ep_expression_reader *r, unsigned function, const char *at, size_t base);

/* Past a given text; the first byte that differs is the wrong one. */
bool ep_expression_literal(ep_expression_reader *r, ep_bytes text);

/* The byte behind digits without a leading zero; at itself when there are none. */
const char *ep_expression_digits_end(const char *at, const char *end);

/*
 * The byte behind the float, without a sign, that a text begins with, as sympy
 * writes it with so many significant digits (0: any spelling); may_fill: or
 * filled up with zeros to that many. NULL when it is none, *wrong then being
 * its first wrong byte.
 */
const char *ep_expression_float_end(ep_bytes text, size_t digits, bool may_fill,
                                    const char **wrong);

static inline const ep_term *ep_expression_top(const ep_expression_reader *r) {
    return *ep_terms_top(&r->terms);
}

#endif
