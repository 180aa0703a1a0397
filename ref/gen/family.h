/*
 * family.h - what the operators of gen.def have in common: which operands
 * they take, and the shapes that come out.
 */
#ifndef GEN_FAMILY_H
#define GEN_FAMILY_H

#include "gen.h"

enum { GEN_OPERANDS = 4, GEN_RESULTS = 4, GEN_LIST = 8 };

/* A node before it is one. */
typedef struct gen_draft {
    const char *in;  /* the dtypes that will do, as in gen.def */
    const char *out; /* that of the result; NULL: the operand's */
    gen_tensor *operands[GEN_OPERANDS];
    size_t operand_count;
    gen_shape results[GEN_RESULTS];
    size_t result_count;
    bool as_list; /* the results are one list */
    size_t dim;
    bool keep;
    int64_t n;
    int64_t m;
    int64_t list[GEN_LIST];
    size_t list_count;
    const ep_built_value *sym;   /* a symbolic value that it takes: a SymInt stands for n */
    gen_tensor *first;           /* an operand before the others */
    const ep_built_expr *expr;   /* the result is symbolic: this; NULL: it is tensors */
    gen_dim made;                /* what it is as a size */
    const ep_built_value **kept; /* where it is put; NULL: among the symbolic integers */
    bool item;                   /* the result is an item of a tuple */
    bool effect;                 /* the result is a token, and nothing */
    ep_node_returns returns;
} gen_draft;

/* Fills a draft, if there are operands for it. */
typedef bool gen_family(generator *g, gen_draft *d);

gen_family gen_MAP, gen_ZIP, gen_REDUCE, gen_REDUCE2, gen_LINEAR, gen_INDEX, gen_UNSQUEEZE,
    gen_SLICE, gen_PERMUTE, gen_FLATTEN, gen_CAT, gen_SPLIT, gen_FULL, gen_RANGE, gen_SYM_SIZE,
    gen_SYM_ADD, gen_SYM_MUL, gen_SYM_GE, gen_ASSERT, gen_SYM_FLOAT, gen_TIMES_SYM, gen_COND,
    gen_HINTS, gen_EFFECT, gen_COMPLEX, gen_PLACE, gen_ZOO;

/* Draws an operand, as gen_pick does; of a dtype that will do, of at least a rank. NULL: none. */
gen_tensor *gen_take(generator *g, gen_draft *d, gen_wanted *wanted, const void *context);
gen_tensor *gen_operand(generator *g, gen_draft *d, size_t rank);

/* A result of the shape's sizes. False if it would be too large. */
bool gen_result(gen_draft *d, gen_shape shape);

#endif
