/*
 * language/expression.h - the language of symbolic expressions (SPEC 4.1), in its two
 * forms. INFIX is sympy's str, which PyTorch 2.1 to 2.5 write; SREPR is sympy's srepr,
 * which 2.6 and later write. The grammar is closed: what the exporter cannot emit is
 * refused. Every text has one spelling, so that reading and printing an expression is a
 * round trip.
 */
#ifndef EP_EXPRESSION_H
#define EP_EXPRESSION_H

#include "base/stack.h"
#include "json/passage.h"

typedef enum ep_sort { EP_SORT_INT, EP_SORT_FLOAT, EP_SORT_BOOL } ep_sort;

typedef enum ep_expression_form { EP_EXPRESSION_INFIX, EP_EXPRESSION_SREPR } ep_expression_form;

/* The functions and operators, named as srepr names them where it does. */
typedef enum ep_function {
#define FUNCTION(symbol, srepr, infix, least, most, step, arguments, result) EP_FUNCTION_##symbol,
#define OPERATOR(symbol, srepr, open, between, close, least, most, arguments, result)              \
    EP_FUNCTION_##symbol,
#include "language/expression.def"
#undef FUNCTION
#undef OPERATOR
    EP_FUNCTION_COUNT
} ep_function;

/* The assumptions of a symbol, a bit each, in the order of writing. */
enum { EP_ASSUME_POSITIVE = 1, EP_ASSUME_INTEGER = 2, EP_ASSUME_REAL = 4 };

/* The sorts that a term can have, a bit each. A symbol of the infix form can have two,
 * when its name does not decide. */
enum {
    EP_CAN_INT = 1 << EP_SORT_INT,
    EP_CAN_FLOAT = 1 << EP_SORT_FLOAT,
    EP_CAN_BOOL = 1 << EP_SORT_BOOL,
    EP_CAN_NUMBER = EP_CAN_INT | EP_CAN_FLOAT,
    EP_CAN_PAIR = 8 /* an arm of a Piecewise; with the sort of its value */
};

typedef enum ep_term_kind {
    EP_TERM_INTEGER,  /* its text is the digits, with a minus sign in SREPR */
    EP_TERM_RATIONAL, /* two integers; SREPR only */
    EP_TERM_FLOAT,    /* its text is the number; in SREPR with its precision, an integer */
    EP_TERM_SYMBOL,   /* its text is the name, number the place in symbols */
    EP_TERM_TRUE,
    EP_TERM_FALSE,
    EP_TERM_CALL,     /* a function or an operator of its arguments */
    EP_TERM_GROUP,    /* INFIX only: parentheses */
    EP_TERM_NEGATIVE, /* INFIX only: the term after a minus sign */
    EP_TERM_QUOTIENT  /* INFIX only: in a Mul, the factor after a slash */
} ep_term_kind;

/* What is known of a term's value whatever its symbols are. */
typedef enum ep_term_sign {
    EP_SIGN_UNKNOWN,
    EP_SIGN_ZERO,
    EP_SIGN_POSITIVE,
    EP_SIGN_NEGATIVE
} ep_term_sign;

typedef struct ep_term {
    uint8_t kind;     /* ep_term_kind */
    uint8_t function; /* ep_function; of a call */
    uint8_t sorts;
    uint8_t lead;    /* bytes from at to the text of a leaf */
    uint32_t number; /* of arguments; of a symbol: which */
    uint32_t height; /* 0; code that compares terms sets it */
    uint8_t sign;    /* ep_term_sign, of what was read: a number, a product of them */
    const char *at;  /* where the term begins */
    size_t size;     /* of the text of a leaf */
    const struct ep_term *arguments[];
} ep_term;

EP_STACK_OF(ep_terms, const ep_term *);

static inline ep_bytes ep_term_text(const ep_term *leaf) {
    return (ep_bytes){leaf->at + leaf->lead, leaf->size};
}

typedef struct ep_symbol {
    ep_bytes name;
    unsigned assumptions; /* none in INFIX, which does not write them */
} ep_symbol;

typedef struct ep_expression {
    ep_expression_form form;
    ep_sort sort;
    const ep_term *root;
    size_t symbol_count;
    const ep_symbol *symbols; /* distinct, in order of first occurrence */
} ep_expression;

typedef struct ep_expression_options {
    ep_expression_form form;
    ep_sort sort;  /* demanded of the whole */
    bool any_sort; /* take whatever sort it has; an integer where it can be one */
    size_t depth;  /* the most parentheses open at a time, those of literals not counted */
} ep_expression_options;

/* Whether a number without a sign and an exponent is zero: digits, perhaps with a point. */
bool ep_digits_are_zero(ep_bytes digits);

/* The name of a function in srepr; empty if it has none. */
ep_bytes ep_function_srepr(unsigned function);

/* Reads a whole passage. The expression points into its text and lives in the arena; a
 * refused one leaves nothing there. Linear in the text. */
bool ep_expression_parse(ep_arena *arena, const ep_passage *passage,
                         const ep_expression_options *options, const ep_expression **expression,
                         ep_fault *fault);

/* The text again, in the form it was read in. False for want of memory. */
bool ep_expression_print(const ep_expression *expression, ep_arena *arena, ep_bytes *text);

#endif
