/*
 * canon/terms.h - the normal form of a symbolic expression (SPEC 6.7.2).
 */
#ifndef EP_CANON_TERMS_H
#define EP_CANON_TERMS_H

#include "canon/canon.h"
#include "language/expression.h"

/* A symbol. All expressions in which it occurs share it. */
typedef struct ep_canon_symbol {
    ep_bytes name;  /* new; empty: it has none yet */
    ep_bytes color; /* SPEC 6.7.3 */
    ep_bytes old;   /* name */
    unsigned assumptions;
    bool has_range;
} ep_canon_symbol;

/*
 * Brings an expression in srepr into its normal form. symbols has one item for each
 * symbol of the expression. The result is a term of the arena, whose symbols keep their
 * numbers. NULL for want of memory. Unless tied is NULL, *tied becomes true where
 * arguments that differ only in symbols keep the order that they had. n log n.
 */
const ep_term *ep_canon_normal(ep_arena *arena, const ep_expression *expression,
                               ep_canon_symbol *const *symbols, bool *tied);

#endif
