/*
 * canon/terms.h - the normal form of a symbolic expression (SPEC
 * 6.7.2).
 */
#ifndef EP_CANON_TERMS_H
#define EP_CANON_TERMS_H

#include "canon/canon.h"
#include "language/expression.h"

/* A symbol, whatever expressions it stands in. */
typedef struct ep_canon_symbol {
    ep_bytes name;  /* new; empty: it has none yet */
    ep_bytes color; /* SPEC 6.7.3 */
    uint64_t look;  /* SPEC 6.7.4; 0 until it is known */
    ep_bytes old;   /* name */
    unsigned assumptions;
    bool kept; /* an expr_ast names it: so it stays */
} ep_canon_symbol;

/* Whether the arguments of a function have no order. */
bool ep_canon_commutes(unsigned function);

/*
 * The normal form of an expression in srepr. symbols has one for each symbol of
 * the expression. The result is a term of the arena, whose symbols have the
 * numbers that they had. NULL for want of memory. *tied, if that is not NULL,
 * becomes true where arguments of which only the symbols differ stay in the order that
 * they had. n log n.
 */
const ep_term *ep_canon_normal(ep_arena *arena, const ep_expression *expression,
                               ep_canon_symbol *const *symbols, bool *tied);

#endif
