/*
 * canon/canon.c - the epref form (SPEC part 6): its steps one after the other.
 */
#include "canon/canon.h"

#include "tree/copy.h"

/* ---------------------------------------------------------------------- helpers */

bool ep_canon_fail(ep_canonizer *c, ep_code code) {
    if (c->code == EP_OK) {
        c->code = code;
    }
    return false;
}

void *ep_canon_array(ep_canonizer *c, size_t count, size_t size) {
    void *array = ep_arena_array(c->arena, 0, count, size);
    if (array == NULL) {
        ep_canon_fail(c, EP_MEMORY);
        return NULL;
    }
    return memset(array, 0, count * size);
}

bool ep_canon_text(ep_canonizer *c, ep_ref ref, ep_bytes *text) {
    if (!ep_ref_text(c->arena, c->input, ref, text)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

bool ep_canon_target(ep_canonizer *c, const ep_node *node, ep_bytes *text, ep_target *target) {
    ep_version_number version = ep_version_number_of(c->fields.schema->version);
    ep_passage passage;
    ep_fault fault;
    if (!ep_passage_open(&passage, c->arena, c->input,
                         ep_field_bits(&c->fields, node, EP_F_Node_target))) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    *text = passage.text;
    /* the targets of a program that was checked can be read */
    if (EP_NEVER(!ep_target_parse(&passage, version, target, &fault))) {
        return ep_canon_fail(c, EP_INTERNAL); /* SPEC 4.5 */
    }
    return true;
}

/* ------------------------------------------------------------------------ steps */

/* Subgraphs before the graphs that they are in. SPEC 6.3, 6.4 */
static bool order_nodes(ep_canonizer *c) {
    for (ep_canon_graph *graph = c->last_graph; graph != NULL; graph = graph->before) {
        TRY(ep_canon_effects(c, graph) && ep_canon_rank(c, graph) && ep_canon_order(c, graph));
        TRY(graph->argument == NULL || ep_canon_hash_graph(c, graph));
    }
    return true;
}

static bool run(ep_canonizer *c) {
    return ep_canon_graphs(c) && ep_canon_leave_out(c) && ep_canon_symbols_open(c) &&
           ep_canon_signature(c) && order_nodes(c) && ep_canon_signature_order(c) &&
           ep_canon_names(c) && ep_canon_symbols(c) && ep_canon_lists(c);
}

/* The copy's strings are those of the program, as they stand in its input, and
 * behind them the new ones. */
bool ep_canon_open(ep_canonizer *c) {
    const ep_schema *schema = c->program->schema;
    if (!ep_maker_open_on(c->maker, c->arena, schema, c->input)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    c->root = ep_copy_tree(c->arena, schema, c->program->root);
    if (c->root == NULL) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    ep_fields_open(&c->fields, c->program->schema);
    return true;
}

bool ep_canon_make(const ep_program *program, ep_arena *arena, ep_maker *maker, ep_canon_made *made,
                   ep_error *error) {
    ep_canonizer c = {.program = program, .arena = arena, .maker = maker, .input = program->input};
    *maker = (ep_maker){.arena = NULL};
    ep_stack_init(&c.graph_order, arena);
    bool ok = ep_canon_open(&c) && run(&c);
    *made = (ep_canon_made){ok ? c.root : NULL, c.undecided};
    ep_canon_graphs_free(&c);
    ep_canon_symbols_free(&c);
    ep_stack_free(&c.graph_order);
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

bool ep_canon_epref(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                    ep_built *built, ep_error *error) {
    ep_maker maker;
    ep_canon_made made;
    TRY(ep_check(program, arena, NULL, error));
    bool ok = ep_canon_make(program, arena, &maker, &made, error);
    if (options->undecided != NULL) {
        *options->undecided = made.undecided;
    }
    if (ok) {
        ep_program form = ep_maker_program(&maker, made.root);
        ok = ep_maker_encode(&form, arena, &built->text);
        if (!ok) {
            ep_error_plain(error, EP_MEMORY);
        }
    }
    ep_canon_close(&maker);
    return ok;
}
