/*
 * rules/operators.h - the operators of PyTorch releases: their arguments and returns,
 * what they write to, what aliases what. annex/operators.tsv has the rows;
 * release.def has the releases whose rows apply to a schema version. The conclusions are drawn
 * elsewhere (operator_rules.c, canon/effects.c).
 */
#ifndef EP_OPERATORS_H
#define EP_OPERATORS_H

#include "schema/schema.h"

/* The releases that there is a table of, in their order. */
#define TABLE(symbol, release) EP_OPERATORS_##symbol,
typedef enum ep_operator_table {
#include "rules/release.def"
    EP_OPERATORS_END
} ep_operator_table;

#define TYPE(symbol, text, takes, gives) EP_OPERATOR_##symbol,
typedef enum ep_operator_type {
#include "rules/operator_types.def"
    EP_OPERATOR_TYPE_COUNT
} ep_operator_type;

typedef struct ep_operator_value {
    ep_bytes text; /* the type: "Optional[Tensor]" */
    ep_bytes name; /* of an argument */
    uint8_t type;  /* ep_operator_type; of what an Optional holds */
    bool optional;
    bool list;
    bool keyword_only;
    bool has_default;
    bool written;     /* the operator writes to it */
    ep_bytes aliases; /* the sets that it is of: "a", "a,b", "*"; or empty */
} ep_operator_value;

/* One signature of an operator. */
typedef struct ep_operator {
    const struct ep_operator *older; /* another signature of the same target, or NULL */
    ep_operator_value *arguments;
    ep_operator_value *returns;
    size_t argument_count; /* at most 64 */
    size_t return_count;
    uint64_t required;  /* a bit for every argument that has to be given */
    uint8_t since;      /* ep_operator_table */
    uint8_t until;      /* one past the last table that has it */
    bool seeded;        /* draws random numbers */
    bool mutates;       /* writes to an argument */
    bool takes_numbers; /* in place of a Tensor */
    bool by_place;      /* its arguments are told apart by their places alone */
} ep_operator;

/* A bit for every table that judges a version. */
unsigned ep_operator_tables(ep_version_number version);

/* Whether only PyTorch itself has operators in a namespace. */
bool ep_operator_namespace_closed(ep_bytes ns);

/*
 * The signatures of a target ("aten.add.Tensor") in some tables, the newest first; NULL
 * where it has none. They live in the arena; their texts are static. False for want of
 * memory. Binary search, then linear in the row.
 */
bool ep_operator_find(ep_arena *arena, ep_bytes target, unsigned tables, const ep_operator **found);

#endif
