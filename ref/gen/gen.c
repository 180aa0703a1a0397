/*
 * gen.c - a synthetic program from beginning to end. The operators are in operator.c
 * and gen.def.
 */
#include "gen.h"

/* From 2.6 on exports are for training unless they are decomposed. */
static void choose_verifier(generator *g) {
    bool training = g->options.version >= ep_version_find("8.2");
    if (training && random_one_in(&g->random, 2)) {
        g->functional = false;
    } else if (training) {
        ep_build_verifier(g->builder, "ATEN");
    }
}

bool gen_program(const gen_options *options, ep_arena *scratch, ep_arena *arena, ep_bytes *text,
                 ep_error *error) {
    generator g = {.options = *options, .random = {options->seed}, .line = 10, .functional = true};
    ep_built built;
    size_t counters[256] = {0};
    random_draw(&g.random);
    g.width = INT64_C(2) << random_below(&g.random, 3);
    g.builder = ep_builder_open(scratch, options->version, error);
    TRY(g.builder != NULL);
    g.counters = counters;
    g.graph = ep_build_root(g.builder);
    choose_verifier(&g);
    gen_inputs(&g);
    while (g.nodes < options->nodes) {
        gen_operator(&g);
    }
    gen_outputs(&g);
    bool ok = ep_builder_finish(g.builder, arena, EP_BUILD_TEXT, &built, error);
    *text = built.text;
    return ok;
}
