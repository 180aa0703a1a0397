/*
 * canon/effects.c - the dependence edges between nodes (SPEC 6.3). Tensors that may
 * share memory are grouped by union-find. One pass over the nodes then adds an edge for
 * each read after write, write after read and write after write.
 */
#include "canon/canon.h"

#include "rules/operators.h"

/* ------------------------------------------------------------------- operators */

/* What is known about a target. */
typedef struct ep_canon_behavior {
    ep_effect effect;
    const ep_operator *operators; /* of a known overload */
    bool seeded;
    bool writes_all; /* it writes all tensors that it uses */
    bool joins_all;  /* its results may alias any tensor that it uses */
    bool marks;      /* an argument has an alias set: it is written, or returned */
} behavior;

#define MODE(target) target,
static const char *const mode_targets[] = {
#include "canon/effects.def"
};

#define WRITES(target) target,
static const char *const writing_targets[] = {
#include "canon/effects.def"
};

#define ALIASES(target) target,
static const char *const aliasing_targets[] = {
#include "canon/effects.def"
};

#define ORDERED(target) target,
static const char *const ordered_targets[] = {
#include "canon/effects.def"
};

#define QUIET(name) name,
static const char *const quiet_names[] = {
#include "canon/effects.def"
};

/* Whether any signature of an overload, over all releases, says of an argument that it is
 * written, or else that it has an alias set: of that of a name, or of any. One signature may
 * say so and another not. */
static bool is_marked(const behavior *b, const ep_bytes *name, bool written) {
    for (const ep_operator *op = b->operators; op != NULL; op = op->older) {
        for (size_t i = 0; i < op->argument_count; i++) {
            const ep_operator_value *argument = &op->arguments[i];
            if ((name == NULL || ep_text_equal(argument->name, *name)) &&
                (argument->written || (!written && argument->aliases.size > 0))) {
                return true;
            }
        }
    }
    return false;
}

static bool is_seeded(const behavior *b) {
    for (const ep_operator *op = b->operators; op != NULL; op = op->older) {
        if (op->seeded) {
            return true;
        }
    }
    return false;
}

/* Whether the signatures of an overload return nothing and mark no argument as
 * written. */
static bool does_nothing(const behavior *b) {
    for (const ep_operator *op = b->operators; op != NULL; op = op->older) {
        if (op->return_count > 0 || op->mutates) {
            return false;
        }
    }
    return true;
}

/* SPEC 6.3.1 */
static bool read_overload(ep_canonizer *c, const ep_canon_target *t, behavior *b) {
    const unsigned all_tables = (1u << EP_OPERATORS_END) - 1;
    const ep_bytes name = ep_canon_overload(t);
    if (EP_TEXT_AMONG(name, mode_targets)) {
        b->effect = EP_EFFECT_MODE;
        return true;
    }
    bool ours = ep_text_equal(t->target.ns, EP_TEXT("aten")) ||
                ep_text_equal(t->target.ns, EP_TEXT("prims"));
    if (!ours || EP_TEXT_AMONG(name, ordered_targets)) {
        return true;
    }
    if (!ep_operator_find(c->arena, name, all_tables, &b->operators)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    if (b->operators == NULL || (does_nothing(b) && !t->is_check)) {
        return true;
    }
    b->effect = EP_EFFECT_KNOWN;
    b->writes_all = EP_TEXT_AMONG(name, writing_targets);
    b->joins_all = b->writes_all || EP_TEXT_AMONG(name, aliasing_targets);
    b->seeded = is_seeded(b);
    b->marks = is_marked(b, NULL, false);
    return true;
}

static bool read_behavior(ep_canonizer *c, const ep_canon_target *t, behavior *b) {
    *b = (behavior){.effect = EP_EFFECT_UNKNOWN};
    switch (t->target.kind) {
    case EP_TARGET_OVERLOAD:
        return read_overload(c, t, b);
    case EP_TARGET_HIGHER_ORDER:
        b->effect =
            EP_TEXT_AMONG(t->target.name, quiet_names) ? EP_EFFECT_QUIET : EP_EFFECT_UNKNOWN;
        return true;
    case EP_TARGET_FUNCTION:
        b->effect = t->target.row->arguments == NULL ? EP_EFFECT_MODE : EP_EFFECT_KNOWN;
        return true;
    case EP_TARGET_EXTENSION:
        break;
    }
    return true;
}

static bool behavior_of(ep_canonizer *c, ep_canon_target *target, const behavior **found) {
    if (target->behavior == NULL) {
        behavior *read = ep_canon_array(c, 1, sizeof *read);
        TRY(read != NULL && read_behavior(c, target, read));
        target->behavior = read;
    }
    *found = target->behavior;
    return true;
}

/* ---------------------------------------------------------------------- sharing */

/* Find of the union-find: the first member of a group. Path halving shortens the way
 * there. */
uint32_t ep_canon_group(ep_canon_graph *graph, uint32_t value) {
    ep_canon_value *values = graph->values.items;
    while (values[value].group != value) {
        values[value].group = values[values[value].group].group;
        value = values[value].group;
    }
    return value;
}

/* Union of two groups. If the first is none, the result is the second. */
static uint32_t join(ep_canon_graph *graph, uint32_t group, uint32_t value) {
    uint32_t other = ep_canon_group(graph, value);
    if (group == EP_CANON_NONE) {
        return other;
    }
    group = ep_canon_group(graph, group);
    if (other < group) {
        graph->values.items[group].group = other;
        return other;
    }
    graph->values.items[other].group = group;
    return group;
}

static bool is_tensor(const ep_canon_graph *graph, uint32_t value) {
    return graph->values.items[value].holds == EP_HOLDS_TENSOR;
}

static void join_inputs(ep_canon_graph *graph) {
    for (uint32_t i = 0; i < graph->values.count; i++) {
        if (is_tensor(graph, i) && graph->values.items[i].definer == EP_CANON_NONE) {
            graph->outside = join(graph, graph->outside, i);
        }
    }
}

/* A node, with the behaviour of its target. */
typedef struct calling {
    const behavior *known;
    ep_canon_node *node;
} calling;

/* Whether the signature marks the argument that a use stands in. */
static bool read_mark(ep_canonizer *c, const calling *call, const ep_canon_use *use, bool written,
                      bool *marked) {
    const ep_fields *fields = &c->fields;
    uint64_t inputs = ep_field_bits(fields, call->node->node, EP_F_Node_inputs);
    const ep_node *named = ep_item_node(inputs, use->argument);
    ep_bytes name;
    *marked = false;
    if (!call->known->marks) {
        return true;
    }
    TRY(ep_canon_text(c, ep_field_bits(fields, named, EP_F_NamedArgument_name), &name));
    *marked = is_marked(call->known, &name, written);
    return true;
}

/* SPEC 6.3.2 */
static bool join_node(ep_canonizer *c, ep_canon_graph *graph, const calling *call) {
    const behavior *known = call->known;
    const ep_canon_node *node = call->node;
    bool all = node->effect != EP_EFFECT_KNOWN || known->joins_all;
    uint32_t group = EP_CANON_NONE;
    if (!all && !known->marks) {
        return true;
    }
    for (uint32_t i = 0; i < node->use_count; i++) {
        const ep_canon_use *use = &graph->uses.items[node->first_use + i];
        bool marked = all;
        TRY(all || read_mark(c, call, use, false, &marked));
        if (marked && is_tensor(graph, use->value)) {
            group = join(graph, group, use->value);
        }
    }
    for (uint32_t i = 0; i < node->value_count; i++) {
        if (is_tensor(graph, node->first_value + i)) {
            group = join(graph, group, node->first_value + i);
        }
    }
    return true;
}

/* The kind of a node. A higher-order operator is quiet only if its subgraphs write no
 * resource. */
static ep_effect effect_of(const behavior *known, const ep_canon_node *node) {
    for (const ep_canon_graph *g = node->subgraph; g != NULL; g = g->sibling) {
        if (g->writes) {
            return EP_EFFECT_UNKNOWN;
        }
    }
    return known->effect;
}

/* SPEC 6.3.3 */
static bool mark_writes(ep_canonizer *c, ep_canon_graph *graph, const calling *call) {
    const behavior *known = call->known;
    ep_canon_node *node = call->node;
    bool all =
        node->effect == EP_EFFECT_UNKNOWN || (node->effect == EP_EFFECT_KNOWN && known->writes_all);
    node->writes_world =
        node->effect == EP_EFFECT_UNKNOWN || (node->effect == EP_EFFECT_KNOWN && known->seeded);
    node->writes = node->writes_world || node->effect == EP_EFFECT_MODE;
    for (uint32_t i = 0; i < node->use_count; i++) {
        ep_canon_use *use = &graph->uses.items[node->first_use + i];
        bool marked = all;
        TRY(all || read_mark(c, call, use, true, &marked));
        use->written = marked && is_tensor(graph, use->value);
        node->writes |= use->written;
    }
    graph->writes |= node->writes;
    return true;
}

static bool read_behaviors(ep_canonizer *c, ep_canon_graph *graph) {
    join_inputs(graph);
    for (size_t i = 0; i < graph->node_count; i++) {
        ep_canon_node *node = &graph->nodes[i];
        calling call = {NULL, node};
        TRY(behavior_of(c, node->target, &call.known));
        node->effect = (uint8_t)effect_of(call.known, node);
        TRY(join_node(c, graph, &call) && mark_writes(c, graph, &call));
    }
    return true;
}

/* ------------------------------------------------------------------------ order */

/* The last accesses to a resource. */
typedef struct resource {
    uint32_t writer;
    uint32_t readers; /* the newest reader since the writer, in a list */
} resource;

typedef struct ordering {
    ep_canonizer *c;
    ep_canon_graph *graph;
    resource *resources; /* groups, by the number of the first member; MODE, WORLD */
    ep_stack chain;      /* readers: a node, and the reader before it */
} ordering;

static uint32_t mode_of(const ep_canon_graph *graph) {
    return (uint32_t)graph->values.count;
}

static uint32_t world_of(const ep_canon_graph *graph) {
    return (uint32_t)graph->values.count + 1;
}

static uint64_t two(uint32_t a, uint32_t b) {
    return (uint64_t)a << 32 | b;
}

/* Adds a dependence edge. A duplicate does no harm. */
static bool put_edge(ordering *o, uint32_t from, uint32_t to) {
    ep_canon_graph *graph = o->graph;
    if (from == to || from == EP_CANON_NONE) {
        return true;
    }
    ep_canon_edge edge = {to, graph->nodes[from].first_edge};
    uint32_t number = (uint32_t)graph->edges.count;
    if (graph->edges.count >= EP_CANON_NONE || /* LCOV_EXCL_BR_LINE 32 GB of edges */
        !ep_canon_edges_push(&graph->edges, edge)) {
        return ep_canon_fail(o->c, EP_MEMORY);
    }
    graph->nodes[from].first_edge = number;
    graph->nodes[to].waits++;
    return true;
}

static bool put_reads(ordering *o, uint32_t node, uint32_t number) {
    resource *at = &o->resources[number];
    uint32_t link = (uint32_t)o->chain.count;
    TRY(put_edge(o, at->writer, node));
    if (o->chain.count >= EP_CANON_NONE || /* LCOV_EXCL_BR_LINE 32 GB of reads */
        !ep_stack_push(&o->chain, two(node, at->readers))) {
        return ep_canon_fail(o->c, EP_MEMORY);
    }
    at->readers = link;
    return true;
}

static bool put_writes(ordering *o, uint32_t node, uint32_t number) {
    resource *at = &o->resources[number];
    TRY(put_edge(o, at->writer, node));
    while (at->readers != EP_CANON_NONE) {
        uint64_t link = o->chain.words[at->readers];
        TRY(put_edge(o, (uint32_t)(link >> 32), node));
        at->readers = (uint32_t)link;
    }
    at->writer = node;
    return true;
}

/* Adds the edges to one node. Its reads come before its writes. */
static bool put_node(ordering *o, uint32_t number) {
    ep_canon_graph *graph = o->graph;
    const ep_canon_node *node = &graph->nodes[number];
    TRY(put_reads(o, number, mode_of(graph)));
    for (uint32_t i = 0; i < node->use_count; i++) {
        uint32_t value = graph->uses.items[node->first_use + i].value;
        TRY(put_edge(o, graph->values.items[value].definer, number));
        TRY(!is_tensor(graph, value) || put_reads(o, number, ep_canon_group(graph, value)));
    }
    for (uint32_t i = 0; i < node->use_count; i++) {
        const ep_canon_use *use = &graph->uses.items[node->first_use + i];
        TRY(!use->written || put_writes(o, number, ep_canon_group(graph, use->value)));
    }
    TRY(!node->writes_world || put_writes(o, number, world_of(graph)));
    return node->effect != EP_EFFECT_MODE || put_writes(o, number, mode_of(graph));
}

/* SPEC 6.3.5 */
static bool put_edges(ep_canonizer *c, ep_canon_graph *graph) {
    ordering o = {.c = c, .graph = graph};
    size_t count = graph->values.count + 2;
    o.resources = ep_canon_array(c, count, sizeof *o.resources);
    TRY(o.resources != NULL);
    for (size_t i = 0; i < count; i++) {
        o.resources[i] = (resource){EP_CANON_NONE, EP_CANON_NONE};
    }
    ep_stack_init(&o.chain, c->arena);
    bool ok = true;
    for (uint32_t i = 0; ok && i < graph->node_count; i++) {
        ok = put_node(&o, i);
    }
    ep_stack_free(&o.chain);
    return ok;
}

bool ep_canon_effects(ep_canonizer *c, ep_canon_graph *graph) {
    return read_behaviors(c, graph) && put_edges(c, graph);
}
