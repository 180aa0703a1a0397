/*
 * canon/symbols.h - what the steps of SPEC 6.7 share: the symbols and the expressions of
 * a program. Each text is parsed once.
 */
#ifndef EP_CANON_SYMBOLS_H
#define EP_CANON_SYMBOLS_H

#include "canon/terms.h"

/* The expression that a text is parsed into. */
typedef struct ep_canon_expression {
    const ep_expression *srepr;        /* without a root if it is none */
    ep_bytes text;                     /* of what is none */
    ep_canon_symbol **symbols;         /* by their numbers in the expression */
    const ep_term *root;               /* the normal form from which symbols were named, or NULL */
    ep_ref ref;                        /* the text in the file ... */
    struct ep_canon_expression *first; /* ... whose first equal one is this; NULL: not known yet */
    uint64_t rewritten;                /* a string of the maker; 0: not made yet */
} ep_canon_expression;

EP_STACK_OF(ep_canon_expressions, ep_canon_expression *);
EP_STACK_OF(ep_canon_symbol_stack, ep_canon_symbol *);

struct ep_canon_symbol_table {
    ep_map texts;                     /* between quotes */
    ep_canon_expressions expressions; /* by the map's numbers */
    ep_map normal;                    /* normal forms with the names of the document */
    ep_canon_expressions first;       /* of each, by the map's numbers ... */
    ep_map first_refs;                /* ... which are those of its ref in this map too */
    ep_canon_expressions at;          /* by the numbers of expression_slots */
    ep_map names;
    ep_canon_symbol_stack symbols; /* by the map's numbers */
    ep_canon_expressions sequence; /* one for each occurrence in the program */
    ep_stack counters;             /* of each prefix, by its number */
};

/* The key of the text of an expression in first_refs. */
static inline ep_bytes ep_canon_ref_bytes(const ep_ref *ref) {
    return (ep_bytes){(const char *)ref, sizeof *ref};
}

/* The symbol of a name. */
bool ep_canon_symbol_of(ep_canonizer *c, ep_bytes name, ep_canon_symbol **found);

/* Gives a symbol the next name of its prefix. */
bool ep_canon_name_symbol(ep_canonizer *c, ep_canon_symbol *s);

/* Prints the normal form of an expression with the new names. */
bool ep_canon_print(ep_canonizer *c, const ep_canon_expression *e, ep_bytes *text);

/* The n-th slot of the copy with the text of an expression. */
static inline uint64_t *ep_canon_expression_slot(const ep_canonizer *c, size_t n) {
    return (uint64_t *)(uintptr_t)c->expression_slots.words[n];
}

/* A token of a key of range_constraints, which is an infix expression: a symbol, or
 * the text between two symbols. The first call takes a zeroed part. False at the end of
 * the key. */
typedef struct ep_canon_key_part {
    ep_bytes text;
    size_t next; /* byte of the key */
    bool is_symbol;
} ep_canon_key_part;

bool ep_canon_key_next(ep_bytes key, ep_canon_key_part *part);

#endif
