/*
 * canon/rank.c - the ranks of nodes, and their final order. Ranks do not depend on the
 * order of the document: they are a depth-first postorder over the use-def chains, from
 * the outputs and then from the writers (SPEC 6.4.1, 6.4.2). The final order is a
 * topological sort by rank (6.4.7).
 */
#include "canon/canon.h"

/* --------------------------------------------------------------------- visiting */

typedef struct visits {
    ep_canonizer *c;
    ep_canon_graph *graph;
    ep_stack open; /* the depth-first stack: a node, and its next use */
    bool *opened;  /* by nodes */
} visits;

static bool open_node(visits *v, uint32_t node) {
    if (v->opened[node]) {
        return true;
    }
    v->opened[node] = true;
    if (!ep_stack_push(&v->open, (uint64_t)node << 32)) {
        return ep_canon_fail(v->c, EP_MEMORY);
    }
    return true;
}

/* Depth-first postorder: the definers of a node's uses are ranked before the node. */
static bool visit(visits *v, uint32_t start) {
    ep_canon_graph *graph = v->graph;
    TRY(open_node(v, start));
    while (v->open.count > 0) {
        uint64_t *top = &v->open.words[v->open.count - 1];
        uint32_t number = (uint32_t)(*top >> 32);
        uint32_t use = (uint32_t)(*top)++;
        const ep_canon_node *node = &graph->nodes[number];
        if (use == node->use_count) {
            ep_canon_give_rank(graph, number);
            v->open.count--;
            continue;
        }
        uint32_t definer = graph->values[graph->uses[node->first_use + use].value].definer;
        TRY(definer == EP_CANON_NONE || open_node(v, definer));
    }
    return true;
}

static bool visit_output(void *context, const ep_leaf *leaf) {
    visits *v = context;
    ep_bytes text;
    if (!ep_leaf_is_value(leaf)) {
        return true;
    }
    TRY(ep_canon_text(v->c, *leaf->name, &text));
    uint32_t value = ep_map_find(&v->graph->names, text);
    uint32_t definer = v->graph->values[value].definer;
    return definer == EP_CANON_NONE || visit(v, definer);
}

/* SPEC 6.4.1 */
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

/* A node that writes a place, in a list of the writers of that place. */
typedef struct writing {
    uint32_t node;
    uint32_t next;
} writing;

/* The writers of each place in the order of the document. The numbers of places are
 * those of canon/effects.c. */
typedef struct writers {
    writing *all;
    uint32_t count;
    uint32_t *first; /* by places; none: no writer, or all were visited */
} writers;

static void put_writing(writers *w, uint32_t place, uint32_t node) {
    w->all[w->count] = (writing){node, w->first[place]};
    w->first[place] = w->count++;
}

static bool find_writers(visits *v, writers *w) {
    ep_canon_graph *graph = v->graph;
    size_t places = graph->value_count + 2;
    w->count = 0;
    w->all = ep_canon_array(v->c, graph->use_count + 2 * graph->node_count, sizeof *w->all);
    w->first = ep_canon_array(v->c, places, sizeof *w->first);
    TRY(w->all != NULL && w->first != NULL);
    for (size_t i = 0; i < places; i++) {
        w->first[i] = EP_CANON_NONE;
    }
    for (uint32_t i = (uint32_t)graph->node_count; i-- > 0;) {
        const ep_canon_node *node = &graph->nodes[i];
        for (uint32_t j = 0; j < node->use_count; j++) {
            const ep_canon_use *use = &graph->uses[node->first_use + j];
            if (use->written) {
                put_writing(w, ep_canon_group(graph, use->value), i);
            }
        }
        if (node->effect == EP_EFFECT_MODE) {
            put_writing(w, (uint32_t)graph->value_count, i);
        }
        if (node->writes_world) {
            put_writing(w, (uint32_t)graph->value_count + 1, i);
        }
    }
    return true;
}

static bool visit_writers(visits *v, writers *w, uint32_t place) {
    uint32_t at = w->first[place];
    w->first[place] = EP_CANON_NONE;
    for (; at != EP_CANON_NONE; at = w->all[at].next) {
        TRY(visit(v, w->all[at].node));
    }
    return true;
}

/* SPEC 6.4.2 */
static bool visit_all_writers(visits *v) {
    ep_canon_graph *graph = v->graph;
    writers w;
    TRY(find_writers(v, &w));
    TRY(visit_writers(v, &w, (uint32_t)graph->value_count));
    TRY(visit_writers(v, &w, (uint32_t)graph->value_count + 1));
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
    bool ok = visit_outputs(&v) && (!graph->writes || visit_all_writers(&v)) &&
              (graph->rank_count == graph->node_count || ep_canon_rank_rest(c, graph));
    ep_stack_free(&v.open);
    return ok;
}

/* ------------------------------------------------------------------------ order */

/* A binary heap of ranks, the least on top. */
static void sift_up(uint32_t *heap, size_t at) {
    while (at > 0 && heap[(at - 1) / 2] > heap[at]) {
        uint32_t rank = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = rank;
        at = (at - 1) / 2;
    }
}

static void sift_down(uint32_t *heap, size_t count, size_t at) {
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            least = heap[child] < heap[least] ? child : least;
        }
        if (least == at) {
            return;
        }
        uint32_t rank = heap[at];
        heap[at] = heap[least];
        heap[least] = rank;
        at = least;
    }
}

/* Removes the edges that leave a placed node. Nodes without incoming edges become
 * ready. */
static size_t release(ep_canon_graph *graph, uint32_t number, uint32_t *heap, size_t count) {
    uint32_t at = graph->nodes[number].first_edge;
    while (at != EP_CANON_NONE) {
        ep_canon_edge edge = graph->edges.items[at];
        ep_canon_node *to = &graph->nodes[edge.to];
        if (--to->waits == 0) {
            heap[count] = to->rank;
            sift_up(heap, count++);
        }
        at = edge.next;
    }
    return count;
}

/* SPEC 6.4.7: Kahn's topological sort, with a heap of the nodes that are ready. */
bool ep_canon_order(ep_canonizer *c, ep_canon_graph *graph) {
    uint32_t *heap = ep_canon_array(c, graph->node_count, sizeof *heap);
    size_t count = 0;
    size_t placed = 0;
    TRY(heap != NULL);
    for (size_t i = 0; i < graph->node_count; i++) { /* rising, so that it is a heap already */
        if (graph->nodes[graph->ranked[i]].waits == 0) {
            heap[count++] = (uint32_t)i;
        }
    }
    while (count > 0) {
        uint32_t number = graph->ranked[heap[0]];
        heap[0] = heap[--count];
        sift_down(heap, count, 0);
        graph->order[placed++] = number;
        count = release(graph, number, heap, count);
    }
    /* each node is placed, for none waits for itself */
    if (EP_NEVER(placed != graph->node_count)) {
        return ep_canon_fail(c, EP_INTERNAL);
    }
    return true;
}
