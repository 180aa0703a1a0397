/*
 * canon/canon.c - the epref form (SPEC part 6): the sequence of its steps.
 */
#include "canon/canon.h"

/* Orders the subgraphs before the graphs that contain them. The order of the program's
 * inputs follows from the ranks, and the names of values from it. SPEC 6.3 to 6.5 */
static bool order_nodes(ep_canonizer *c) {
    for (ep_canon_graph *graph = c->last_graph; graph != NULL; graph = graph->before) {
        TRY(ep_canon_effects(c, graph) && ep_canon_rank(c, graph));
        TRY(graph->argument != NULL || ep_canon_signature_order(c));
        TRY(ep_canon_order(c, graph));
    }
    return true;
}

static bool run(ep_canonizer *c) {
    return ep_canon_copy(c) && ep_canon_graphs(c) && ep_canon_leave_out(c) &&
           ep_canon_symbols_open(c) && ep_canon_signature(c) && order_nodes(c) &&
           ep_canon_names(c) && ep_canon_symbols(c) && ep_canon_lists(c);
}

bool ep_canon_make(const ep_program *program, ep_arena *arena, ep_maker *maker, ep_canon_made *made,
                   ep_error *error) {
    ep_canonizer c = {.program = program, .arena = arena, .maker = maker, .input = program->input};
    *maker = (ep_maker){.arena = NULL};
    ep_canon_graph_stack_init(&c.graph_order, arena);
    bool ok = ep_canon_open(&c) && run(&c);
    *made = (ep_canon_made){ok ? c.root : NULL, c.undecided};
    ep_stack_free(&c.expression_slots);
    ep_canon_graphs_free(&c);
    ep_canon_symbols_free(&c);
    ep_canon_graph_stack_free(&c.graph_order);
    if (!ok) {
        return ep_error_plain(error, c.code);
    }
    ep_error_clear(error);
    return true;
}

void ep_canon_close(ep_maker *maker) {
    if (maker->arena != NULL) {
        ep_maker_free(maker);
    }
}
