/*
 * view.c - families of operators that look at a tensor in another way, cut
 * it up or put tensors together.
 */
#include "family.h"

/* A view: strides as they are worked out, not those of a contiguous tensor. */
static bool view(gen_draft *d, const gen_shape *shape) {
    d->results[d->result_count++] = *shape;
    return gen_shape_small(shape);
}

static gen_dim sum(gen_dim x, gen_dim y) {
    return (gen_dim){x.a + y.a, x.b + y.b, x.a != 0 ? x.symbol : y.symbol};
}

/* Moves the beginning by so many items of a dimension; false if that cannot be
 * said in one symbol. */
static bool move(gen_shape *shape, size_t dim, int64_t items) {
    gen_dim by = gen_dim_times(shape->strides[dim], items);
    if (by.a != 0 && shape->offset.a != 0 && by.symbol != shape->offset.symbol) {
        return false;
    }
    shape->offset = sum(shape->offset, by);
    return true;
}

/* A new dimension before another. */
static void grow(gen_shape *shape, size_t dim, gen_dim size, gen_dim stride) {
    for (size_t i = shape->rank++; i > dim; i--) {
        shape->dims[i] = shape->dims[i - 1];
        shape->strides[i] = shape->strides[i - 1];
    }
    shape->dims[dim] = size;
    shape->strides[dim] = stride;
}

/* An operand, and a dimension of it whose size is a number; NULL if there is none. */
static const gen_tensor *take_numbered(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    size_t rank = x == NULL ? 0 : x->shape.rank;
    size_t start = x == NULL ? 0 : random_below(&g->random, rank);
    for (size_t i = 0; i < rank; i++) {
        d->dim = (start + i) % rank;
        if (x->shape.dims[d->dim].a == 0) {
            return x;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------------ views */

bool gen_UNSQUEEZE(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 0);
    TRY(x != NULL && x->shape.rank < GEN_RANK_MAX);
    gen_shape shape = x->shape;
    d->dim = random_below(&g->random, shape.rank + 1);
    gen_dim stride = gen_constant(1);
    if (d->dim < shape.rank &&
        !gen_dim_product(shape.dims[d->dim], shape.strides[d->dim], &stride)) {
        return false;
    }
    grow(&shape, d->dim, gen_constant(1), stride);
    return view(d, &shape);
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
    return move(&shape, d->dim, d->n) && view(d, &shape);
}

bool gen_PERMUTE(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 2);
    TRY(x != NULL);
    gen_shape shape = x->shape;
    size_t shift = 1 + random_below(&g->random, shape.rank - 1);
    for (size_t i = 0; i < shape.rank; i++) {
        size_t from = (i + shift) % shape.rank;
        shape.dims[i] = x->shape.dims[from];
        shape.strides[i] = x->shape.strides[from];
        d->list[i] = (int64_t)from;
    }
    d->list_count = shape.rank;
    return view(d, &shape);
}

/* The first two dimensions as one, of what is contiguous. */
bool gen_FLATTEN(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 2);
    TRY(x != NULL && gen_shape_contiguous(&x->shape));
    gen_shape shape = x->shape;
    TRY(gen_dim_product(shape.dims[0], shape.dims[1], &shape.dims[1]));
    gen_shape_drop(&shape, 0);
    return view(d, &shape);
}

/* ---------------------------------------------------------------------- together */

static bool is_equal(const gen_shape *shape, const void *context) {
    return gen_shape_equal(shape, context) && gen_shape_plain(shape);
}

/* Two or three of one shape. */
static bool take_several(generator *g, gen_draft *d) {
    const gen_tensor *x = gen_operand(g, d, 1);
    size_t count = 2 + random_below(&g->random, 2);
    TRY(x != NULL);
    for (size_t i = 1; i < count; i++) {
        gen_take(d, gen_pick(g, is_equal, &x->shape));
    }
    return true;
}

bool gen_CAT(generator *g, gen_draft *d) {
    TRY(take_several(g, d));
    gen_shape shape = d->operands[0]->shape;
    shape.limit = 0;
    d->dim = random_below(&g->random, shape.rank);
    shape.dims[d->dim] = gen_dim_times(shape.dims[d->dim], (int64_t)d->operand_count);
    return gen_result(d, shape);
}

/* ------------------------------------------------------------------------- apart */

/* Two parts along a dimension: as a size for split, and as a list of both. */
bool gen_SPLIT(generator *g, gen_draft *d) {
    const gen_tensor *x = take_numbered(g, d);
    TRY(x != NULL && x->shape.dims[d->dim].b >= 2);
    gen_shape part = x->shape;
    int64_t size = part.dims[d->dim].b;
    d->n = (size + 1) / 2;
    d->list[0] = d->n;
    d->list[1] = size - d->n;
    d->list_count = 2;
    d->as_list = true;
    part.dims[d->dim] = gen_constant(d->n);
    TRY(view(d, &part) && move(&part, d->dim, d->n));
    part.dims[d->dim] = gen_constant(size - d->n);
    return view(d, &part);
}
