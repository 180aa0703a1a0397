/*
 * family.c - families of operators on tensors: element by element, along a dimension,
 * products, lookups, other shapes of a tensor, several of them as one.
 */
#include "family.h"

#include <string.h>

static const char letters[] = "FDIBC"; /* of gen_dtype, in its order */

static gen_dtype dtype_of(const char *letter, gen_dtype other) {
    return letter == NULL ? other : (gen_dtype)(strchr(letters, *letter) - letters);
}

/* --------------------------------------------------------------------- operands */

typedef struct wish {
    const char *in;
    size_t rank;
    const gen_shape *like; /* of these sizes; NULL: any */
} wish;

static bool is_wanted(const gen_shape *shape, const void *context) {
    const wish *w = context;
    return strchr(w->in, letters[shape->dtype]) != NULL && shape->rank >= w->rank &&
           (w->like == NULL || gen_shape_equal(shape, w->like));
}

gen_tensor *gen_take(generator *g, gen_draft *d, gen_wanted *wanted, const void *context) {
    gen_tensor *tensor = gen_pick(g, wanted, context);
    if (tensor != NULL) {
        d->operands[d->operand_count++] = tensor;
    }
    return tensor;
}

gen_tensor *gen_operand(generator *g, gen_draft *d, size_t rank) {
    wish w = {d->in, rank, NULL};
    return gen_take(g, d, is_wanted, &w);
}

/* Another one of the dtype of the first, of the same sizes. */
static bool take_alike(generator *g, gen_draft *d, const gen_shape *like) {
    const char dtype[] = {letters[d->operands[0]->shape.dtype], '\0'};
    wish w = {dtype, 0, like};
    return gen_take(g, d, is_wanted, &w) != NULL;
}

bool gen_result(gen_draft *d, gen_shape shape) {
    gen_dim strides[GEN_RANK_MAX];
    d->results[d->result_count++] = shape;
    return gen_shape_strides(&shape, strides) && gen_shape_small(&shape);
}

static gen_shape result_shape(const gen_draft *d) {
    gen_shape shape = d->operands[0]->shape;
    shape.dtype = dtype_of(d->out, shape.dtype);
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
    gen_shape like = x->shape;
    if (like.rank > 1 && random_one_in(&g->random, 3)) {
        like.rank = 1;
        like.dims[0] = x->shape.dims[x->shape.rank - 1];
    }
    if (!take_alike(g, d, &like)) {
        d->operands[d->operand_count++] = d->operands[0];
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

/* Two or three of one shape. */
bool gen_CAT(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    TRY(x != NULL);
    for (size_t left = 1 + random_below(&g->random, 2); left > 0; left--) {
        TRY(take_alike(g, d, &x->shape));
    }
    gen_shape shape = result_shape(d);
    d->dim = random_below(&g->random, shape.rank);
    shape.dims[d->dim] = gen_dim_times(shape.dims[d->dim], (int64_t)d->operand_count);
    return gen_result(d, shape);
}

/* An operand, and a dimension of it whose size is a number, which is then the draft's; NULL
 * if there is none. */
static const gen_tensor *take_numbered(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    for (size_t left = x == NULL ? 0 : x->shape.rank; left > 0; left--) {
        d->dim = random_below(&g->random, x->shape.rank);
        if (x->shape.dims[d->dim].a == 0) {
            return x;
        }
    }
    return NULL;
}

bool gen_SLICE(generator *g, gen_draft *d) {
    const gen_tensor *x = take_numbered(g, d);
    TRY(x != NULL);
    gen_shape shape = x->shape;
    int64_t size = shape.dims[d->dim].b;
    d->n = (int64_t)random_below(&g->random, (size_t)size);
    d->m = random_one_in(&g->random, 2)
               ? INT64_MAX
               : d->n + 1 + (int64_t)random_below(&g->random, (size_t)(size - d->n));
    shape.dims[d->dim] = gen_constant((d->m < size ? d->m : size) - d->n);
    return gen_result(d, shape);
}

/* Two parts, as a list. */
bool gen_SPLIT(generator *g, gen_draft *d) {
    const gen_tensor *x = take_numbered(g, d);
    TRY(x != NULL && x->shape.dims[d->dim].b >= 2);
    gen_shape part = x->shape;
    int64_t size = part.dims[d->dim].b;
    d->n = (size + 1) / 2;
    d->as_list = true;
    part.dims[d->dim] = gen_constant(d->n);
    TRY(gen_result(d, part));
    part.dims[d->dim] = gen_constant(size - d->n);
    return gen_result(d, part);
}

/* ----------------------------------------------------------------------- shapes */

bool gen_UNSQUEEZE(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 0);
    TRY(x != NULL && x->shape.rank < GEN_RANK_MAX);
    gen_shape shape = x->shape;
    d->dim = random_below(&g->random, shape.rank + 1);
    for (size_t i = shape.rank++; i > d->dim; i--) {
        shape.dims[i] = shape.dims[i - 1];
    }
    shape.dims[d->dim] = gen_constant(1);
    return gen_result(d, shape);
}

bool gen_PERMUTE(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 2);
    TRY(x != NULL);
    gen_shape shape = x->shape;
    size_t shift = 1 + random_below(&g->random, shape.rank - 1);
    for (size_t i = 0; i < shape.rank; i++) {
        d->list[i] = (int64_t)((i + shift) % shape.rank);
        shape.dims[i] = x->shape.dims[d->list[i]];
    }
    d->list_count = shape.rank;
    return gen_result(d, shape);
}

/* The first two dimensions as one. */
bool gen_FLATTEN(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 2);
    TRY(x != NULL);
    gen_shape shape = x->shape;
    TRY(gen_dim_product(shape.dims[0], shape.dims[1], &shape.dims[1]));
    gen_shape_drop(&shape, 0);
    return gen_result(d, shape);
}

/* ------------------------------------------------------------------------ products */

/* A parameter of a rank whose last dimension is a number. */
static gen_tensor *take_weight(generator *g, gen_draft *d, size_t rank, int64_t last) {
    for (size_t i = 0; i < g->weight_count; i++) {
        gen_tensor *w = &g->weights[(i + g->nodes) % g->weight_count].tensor;
        const gen_shape *shape = &w->shape;
        if (shape->dtype == GEN_FLOAT && shape->rank == rank && shape->dims[rank - 1].b == last) {
            return d->operands[d->operand_count++] = w;
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
    return shape->rank == 1 && shape->limit > 0 && shape->limit <= *size;
}

/* x[:, index], where that dimension is a number. */
bool gen_INDEX(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 2);
    TRY(x != NULL && x->shape.dims[1].a == 0);
    const gen_tensor *index = gen_take(g, d, is_index, &x->shape.dims[1].b);
    TRY(index != NULL);
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
    gen_shape shape = {.dtype = dtype_of(d->out, GEN_FLOAT)};
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
