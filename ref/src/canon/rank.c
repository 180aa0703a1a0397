/*
 * canon/rank.c - the ranks of live nodes: a depth-first postorder over the use-def
 * chains, from the outputs and then from the writers (SPEC 6.4.1). Ranks do not depend
 * on the order of the document, except where effects do.
 */
#include "canon/canon.h"

/* --------------------------------------------------------------------- visiting */

typedef struct visits {
    ep_canonizer *c;
    ep_canon_graph *graph;
    ep_stack open; /* the depth-first stack: a node, and its next use */
    bool *opened;  /* by nodes */
    uint32_t met;  /* the number of inputs that were met */
} visits;

static bool open_node(visits *v, uint32_t node) {
    if (v->opened[node]) {
        return true;
    }
    v->opened[node] = true;
    return ep_stack_push(&v->open, (uint64_t)node << 32) || ep_canon_fail(v->c, EP_MEMORY);
}

/* Meets a value: opens the node that defines it, or notes when an input was met. */
static bool meet(visits *v, uint32_t number) {
    ep_canon_value *value = &v->graph->values.items[number];
    if (value->definer != EP_CANON_NONE) {
        return open_node(v, value->definer);
    }
    if (value->met == EP_CANON_NONE) {
        value->met = v->met++;
    }
    return true;
}

static void give_rank(ep_canon_graph *graph, uint32_t node) {
    graph->nodes[node].rank = (uint32_t)graph->rank_count;
    graph->ranked[graph->rank_count++] = node;
}

/* Depth-first postorder: the definers of a node's uses are ranked before the node. */
static bool visit_open(visits *v) {
    ep_canon_graph *graph = v->graph;
    while (v->open.count > 0) {
        uint64_t *top = &v->open.words[v->open.count - 1];
        uint32_t number = (uint32_t)(*top >> 32);
        uint32_t use = (uint32_t)(*top)++;
        const ep_canon_node *node = &graph->nodes[number];
        if (use == node->use_count) {
            give_rank(graph, number);
            v->open.count--;
            continue;
        }
        TRY(meet(v, graph->uses.items[node->first_use + use].value));
    }
    return true;
}

static bool visit(visits *v, uint32_t start) {
    return open_node(v, start) && visit_open(v);
}

static bool visit_output(void *context, const ep_leaf *leaf) {
    visits *v = context;
    ep_bytes text;
    if (!ep_leaf_is_value(leaf)) {
        return true;
    }
    TRY(ep_canon_text(v->c, *leaf->name, &text));
    uint32_t value = ep_map_find(&v->graph->names, text);
    bool beside = value == EP_MAP_NONE; /* a tensor of version 1 in a subgraph */
    return beside || (meet(v, value) && visit_open(v));
}

static bool visit_outputs(visits *v) {
    const ep_fields *fields = &v->c->fields;
    uint64_t outputs = ep_field_bits(fields, v->graph->graph, EP_F_Graph_outputs);
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        size_t at = v->graph->outputs == NULL ? i : v->graph->outputs[i];
        if (!ep_leaves(v->c->arena, fields, ep_item_node(outputs, at), visit_output, v)) {
            return ep_canon_fail(v->c, EP_MEMORY);
        }
    }
    return true;
}

/* ---------------------------------------------------------------------- writers */

/* A node that writes a resource, in a list of the writers of that resource. */
typedef struct writing {
    uint32_t node;
    uint32_t next;
} writing;

/* The writers of each resource in the order of the document. The numbers of resources
 * are those of canon/effects.c. */
typedef struct writers {
    writing *all;
    uint32_t count;
    uint32_t *first; /* by resources; none: no writer, or all were visited */
} writers;

static void put_writing(writers *w, uint32_t resource, uint32_t node) {
    w->all[w->count] = (writing){node, w->first[resource]};
    w->first[resource] = w->count++;
}

static bool find_writers(visits *v, writers *w) {
    ep_canon_graph *graph = v->graph;
    size_t resources = graph->values.count + 2;
    w->count = 0;
    /* a node that sets a mode does not write the world */
    w->all = ep_canon_array(v->c, graph->uses.count + graph->node_count, sizeof *w->all);
    w->first = ep_canon_array(v->c, resources, sizeof *w->first);
    TRY(w->all != NULL && w->first != NULL);
    for (size_t i = 0; i < resources; i++) {
        w->first[i] = EP_CANON_NONE;
    }
    for (uint32_t i = (uint32_t)graph->node_count; i-- > 0;) {
        const ep_canon_node *node = &graph->nodes[i];
        for (uint32_t j = 0; j < node->use_count; j++) {
            const ep_canon_use *use = &graph->uses.items[node->first_use + j];
            if (use->written) {
                put_writing(w, ep_canon_group(graph, use->value), i);
            }
        }
        if (node->effect == EP_EFFECT_MODE) {
            put_writing(w, (uint32_t)graph->values.count, i);
        }
        if (node->writes_world) {
            put_writing(w, (uint32_t)graph->values.count + 1, i);
        }
    }
    return true;
}

static bool visit_writers(visits *v, writers *w, uint32_t resource) {
    uint32_t at = w->first[resource];
    w->first[resource] = EP_CANON_NONE;
    for (; at != EP_CANON_NONE; at = w->all[at].next) {
        TRY(visit(v, w->all[at].node));
    }
    return true;
}

static bool visit_all_writers(visits *v) {
    ep_canon_graph *graph = v->graph;
    writers w;
    TRY(find_writers(v, &w));
    TRY(visit_writers(v, &w, (uint32_t)graph->values.count));
    TRY(visit_writers(v, &w, (uint32_t)graph->values.count + 1));
    if (graph->outside != EP_CANON_NONE) {
        TRY(visit_writers(v, &w, ep_canon_group(graph, graph->outside)));
    }
    for (size_t i = 0; i < graph->rank_count; i++) { /* the loop itself raises the count */
        const ep_canon_node *node = &graph->nodes[graph->ranked[i]];
        for (uint32_t j = 0; j < node->value_count; j++) {
            TRY(visit_writers(v, &w, ep_canon_group(graph, node->first_value + j)));
        }
    }
    return true;
}

bool ep_canon_rank(ep_canonizer *c, ep_canon_graph *graph) {
    visits v = {.c = c, .graph = graph};
    v.opened = ep_canon_array(c, graph->node_count, sizeof *v.opened);
    TRY(v.opened != NULL);
    ep_stack_init(&v.open, c->arena);
    bool ok = visit_outputs(&v) && (!graph->writes || visit_all_writers(&v));
    ep_stack_free(&v.open);
    return ok;
}
