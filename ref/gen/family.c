/*
 * family.c - families of operators that compute: element by element, along
 * a dimension, products, lookups. Those that only look at a tensor in another
 * way are in view.c.
 */
#include "family.h"

#include <string.h>

static const char letters[] = "FDIBC"; /* of gen_dtype, in its order */

gen_dtype gen_dtype_of(const char *letter, gen_dtype other) {
    return letter == NULL ? other : (gen_dtype)(strchr(letters, *letter) - letters);
}

static bool takes(const char *in, gen_dtype dtype) {
    return strchr(in, letters[dtype]) != NULL;
}

/* --------------------------------------------------------------------- operands */

typedef struct wish {
    const char *in;
    size_t rank;
    const gen_shape *like; /* of these sizes; NULL: any */
} wish;

static bool is_plain(const gen_shape *shape, const void *context) {
    const wish *w = context;
    return takes(w->in, shape->dtype) && shape->rank >= w->rank && gen_shape_plain(shape);
}

static bool is_alike(const gen_shape *shape, const void *context) {
    const wish *w = context;
    gen_shape like = *w->like;
    like.dtype = shape->dtype;
    return takes(w->in, shape->dtype) && gen_shape_equal(shape, &like) && gen_shape_plain(shape);
}

void gen_take(gen_draft *d, gen_tensor *tensor) {
    d->operands[d->operand_count++] = tensor;
}

gen_tensor *gen_operand(generator *g, gen_draft *d, size_t rank) {
    wish w = {d->in, rank, NULL};
    gen_tensor *tensor = gen_pick(g, is_plain, &w);
    if (tensor != NULL) {
        gen_take(d, tensor);
    }
    return tensor;
}

/* Another one of the same sizes, of one of these dtypes. */
static gen_tensor *take_alike(generator *g, gen_draft *d, const gen_shape *like,
                              const char *dtypes) {
    wish w = {dtypes, 0, like};
    gen_tensor *tensor = gen_pick(g, is_alike, &w);
    if (tensor != NULL) {
        gen_take(d, tensor);
    }
    return tensor;
}

bool gen_result(gen_draft *d, gen_shape shape) {
    d->results[d->result_count++] = shape;
    return gen_shape_lay_out(&d->results[d->result_count - 1]) && gen_shape_small(&shape);
}

static gen_shape result_shape(const gen_draft *d) {
    gen_shape shape = d->operands[0]->shape;
    shape.dtype = gen_dtype_of(d->out, shape.dtype);
    shape.limit = 0;
    return shape;
}

/* ------------------------------------------------------------ element by element */

bool gen_MAP(generator *g, gen_draft *d) {
    return gen_operand(g, d, 0) != NULL && gen_result(d, result_shape(d));
}

bool gen_ALONG(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    TRY(x != NULL);
    d->dim = gen_below(&g->random, x->shape.rank);
    d->list[0] = 1;
    d->list_count = 1;
    return gen_result(d, result_shape(d));
}

/* The other operand may be of the last dimension alone. */
bool gen_ZIP(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 0);
    TRY(x != NULL);
    const char dtype[] = {letters[x->shape.dtype], '\0'};
    gen_shape like = x->shape;
    if (like.rank > 1 && gen_once_in(&g->random, 3)) {
        like.rank = 1;
        like.dims[0] = x->shape.dims[x->shape.rank - 1];
    }
    if (take_alike(g, d, &like, dtype) == NULL) {
        gen_take(d, d->operands[0]);
    }
    return gen_result(d, result_shape(d));
}

/* Operand 2 is a mask of the same sizes. */
bool gen_CHOOSE(generator *g, gen_draft *d) {
    TRY(gen_ZIP(g, d) && gen_shape_equal(&d->operands[0]->shape, &d->operands[1]->shape));
    return take_alike(g, d, &d->operands[0]->shape, "B") != NULL;
}

bool gen_CLONE(generator *g, gen_draft *d) {
    d->in = "FDIB";
    wish w = {d->in, 0, NULL};
    gen_tensor *x = NULL;
    for (size_t i = 0; i < g->recent_count && i < GEN_RECENT && x == NULL; i++) {
        gen_tensor *each = &g->recent[i];
        bool odd = each->value != NULL && !gen_shape_plain(&each->shape);
        x = odd && takes(w.in, each->shape.dtype) ? each : NULL;
    }
    if (x == NULL) {
        return gen_MAP(g, d);
    }
    gen_take(d, x);
    return gen_result(d, result_shape(d));
}

static bool is_contiguous(const gen_shape *shape, const void *context) {
    return is_plain(shape, context) && gen_shape_contiguous(shape);
}

/* What is filled keeps the layout of what it is like. */
bool gen_LIKE(generator *g, gen_draft *d) {
    wish w = {d->in, 0, NULL};
    gen_tensor *x = gen_pick(g, is_contiguous, &w);
    TRY(x != NULL);
    gen_take(d, x);
    return gen_result(d, result_shape(d));
}

/* --------------------------------------------------------------- along a dimension */

static gen_shape reduced(const gen_draft *d) {
    gen_shape shape = result_shape(d);
    if (d->keep) {
        shape.dims[d->dim] = gen_constant(1);
        return shape;
    }
    gen_shape_drop(&shape, d->dim);
    return shape;
}

/* Indices along a dimension are below its size. */
static int64_t limit_of(const gen_draft *d) {
    gen_dim dim = d->operands[0]->shape.dims[d->dim];
    return d->out != NULL && *d->out == 'I' && dim.a == 0 ? dim.b : 0;
}

bool gen_REDUCE(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    TRY(x != NULL);
    d->dim = gen_below(&g->random, x->shape.rank);
    d->keep = gen_once_in(&g->random, 2);
    gen_shape shape = reduced(d);
    shape.limit = limit_of(d);
    return gen_result(d, shape);
}

/* Values, and something beside them. */
bool gen_REDUCE2(generator *g, gen_draft *d) {
    TRY(gen_REDUCE(g, d));
    d->results[1] = d->results[0];
    d->result_count = 2;
    d->results[0].dtype = d->operands[0]->shape.dtype;
    d->results[0].limit = 0;
    return true;
}

bool gen_FOLD(generator *g, gen_draft *d) {
    if (gen_operand(g, d, 1) == NULL) {
        return false;
    }
    gen_shape shape = result_shape(d);
    shape.rank = 0;
    return gen_result(d, shape);
}

/* Along the last dimension, which is a number. */
static bool last_is_number(const gen_tensor *x) {
    return x != NULL && x->shape.dims[x->shape.rank - 1].a == 0;
}

static bool values_and_indices(gen_draft *d, gen_dim last) {
    gen_shape shape = result_shape(d);
    d->dim = shape.rank - 1;
    shape.dims[d->dim] = last;
    shape.dtype = d->operands[0]->shape.dtype;
    TRY(gen_result(d, shape));
    shape.dtype = GEN_LONG;
    shape.limit = limit_of(d);
    return gen_result(d, shape);
}

bool gen_TOPK(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    TRY(last_is_number(x));
    size_t most = (size_t)x->shape.dims[x->shape.rank - 1].b;
    d->n = (int64_t)(1 + gen_below(&g->random, most));
    return values_and_indices(d, gen_constant(d->n));
}

bool gen_SORT(generator *g, gen_draft *d) {
    wish w = {d->in, 1, NULL};
    gen_tensor *x = gen_pick(g, is_contiguous, &w);
    TRY(last_is_number(x));
    gen_take(d, x);
    return values_and_indices(d, x->shape.dims[x->shape.rank - 1]);
}

/* ------------------------------------------------------------------------ products */

/* A parameter of a rank whose last dimension is a number. */
static gen_tensor *take_weight(generator *g, gen_draft *d, size_t rank, int64_t last) {
    for (size_t i = 0; i < g->weight_count; i++) {
        gen_tensor *w = &g->weights[(i + g->nodes) % g->weight_count].tensor;
        const gen_shape *shape = &w->shape;
        if (shape->dtype == GEN_FLOAT && shape->rank == rank && shape->dims[rank - 1].b == last) {
            gen_take(d, w);
            return w;
        }
    }
    return NULL;
}

/* An operand whose last dimension is a number. */
static gen_tensor *take_rows(generator *g, gen_draft *d, size_t rank) {
    gen_tensor *x = gen_operand(g, d, rank);
    return last_is_number(x) ? x : NULL;
}

bool gen_MATMUL(generator *g, gen_draft *d) {
    const gen_tensor *x = take_rows(g, d, 2);
    TRY(x != NULL && x->shape.rank == 2 && take_weight(g, d, 2, x->shape.dims[1].b) != NULL);
    const gen_shape *weight = &d->operands[1]->shape;
    gen_shape shape = result_shape(d);
    shape.dims[1] = weight->dims[1];
    return weight->dims[0].b == x->shape.dims[1].b && gen_result(d, shape);
}

bool gen_LINEAR(generator *g, gen_draft *d) {
    const gen_tensor *x = take_rows(g, d, 2);
    TRY(x != NULL && take_weight(g, d, 2, x->shape.dims[x->shape.rank - 1].b) != NULL);
    gen_shape shape = result_shape(d);
    gen_dim rows = d->operands[1]->shape.dims[0];
    shape.dims[shape.rank - 1] = rows;
    return take_weight(g, d, 1, rows.b) != NULL && gen_result(d, shape);
}

bool gen_NORM(generator *g, gen_draft *d) {
    const gen_tensor *x = take_rows(g, d, 2);
    TRY(x != NULL);
    gen_shape shape = result_shape(d);
    size_t last = shape.rank - 1;
    d->list[0] = shape.dims[last].b;
    d->list_count = 1;
    TRY(take_weight(g, d, 1, d->list[0]) != NULL && gen_result(d, shape));
    shape.dims[last] = gen_constant(1);
    return gen_result(d, shape) && gen_result(d, shape);
}

/* ------------------------------------------------------------------------- lookups */

static bool is_index(const gen_shape *shape, const void *context) {
    const int64_t *size = context;
    return shape->dtype == GEN_LONG && shape->limit > 0 && shape->limit <= *size &&
           gen_shape_plain(shape);
}

bool gen_EMBED(generator *g, gen_draft *d) {
    int64_t rows = g->width;
    gen_tensor *indices = gen_pick(g, is_index, &rows);
    TRY(indices != NULL && indices->shape.rank < GEN_RANK_MAX);
    gen_take(d, indices);
    const gen_tensor *weight = take_weight(g, d, 2, g->width);
    TRY(weight != NULL && weight->shape.dims[0].b >= rows);
    gen_shape shape = result_shape(d);
    shape.dims[shape.rank++] = weight->shape.dims[1];
    return gen_result(d, shape);
}

/* Of what has a dimension that is a number, and an index of one dimension into
 * that. */
static bool take_index(generator *g, gen_draft *d, size_t dim) {
    const gen_shape *x = &d->operands[0]->shape;
    gen_tensor *index = x->dims[dim].a == 0 ? gen_pick(g, is_index, &x->dims[dim].b) : NULL;
    TRY(index != NULL && index->shape.rank == 1);
    gen_take(d, index);
    gen_shape shape = result_shape(d);
    shape.dims[dim] = index->shape.dims[0];
    d->dim = dim;
    return gen_result(d, shape);
}

bool gen_SELECT(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    return x != NULL && take_index(g, d, gen_below(&g->random, x->shape.rank));
}

/* x[:, index] */
bool gen_INDEX(generator *g, gen_draft *d) {
    return gen_operand(g, d, 2) != NULL && take_index(g, d, 1);
}

/* ------------------------------------------------------------------------- creation */

bool gen_FULL(generator *g, gen_draft *d) {
    gen_shape shape = {.dtype = gen_dtype_of(d->out, GEN_FLOAT)};
    shape.rank = gen_below(&g->random, 3);
    for (size_t i = 0; i < shape.rank; i++) {
        shape.dims[i] = gen_constant((int64_t)(1 + gen_below(&g->random, 4)));
    }
    bool symbolic = g->sym_count > 0 && shape.rank > 0 && gen_once_in(&g->random, 2);
    if (symbolic) {
        const gen_sym *sym = &g->syms[(g->sym_count - 1) % GEN_SYMS];
        shape.dims[0] = sym->dim;
        d->sym = sym->value;
    }
    return gen_result(d, shape);
}

/* From 0 up: indices. */
bool gen_RANGE(generator *g, gen_draft *d) {
    gen_shape shape = {.dtype = GEN_LONG, .rank = 1};
    d->n = (int64_t)(1 + gen_below(&g->random, (size_t)g->width));
    shape.dims[0] = gen_constant(d->n);
    shape.limit = d->n;
    if (g->sym_count > 0 && gen_once_in(&g->random, 3)) {
        const gen_sym *sym = &g->syms[(g->sym_count - 1) % GEN_SYMS];
        shape.dims[0] = sym->dim;
        shape.limit = 0;
        d->sym = sym->value;
    }
    return gen_result(d, shape);
}
