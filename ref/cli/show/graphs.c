/*
 * graphs.c - see graphs.h. What is still to be looked at waits on a list, never
 * on the C stack.
 */
#include "graphs.h"

ep_value graphs_main(const ep_program *program) {
    ep_value module = ep_value_field(ep_program_root(program), "graph_module");
    return ep_value_field(module, "graph");
}

/* An argument: a subgraph is found, a dict's entries are to be looked at. */
static void look_at(ep_value argument, value_list *waiting, value_list *found) {
    const char *tag;
    ep_value held = unwrap(argument, &tag);
    if (value_is(held, "GraphArgument")) {
        values_push(found, held);
    } else if (ep_value_kind(held) == EP_KIND_DICT) {
        for (size_t i = ep_value_count(held); i-- > 0;) {
            values_push(waiting, ep_value_item(held, i));
        }
    }
}

bool graphs_of_node(ep_value node, value_list *found) {
    ep_value inputs = ep_value_field(node, "inputs");
    value_list waiting = {0};
    size_t count = ep_value_count(inputs);
    for (size_t i = 0; i < count; i++) {
        values_push(&waiting, ep_value_field(ep_value_item(inputs, i), "arg"));
        while (waiting.count > 0 && !waiting.failed) {
            look_at(waiting.items[--waiting.count], &waiting, found);
        }
    }
    bool ok = !waiting.failed && !found->failed;
    values_free(&waiting);
    return ok;
}

bool graphs_visit(const ep_program *program, void (*visit)(void *context, ep_value graph),
                  void *context) {
    value_list waiting = {0};
    bool ok = true;
    values_push(&waiting, graphs_main(program));
    while (waiting.count > 0 && ok && !waiting.failed) {
        ep_value held = waiting.items[--waiting.count];
        ep_value graph = value_is(held, "GraphArgument") ? ep_value_field(held, "graph") : held;
        ep_value nodes = ep_value_field(graph, "nodes");
        visit(context, graph);
        size_t count = ep_value_count(nodes);
        for (size_t i = 0; i < count && ok; i++) {
            ok = graphs_of_node(ep_value_item(nodes, i), &waiting);
        }
    }
    ok = ok && !waiting.failed;
    values_free(&waiting);
    return ok;
}

typedef struct counting {
    graphs_counts *counts;
    ep_arena *arena;
    bool failed;
} counting;

static void count_graph(void *context, ep_value graph) {
    counting *c = context;
    ep_value nodes = ep_value_field(graph, "nodes");
    size_t count = ep_value_count(nodes);
    c->counts->subgraphs++;
    c->counts->nodes += count;
    for (size_t i = 0; c->arena != NULL && i < count; i++) {
        ep_value target = ep_value_field(ep_value_item(nodes, i), "target");
        names_add(&c->counts->operators,
                  (name_item){.name = text_of(target, c->arena, &c->failed), .count = 1});
    }
}

static bool by_count(const name_item *a, const name_item *b) {
    return a->count >= b->count;
}

bool graphs_count(const ep_program *program, ep_arena *arena, graphs_counts *counts) {
    counting c = {.counts = counts, .arena = arena};
    *counts = (graphs_counts){.nodes = 0};
    bool ok = graphs_visit(program, count_graph, &c);
    counts->subgraphs -= counts->subgraphs > 0; /* but for the main graph */
    names_sort(&counts->operators);
    if (!counts->operators.failed) {
        names_collapse(&counts->operators);
        names_sort_by(&counts->operators, by_count);
    }
    return ok && !c.failed && !counts->operators.failed;
}
