/*
 * shape.c - sizes and strides of the tensors that a generator has made,
 * each linear in one symbol.
 */
#include "gen.h"

/* The elements of a tensor that are let be, at the sizes of the example. */
enum { ELEMENTS_MAX = 20000, HINT = 8 };

bool gen_dim_equal(gen_dim x, gen_dim y) {
    return x.a == y.a && x.b == y.b && (x.a == 0 || x.symbol == y.symbol);
}

gen_dim gen_dim_times(gen_dim x, int64_t factor) {
    return (gen_dim){x.a * factor, x.b * factor, x.symbol};
}

bool gen_dim_product(gen_dim x, gen_dim y, gen_dim *product) {
    if (x.a != 0 && y.a != 0) {
        return false;
    }
    *product = x.a != 0 ? gen_dim_times(x, y.b) : gen_dim_times(y, x.b);
    return true;
}

bool gen_shape_lay_out(gen_shape *shape) {
    gen_dim stride = gen_constant(1);
    shape->offset = gen_constant(0);
    for (size_t i = shape->rank; i-- > 0;) {
        shape->strides[i] = stride;
        if (i > 0 && !gen_dim_product(stride, shape->dims[i], &stride)) {
            return false;
        }
    }
    return true;
}

bool gen_shape_equal(const gen_shape *x, const gen_shape *y) {
    TRY(x->dtype == y->dtype && x->rank == y->rank);
    for (size_t i = 0; i < x->rank; i++) {
        TRY(gen_dim_equal(x->dims[i], y->dims[i]));
    }
    return true;
}

bool gen_shape_contiguous(const gen_shape *shape) {
    gen_shape laid = *shape;
    TRY(gen_shape_lay_out(&laid));
    for (size_t i = 0; i < shape->rank; i++) {
        TRY(gen_dim_equal(shape->strides[i], laid.strides[i]));
    }
    return true;
}

void gen_shape_drop(gen_shape *shape, size_t dim) {
    for (size_t i = dim; i + 1 < shape->rank; i++) {
        shape->dims[i] = shape->dims[i + 1];
        shape->strides[i] = shape->strides[i + 1];
    }
    shape->rank--;
}

static int64_t example(gen_dim dim) {
    return dim.a * HINT + dim.b;
}

bool gen_shape_plain(const gen_shape *shape) {
    int64_t least = 1;
    for (size_t i = shape->rank; i-- > 0;) {
        int64_t stride = example(shape->strides[i]);
        TRY(stride >= least);
        least = stride;
    }
    return true;
}

bool gen_shape_small(const gen_shape *shape) {
    int64_t elements = 1;
    for (size_t i = 0; i < shape->rank; i++) {
        elements *= example(shape->dims[i]);
        TRY(shape->dims[i].a <= 8 && elements <= ELEMENTS_MAX);
    }
    return true;
}
