/*
 * play.c - a copy of a program that is being changed: from its tree to a text of
 * its own; and the guises from outside.
 */
#include "play_work.h"

#include "tree/copy.h"
#include "json/number.h"

/* ----------------------------------------------------------------------- numbers */

/* Splitmix64. */
uint64_t ep_play_draw(ep_play *play) {
    uint64_t z = play->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

size_t ep_play_below(ep_play *play, size_t n) {
    return (size_t)(ep_play_draw(play) % n);
}

static void exchange(uint64_t *a, uint64_t *b) {
    uint64_t word = *a;
    *a = *b;
    *b = word;
}

void ep_play_shuffle(ep_play *play, uint64_t *items, size_t count, bool dict) {
    for (size_t i = count; i > 1; i--) {
        size_t j = ep_play_below(play, i);
        exchange(&items[i - 1], &items[j]);
        if (dict) {
            exchange(&items[count + i - 1], &items[count + j]);
        }
    }
}

uint32_t *ep_play_permutation(ep_play *play, size_t count) {
    uint32_t *numbers = ep_canon_array(&play->c, count, sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < count; i++) {
        size_t j = ep_play_below(play, i + 1);
        numbers[i] = numbers[j];
        numbers[j] = (uint32_t)i;
    }
    return numbers;
}

/* ----------------------------------------------------------------------- strings */

bool ep_play_put(ep_play *play, ep_bytes text, uint64_t *slot) {
    return ep_maker_text(&play->maker, text, slot) || ep_canon_fail(&play->c, play->maker.code);
}

bool ep_play_numbered(ep_play *play, ep_bytes text, uint64_t number, ep_bytes *made) {
    char *data = ep_canon_array(&play->c, 1, text.size + EP_INT_TEXT_SIZE);
    TRY(data != NULL);
    memcpy(data, text.data, text.size);
    *made = (ep_bytes){data, text.size + ep_number_print_int((int64_t)number, data + text.size)};
    return true;
}

/* -------------------------------------------------------------------------- copy */

/* The copy's strings are those of the program, and behind them the new ones. */
static bool open_copy(ep_play *play) {
    ep_canonizer *c = &play->c;
    if (!ep_maker_open(c->maker, c->arena, c->program->schema)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    c->maker->text.size = 0;
    c->root = ep_copy_tree(c->arena, c->program->schema, c->program->root);
    if (c->root == NULL || !ep_growing_put(&c->maker->text, c->input)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    ep_fields_open(&c->fields, c->program->schema);
    return true;
}

/* Gives the subgraphs of a graph names of their own. Equal ones may share a name
 * (SPEC 5.2.2), but not when one of them is put under a guise. */
static bool part_subgraphs(ep_play *play, const ep_canon_graph *graph, ep_map *taken) {
    uint8_t slot = play->c.fields.slot[EP_F_GraphArgument_name];
    uint32_t number;
    bool fresh;
    for (size_t i = 0; i < graph->value_count; i++) {
        TRY(ep_map_put(taken, graph->names.keys[i].text, &number, &fresh) ||
            ep_canon_fail(&play->c, EP_MEMORY));
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        for (const ep_canon_graph *g = graph->nodes[i].subgraph; g != NULL; g = g->sibling) {
            ep_bytes name;
            TRY(ep_play_text(play, g->argument->slots[slot], &name));
            for (bool renamed = false;; renamed = true) {
                TRY(ep_map_put(taken, name, &number, &fresh) || ep_canon_fail(&play->c, EP_MEMORY));
                if (fresh) {
                    TRY(!renamed || ep_play_put(play, name, &g->argument->slots[slot]));
                    break;
                }
                TRY(ep_play_numbered(play, name, ep_play_draw(play) % 1000, &name));
            }
        }
    }
    return true;
}

bool ep_play_open(ep_play *play, const ep_program *program, ep_arena *arena, uint64_t seed) {
    ep_canonizer *c = &play->c;
    *play = (ep_play){.state = seed};
    c->program = program;
    c->arena = arena;
    c->maker = &play->maker;
    c->input = program->input;
    ep_canon_graph_stack_init(&c->graph_order, arena);
    ep_stack_init(&play->places, arena);
    ep_stack_init(&play->undo, arena);
    TRY(open_copy(play) && ep_canon_graphs(c));
    for (ep_canon_graph *graph = c->last_graph; graph != NULL; graph = graph->before) {
        ep_map taken;
        ep_map_init(&taken, arena);
        bool ok = part_subgraphs(play, graph, &taken) && ep_canon_effects(c, graph);
        ep_map_free(&taken);
        TRY(ok);
    }
    return true;
}

void ep_play_close(ep_play *play) {
    ep_canon_graphs_free(&play->c);
    ep_canon_close(&play->maker);
    ep_stack_free(&play->places);
    ep_stack_free(&play->undo);
}

/* ------------------------------------------------------------------------ writing */

static bool collect(void *context, const char *data, size_t size) {
    return ep_growing_put(context, (ep_bytes){data, size});
}

/* The sink refuses only for want of memory. */
static bool write_text(ep_play *play, ep_built *built, ep_error *error) {
    ep_program program = ep_maker_program(&play->maker, play->c.root);
    ep_error own = {.code = EP_OK};
    ep_growing text;
    ep_growing_init(&text, play->c.arena);
    bool ok = ep_encode(&program, play->c.arena, collect, &text, &own);
    char *copy = ok ? ep_arena_alloc(play->c.arena, text.size) : NULL;
    if (copy != NULL) {
        memcpy(copy, text.data, text.size);
        built->text = (ep_bytes){copy, text.size};
    } else {
        ep_error_plain(error, ok || own.code == EP_OUTPUT ? EP_MEMORY : own.code);
    }
    ep_growing_free(&text);
    return copy != NULL;
}

bool ep_play_finish(ep_play *play, ep_built *built, ep_error *error) {
    const ep_version *version = play->c.fields.schema->version;
    ep_decode_options options = ep_decode_options_default();
    options.version = version->owns_number ? NULL : version;
    *built = (ep_built){{NULL, 0}, NULL};
    return write_text(play, built, error) &&
           ep_decode(play->c.arena, built->text, &options, &built->program, error);
}

/* ------------------------------------------------------------------------- guises */

static const char *const disguises[EP_PLAY_DISGUISES] = {
    "values", "subgraphs", "nodes", "symbols", "provenance", "order",
    "dicts",  "specs",     "terms", "guards",  "modules",
};

const char *ep_play_disguise_name(unsigned bit) {
    for (unsigned i = 0; i < EP_PLAY_DISGUISES; i++) {
        if (bit == 1u << i) {
            return disguises[i];
        }
    }
    return NULL;
}

/* Lists before names, which are read as the program has them. */
static bool disguise(ep_play *play, unsigned what) {
    const unsigned names = EP_PLAY_VALUES | EP_PLAY_SUBGRAPHS | EP_PLAY_NODES;
    TRY((what & EP_PLAY_PROVENANCE) == 0 || ep_play_provenance(play));
    TRY((what & EP_PLAY_ORDER) == 0 || ep_play_order(play));
    TRY((what & EP_PLAY_SPECS) == 0 || ep_play_specs(play));
    TRY((what & EP_PLAY_DICTS) == 0 || ep_play_dicts(play));
    TRY((what & EP_PLAY_GUARDS) == 0 || ep_play_guards(play));
    TRY((what & EP_PLAY_MODULES) == 0 || ep_play_modules(play));
    TRY((what & (EP_PLAY_SYMBOLS | EP_PLAY_TERMS)) == 0 || ep_play_expressions(play, what));
    return (what & names) == 0 || ep_play_rename(play, what);
}

bool ep_play_disguise(const ep_program *program, ep_arena *arena, const ep_play_wish *wish,
                      ep_built *built, ep_error *error) {
    ep_play play;
    *built = (ep_built){{NULL, 0}, NULL};
    bool ok = ep_play_open(&play, program, arena, wish->seed) && disguise(&play, wish->what);
    ok = ok ? ep_play_finish(&play, built, error) : ep_error_plain(error, play.c.code);
    ep_play_close(&play);
    return ok;
}
