/*
 * rewriter.c - a copy of a program that is being changed: from its tree to a text of
 * its own; and what rewriting and changing share.
 */
#include "rewriter.h"

#include "tree/copy.h"
#include "json/number.h"

/* ----------------------------------------------------------------------- numbers */

void ep_rewriter_shuffle(ep_rewriter *rewriter, uint64_t *items, size_t count, bool dict) {
    for (size_t i = count; i > 1; i--) {
        size_t j = ep_rewriter_below(rewriter, i);
        ep_rewriter_exchange(&items[i - 1], &items[j]);
        if (dict) {
            ep_rewriter_exchange(&items[count + i - 1], &items[count + j]);
        }
    }
}

uint32_t *ep_rewriter_permutation(ep_rewriter *rewriter, size_t count) {
    uint32_t *numbers = ep_canon_array(&rewriter->c, count, sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < count; i++) {
        size_t j = ep_rewriter_below(rewriter, i + 1);
        numbers[i] = numbers[j];
        numbers[j] = (uint32_t)i;
    }
    return numbers;
}

/* ----------------------------------------------------------------------- strings */

bool ep_rewriter_put(ep_rewriter *rewriter, ep_bytes text, uint64_t *slot) {
    return ep_maker_text(&rewriter->maker, text, slot) ||
           ep_canon_fail(&rewriter->c, rewriter->maker.code);
}

bool ep_rewriter_numbered(ep_rewriter *rewriter, ep_bytes text, uint64_t number, ep_bytes *made) {
    char *data = ep_canon_array(&rewriter->c, 1, text.size + EP_INT_TEXT_SIZE);
    TRY(data != NULL);
    memcpy(data, text.data, text.size);
    *made = (ep_bytes){data, text.size + ep_number_print_int((int64_t)number, data + text.size)};
    return true;
}

/* -------------------------------------------------------------------------- copy */

/* The copy's strings are those of the program, and behind them the new ones. */
static bool open_copy(ep_rewriter *rewriter) {
    ep_canonizer *c = &rewriter->c;
    TRY(ep_maker_open(c->maker, c->arena, c->program->schema) || ep_canon_fail(c, EP_MEMORY));
    c->maker->text.size = 0;
    c->root = ep_copy_tree(c->arena, c->program->schema, c->program->root);
    if (c->root == NULL || !ep_growing_put(&c->maker->text, c->input)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    ep_fields_open(&c->fields, c->program->schema);
    return true;
}

bool ep_rewriter_take(ep_rewriter *rewriter, ep_map *taken, ep_bytes text, ep_bytes *name) {
    for (;;) {
        uint32_t number;
        bool fresh;
        TRY(ep_map_put(taken, text, &number, &fresh) || ep_canon_fail(&rewriter->c, EP_MEMORY));
        if (fresh) {
            *name = text;
            return true;
        }
        TRY(ep_rewriter_numbered(rewriter, text, ep_rewriter_draw(rewriter) % 1000, &text));
    }
}

/* Gives the subgraphs of a graph names of their own. Equal ones may share a name
 * (SPEC 5.2.2), but not when one of them is rewritten. */
static bool part_subgraphs(ep_rewriter *rewriter, const ep_canon_graph *graph, ep_map *taken) {
    uint8_t slot = rewriter->c.fields.slot[EP_F_GraphArgument_name];
    ep_bytes own;
    ep_bytes name;
    for (size_t i = 0; i < graph->values.count; i++) {
        TRY(ep_rewriter_take(rewriter, taken, graph->names.keys[i].text, &name));
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        for (const ep_canon_graph *g = graph->nodes[i].subgraph; g != NULL; g = g->sibling) {
            TRY(ep_rewriter_text(rewriter, g->argument->slots[slot], &own) &&
                ep_rewriter_take(rewriter, taken, own, &name));
            TRY(name.data == own.data ||
                ep_rewriter_put(rewriter, name, &g->argument->slots[slot]));
        }
    }
    return true;
}

bool ep_rewriter_open(ep_rewriter *rewriter, const ep_program *program, ep_arena *arena,
                      uint64_t seed) {
    ep_canonizer *c = &rewriter->c;
    *rewriter = (ep_rewriter){.random = {seed}};
    c->program = program;
    c->arena = arena;
    c->maker = &rewriter->maker;
    c->input = program->input;
    ep_canon_graph_stack_init(&c->graph_order, arena);
    TRY(open_copy(rewriter) && ep_canon_graphs(c));
    for (ep_canon_graph *graph = c->last_graph; graph != NULL; graph = graph->before) {
        ep_map taken;
        ep_map_init(&taken, arena);
        bool ok = part_subgraphs(rewriter, graph, &taken) && ep_canon_effects(c, graph);
        ep_map_free(&taken);
        TRY(ok);
    }
    return true;
}

void ep_rewriter_close(ep_rewriter *rewriter) {
    ep_canon_graphs_free(&rewriter->c);
    ep_canon_close(&rewriter->maker);
}

/* ------------------------------------------------------------------------ writing */

static bool collect(void *context, const char *data, size_t size) {
    return ep_growing_put(context, (ep_bytes){data, size});
}

/* The sink refuses only for want of memory. */
static bool write_text(ep_rewriter *rewriter, ep_built *built, ep_error *error) {
    ep_program program = ep_maker_program(&rewriter->maker, rewriter->c.root);
    ep_error own = {.code = EP_OK};
    ep_growing text;
    ep_growing_init(&text, rewriter->c.arena);
    bool ok = ep_encode(&program, rewriter->c.arena, collect, &text, &own);
    char *copy = ok ? ep_arena_alloc(rewriter->c.arena, text.size) : NULL;
    if (copy != NULL) {
        memcpy(copy, text.data, text.size);
        built->text = (ep_bytes){copy, text.size};
    } else {
        ep_error_plain(error, ok || own.code == EP_OUTPUT ? EP_MEMORY : own.code);
    }
    ep_growing_free(&text);
    return copy != NULL;
}

bool ep_rewriter_finish(ep_rewriter *rewriter, ep_built *built, ep_error *error) {
    const ep_version *version = rewriter->c.fields.schema->version;
    ep_decode_options options = ep_decode_options_default();
    options.version = version->owns_number ? NULL : version;
    *built = (ep_built){{NULL, 0}, NULL};
    return write_text(rewriter, built, error) &&
           ep_decode(rewriter->c.arena, built->text, &options, &built->program, error);
}
