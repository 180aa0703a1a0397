/*
 * special.c - families of gen.def for what is no tensor or takes more than tensors:
 * symbolic numbers, conditions with subgraphs, effects with tokens, complex numbers,
 * writes in place, an operator that nobody has registered.
 */
#include "family.h"

/* --------------------------------------------------------------- symbolic numbers */

static bool has_symbol(const gen_shape *shape, const void *context) {
    (void)context;
    return shape->rank > 0 && shape->dims[0].a != 0;
}

static bool make_sym(generator *g, gen_draft *d, gen_dim made) {
    d->made = made;
    d->expr = gen_expr(g, made);
    return true;
}

bool gen_SYM_SIZE(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_take(g, d, has_symbol, NULL);
    return x != NULL && make_sym(g, d, x->shape.dims[0]);
}

/* A symbolic integer that there is. */
static bool take_sym(generator *g, gen_draft *d) {
    size_t count = g->sym_count < GEN_SYMS ? g->sym_count : GEN_SYMS;
    TRY(count > 0);
    const gen_sym *sym = &g->syms[random_below(&g->random, count)];
    d->sym = sym->value;
    d->made = sym->dim;
    return true;
}

bool gen_SYM_ADD(generator *g, gen_draft *d) {
    TRY(take_sym(g, d));
    d->n = 1 + (int64_t)random_below(&g->random, 3);
    return make_sym(g, d, (gen_dim){d->made.a, d->made.b + d->n, d->made.symbol});
}

bool gen_SYM_MUL(generator *g, gen_draft *d) {
    TRY(take_sym(g, d) && d->made.a < 4);
    d->n = 2;
    return make_sym(g, d, gen_dim_times(d->made, d->n));
}

/* That a symbolic integer is not below nought, which a later node asserts. */
bool gen_SYM_GE(generator *g, gen_draft *d) {
    ep_builder *b = g->builder;
    TRY(g->options.version >= ep_version_find("5.1") && take_sym(g, d));
    d->expr = ep_expr_apply(b, EP_SYM_GE, gen_expr(g, d->made), ep_expr_int(b, 0));
    d->kept = &g->truth;
    return true;
}

bool gen_ASSERT(generator *g, gen_draft *d) {
    d->sym = g->truth;
    g->truth = NULL;
    return d->sym != NULL;
}

/* A symbolic integer as a float, which a later node multiplies a tensor by. */
bool gen_SYM_FLOAT(generator *g, gen_draft *d) {
    ep_builder *b = g->builder;
    TRY(ep_builder_has(b, "Argument", "as_sym_float") && take_sym(g, d));
    d->expr = ep_expr_apply(b, EP_SYM_TO_FLOAT, gen_expr(g, d->made), NULL);
    d->kept = &g->real;
    return true;
}

bool gen_TIMES_SYM(generator *g, gen_draft *d) {
    TRY(g->real != NULL && gen_MAP(g, d));
    d->sym = g->real;
    g->real = NULL;
    return true;
}

/* ---------------------------------------------------------------------- subgraphs */

static bool is_condition(const gen_shape *shape, const void *context) {
    (void)context;
    return shape->dtype == GEN_BOOL && shape->rank == 0;
}

/* In the first release cond returns what its subgraphs do: a tensor by itself. */
bool gen_COND(generator *g, gen_draft *d) {
    bool old = !ep_builder_has(g->builder, "GraphSignature", "input_specs");
    gen_tensor *predicate = gen_pick(g, is_condition, NULL);
    TRY(predicate != NULL && gen_MAP(g, d));
    d->first = predicate;
    d->item = true;
    d->returns = old ? EP_RETURNS_TENSOR : EP_RETURNS_TUPLE;
    return true;
}

/* A subgraph with hints for a compiler, which are a dict of arguments. */
bool gen_HINTS(generator *g, gen_draft *d) {
    d->returns = EP_RETURNS_TENSOR;
    return g->options.version >= ep_version_find("8.17") && gen_MAP(g, d);
}

/* ------------------------------------------------------------------------- others */

/* Something done between the token before and the one after. */
bool gen_EFFECT(generator *g, gen_draft *d) {
    d->effect = true;
    d->returns = EP_RETURNS_TUPLE;
    return g->token != NULL && g->options.version >= ep_version_find("7.3");
}

bool gen_COMPLEX(generator *g, gen_draft *d) {
    return ep_builder_has(g->builder, "Argument", "as_complex") && gen_MAP(g, d);
}

/* A buffer is written to, where the verifier lets that be. */
bool gen_PLACE(generator *g, gen_draft *d) {
    for (size_t i = 0; i < g->weight_count && !g->functional; i++) {
        gen_weight *w = &g->weights[i];
        if (w->kind == EP_INPUT_BUFFER || w->kind == EP_INPUT_BUFFER_NOT_PERSISTENT) {
            d->operands[d->operand_count++] = &w->tensor;
            return gen_result(d, w->tensor.shape);
        }
    }
    return false;
}

/* What the operators of PyTorch do not take. */
bool gen_ZOO(generator *g, gen_draft *d) {
    return !g->options.plain && gen_MAP(g, d);
}
