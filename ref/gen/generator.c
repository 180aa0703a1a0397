/*
 * generator.c - what the parts of the generator share: names, values, and the tensors
 * that are at hand.
 */
#include "gen.h"

#include <stdarg.h>
#include <stdio.h>

/* ---------------------------------------------------------------------- texts */

void gen_print(char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, GEN_NAME_SIZE, format, arguments);
    va_end(arguments);
}

const char *gen_name(char *name, const char *base, size_t count) {
    gen_print(name, count > 0 ? "%s_%zu" : "%s", base, count);
    return name;
}

/* -------------------------------------------------------------------- tensors */

const ep_built_expr *gen_expr(generator *g, gen_dim dim) {
    const ep_built_expr *symbol = g->symbols[dim.symbol].expr;
    ep_builder *b = g->builder;
    if (dim.a == 0) {
        return ep_expr_int(b, dim.b);
    }
    const ep_built_expr *product = ep_expr_apply(b, EP_SYM_MUL, ep_expr_int(b, dim.a), symbol);
    return ep_expr_apply(b, EP_SYM_ADD, product, ep_expr_int(b, dim.b));
}

static ep_dim dim_of(generator *g, gen_dim dim) {
    return dim.a == 0 ? (ep_dim){dim.b, NULL} : (ep_dim){0, gen_expr(g, dim)};
}

const char *gen_dtype_name(gen_dtype dtype) {
    static const char *const dtypes[GEN_DTYPES] = {"FLOAT", "DOUBLE", "LONG", "BOOL",
                                                   "COMPLEXFLOAT"};
    return dtypes[dtype];
}

const ep_built_value *gen_make_tensor(generator *g, const char *name, const gen_shape *shape,
                                      bool parameter) {
    gen_dim laid[GEN_RANK_MAX];
    ep_dim sizes[GEN_RANK_MAX];
    ep_dim strides[GEN_RANK_MAX];
    ep_tensor_info info = {.dtype = gen_dtype_name(shape->dtype), .rank = shape->rank};
    info.requires_grad = parameter && g->options.version >= ep_version_find("7.3");
    gen_shape_strides(shape, laid);
    for (size_t i = 0; i < shape->rank; i++) {
        sizes[i] = dim_of(g, shape->dims[i]);
        strides[i] = dim_of(g, laid[i]);
    }
    info.sizes = sizes;
    info.strides = strides;
    return ep_build_tensor(g->builder, g->graph, name, &info);
}

void gen_put(generator *g, gen_tensor tensor) {
    g->recent[g->recent_count++ % GEN_RECENT] = tensor;
}

void gen_put_sym(generator *g, gen_sym sym) {
    g->syms[g->sym_count++ % GEN_SYMS] = sym;
}

size_t gen_held(const generator *g) {
    return g->recent_count < GEN_RECENT ? g->recent_count : GEN_RECENT;
}

static gen_tensor *tensor_at(generator *g, size_t i) {
    size_t held = gen_held(g);
    return i < held                    ? &g->recent[i]
           : i - held < g->input_count ? &g->inputs[i - held]
                                       : &g->weights[i - held - g->input_count].tensor;
}

/* From a place that is drawn on, the first that will do; one that nothing uses
 * yet before others. */
gen_tensor *gen_pick(generator *g, gen_wanted *wanted, const void *context) {
    size_t count = gen_held(g) + g->input_count + g->weight_count;
    size_t start = random_below(&g->random, count);
    gen_tensor *found = NULL;
    for (size_t i = 0; i < count && (found == NULL || found->used); i++) {
        gen_tensor *tensor = tensor_at(g, (start + i) % count);
        bool fits = tensor->value != NULL && wanted(&tensor->shape, context);
        found = fits && (found == NULL || !tensor->used) ? tensor : found;
    }
    return found;
}
