/*
 * stats.c - see stats.h. Every graph is gone over once; counting is adding to
 * lists that are sorted and summed up at the end.
 */
#include "stats.h"

#include "graphs.h"
#include "signature.h"

static void sum_up(stats *s, name_list *list) {
    names_sort(list);
    s->failed = s->failed || list->failed;
    if (!s->failed) {
        names_collapse(list);
    }
}

/* ------------------------------------------------------------------ the parts */

static void count_signature(stats *s) {
    signature said;
    signature_row row;
    signature_open(&said, s->program, s->arena);
    for (size_t i = 0; signature_at(&said, SIGNATURE_INPUTS, i, &row); i++) {
        names_add(&s->inputs, (name_item){.name = bytes_of(row.kind), .count = 1});
    }
    for (size_t i = 0; signature_at(&said, SIGNATURE_OUTPUTS, i, &row); i++) {
        names_add(&s->outputs, (name_item){.name = bytes_of(row.kind), .count = 1});
    }
    s->failed = s->failed || said.failed;
    signature_close(&said);
}

/* Texts that need unescaping are made in an arena of their own, for a node. */
static void count_metadata(stats *s, ep_value metadata) {
    ep_arena scratch;
    arena_open(&scratch, 0);
    for (size_t i = 0; i < ep_value_count(metadata); i++) {
        name_item item = {.count = 1};
        s->failed = !ep_value_key(metadata, i, s->arena, &item.name) || s->failed;
        ep_bytes text = text_of(ep_value_item(metadata, i), &scratch, &s->failed);
        item.bytes = item.name.size + text.size;
        names_add(&s->metadata, item);
    }
    ep_arena_free(&scratch);
}

static void count_values(stats *s, ep_value graph) {
    static const char *const fields[][2] = {{"tensor_values", "tensors"},
                                            {"sym_int_values", "symbolic ints"},
                                            {"sym_float_values", "symbolic floats"},
                                            {"sym_bool_values", "symbolic bools"},
                                            {"custom_obj_values", "custom objects"}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t count = ep_value_count(ep_value_field(graph, fields[i][0]));
        if (count > 0) {
            names_add(&s->values, (name_item){.name = bytes_of(fields[i][1]), .count = count});
        }
    }
}

static void count_graph(void *context, ep_value graph) {
    stats *s = context;
    ep_value nodes = ep_value_field(graph, "nodes");
    size_t count = ep_value_count(nodes);
    s->subgraphs++;
    s->nodes += count;
    count_values(s, graph);
    for (size_t i = 0; i < count; i++) {
        ep_value node = ep_value_item(nodes, i);
        name_item item = {.count = 1};
        item.name = text_of(ep_value_field(node, "target"), s->arena, &s->failed);
        names_add(&s->operators, item);
        count_metadata(s, ep_value_field(node, "metadata"));
    }
}

/* ------------------------------------------------------------------------ whole */

static bool by_count(const name_item *a, const name_item *b) {
    return a->count >= b->count;
}

void stats_count(stats *s, const ep_program *program, ep_bytes file, ep_arena *arena) {
    *s = (stats){.program = program, .arena = arena, .file = file};
    count_signature(s);
    s->failed = !graphs_visit(program, count_graph, s) || s->failed;
    s->subgraphs--; /* but for the main graph */
    s->main_nodes = ep_value_count(ep_value_field(graphs_main(program), "nodes"));
    sections_find(&s->sections, file);
    sum_up(s, &s->inputs);
    sum_up(s, &s->outputs);
    sum_up(s, &s->metadata);
    sum_up(s, &s->values);
    sum_up(s, &s->operators);
    names_sort_by(&s->operators, by_count);
    s->failed = s->failed || s->operators.failed;
}

void stats_free(stats *s) {
    names_free(&s->inputs);
    names_free(&s->outputs);
    names_free(&s->operators);
    names_free(&s->metadata);
    names_free(&s->values);
}
