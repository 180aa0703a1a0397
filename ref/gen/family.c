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

/* The other operand may be of the last dimension alone. */
bool gen_ZIP(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 0);
    TRY(x != NULL);
    const char dtype[] = {letters[x->shape.dtype], '\0'};
    gen_shape like = x->shape;
    if (like.rank > 1 && random_one_in(&g->random, 3)) {
        like.rank = 1;
        like.dims[0] = x->shape.dims[x->shape.rank - 1];
    }
    if (take_alike(g, d, &like, dtype) == NULL) {
        gen_take(d, d->operands[0]);
    }
    return gen_result(d, result_shape(d));
}

/* --------------------------------------------------------------- along a dimension */

bool gen_REDUCE(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    TRY(x != NULL);
    d->dim = random_below(&g->random, x->shape.rank);
    d->keep = random_one_in(&g->random, 2);
    gen_shape shape = result_shape(d);
    if (d->keep) {
        shape.dims[d->dim] = gen_constant(1);
    } else {
        gen_shape_drop(&shape, d->dim);
    }
    return gen_result(d, shape);
}

/* Values, and something beside them. */
bool gen_REDUCE2(generator *g, gen_draft *d) {
    TRY(gen_REDUCE(g, d));
    d->results[1] = d->results[0];
    d->result_count = 2;
    d->results[0].dtype = d->operands[0]->shape.dtype;
    return true;
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

bool gen_LINEAR(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 2);
    TRY(x != NULL && x->shape.dims[x->shape.rank - 1].a == 0 &&
        take_weight(g, d, 2, x->shape.dims[x->shape.rank - 1].b) != NULL);
    gen_shape shape = result_shape(d);
    gen_dim rows = d->operands[1]->shape.dims[0];
    shape.dims[shape.rank - 1] = rows;
    return take_weight(g, d, 1, rows.b) != NULL && gen_result(d, shape);
}

/* ------------------------------------------------------------------------ indexing */

static bool is_index(const gen_shape *shape, const void *context) {
    const int64_t *size = context;
    return shape->dtype == GEN_LONG && shape->limit > 0 && shape->limit <= *size &&
           gen_shape_plain(shape);
}

/* x[:, index], where that dimension is a number. */
bool gen_INDEX(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 2);
    TRY(x != NULL && x->shape.dims[1].a == 0);
    gen_tensor *index = gen_pick(g, is_index, &x->shape.dims[1].b);
    TRY(index != NULL && index->shape.rank == 1);
    gen_take(d, index);
    gen_shape shape = result_shape(d);
    shape.dims[1] = index->shape.dims[0];
    return gen_result(d, shape);
}

/* ------------------------------------------------------------------------- creation */

/* A size is a symbolic integer, the last that was made. */
static void take_last_sym(const generator *g, gen_draft *d, gen_dim *size) {
    const gen_sym *sym = &g->syms[(g->sym_count - 1) % GEN_SYMS];
    *size = sym->dim;
    d->sym = sym->value;
}

bool gen_FULL(generator *g, gen_draft *d) {
    gen_shape shape = {.dtype = gen_dtype_of(d->out, GEN_FLOAT)};
    shape.rank = random_below(&g->random, 3);
    for (size_t i = 0; i < shape.rank; i++) {
        shape.dims[i] = gen_constant((int64_t)(1 + random_below(&g->random, 4)));
    }
    if (g->sym_count > 0 && shape.rank > 0 && random_one_in(&g->random, 2)) {
        take_last_sym(g, d, &shape.dims[0]);
    }
    return gen_result(d, shape);
}

/* From 0 up: indices. */
bool gen_RANGE(generator *g, gen_draft *d) {
    gen_shape shape = {.dtype = GEN_LONG, .rank = 1};
    d->n = (int64_t)(1 + random_below(&g->random, (size_t)g->width));
    shape.dims[0] = gen_constant(d->n);
    shape.limit = d->n;
    if (g->sym_count > 0 && random_one_in(&g->random, 3)) {
        take_last_sym(g, d, &shape.dims[0]);
        shape.limit = 0;
    }
    return gen_result(d, shape);
}
