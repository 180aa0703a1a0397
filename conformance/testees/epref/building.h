/*
 * building.h - the operation that takes a program apart with the reading functions of
 * epref.h, and makes it again with the building ones. What the builder does by itself is
 * left to it where it comes to the same: strides of contiguous tensors, the usual call, the
 * usual header.
 */
#ifndef EPREF_TESTEE_BUILDING_H
#define EPREF_TESTEE_BUILDING_H

#include "epref_builder.h"
#include "operations.h"

enum { TREE_DEPTH_MAX = 100 };

/* A value of a graph that was built. */
typedef struct known_value {
    const ep_built_graph *graph;
    ep_bytes name;
    const ep_built_value *value;
} known_value;

/* What a symbol is in the example that was exported. */
typedef struct known_hint {
    ep_bytes name;
    int64_t hint;
} known_hint;

/* Memory, and what was allocated before. */
typedef struct rebuild_block {
    _Alignas(16) struct rebuild_block *next;
} rebuild_block;

typedef struct rebuild {
    const ep_program *program;
    ep_builder *b;
    ep_arena *arena; /* for texts and lists */
    known_value *values;
    size_t value_count;
    size_t value_room;
    known_hint *hints;
    size_t hint_count;
    size_t hint_room;
    struct rebuild_block *blocks; /* all that was allocated */
    const char *unsaid;           /* what a builder has no words for; NULL: it has for all */
    bool failed;                  /* for want of memory */
} rebuild;

/* building_text.c: memory that is not given back, NULL for want of it; texts with a zero
 * behind them. */
void *rebuild_alloc(rebuild *r, size_t count, size_t size);
const char *rebuild_text(rebuild *r, ep_value value);
const char *rebuild_part(rebuild *r, const char *data, size_t size);

/* The key of an entry of a dict; the bytes of a text, which may hold zeros. */
const char *rebuild_key(rebuild *r, ep_value dict, size_t i);
ep_bytes rebuild_bytes(rebuild *r, ep_value text);

/* A field of a struct, by a path: "graph_module", "graph". */
ep_value rebuild_at(ep_value value, const char *one, const char *other);
bool rebuild_has_text(ep_value value, rebuild *r, const char *text);

/* building_symbols.c: the hints of symbols, which is done first; an expression of a kind. */
void rebuild_hints(rebuild *r, ep_value value);
const ep_built_expr *rebuild_expr(rebuild *r, ep_kind kind, ep_value sym_expr);
const ep_built_expr *rebuild_symbol(rebuild *r, const char *name, bool hinted);

/* building_signature.c: its inputs and outputs. What is wrong with the parts of the signature;
 * NULL: nothing is. */
const char *rebuild_signature(rebuild *r, ep_value graph_module);

/* building_calls.c: the module call graph. */
void rebuild_calls(rebuild *r, ep_value graph_module);

/* building_graphs.c: a graph, and what it takes and gives, with its values and nodes. */
void rebuild_graph(rebuild *r, ep_value graph, ep_built_graph *into);

/* building_values.c: the values of a graph; arguments. */
void rebuild_values(rebuild *r, ep_value graph, ep_built_graph *into);
const ep_built_arg *rebuild_arg(rebuild *r, const ep_built_graph *graph, ep_value argument);
const ep_built_value *rebuild_value(const rebuild *r, const ep_built_graph *graph, ep_bytes name);

void run_build(const request *r, ep_arena *arena, ep_bytes input, finding *out);

#endif
