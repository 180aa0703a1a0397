/*
 * shape.c - sizes of the tensors that a generator has made, each linear in one
 * symbol; all tensors are contiguous.
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

bool gen_shape_strides(const gen_shape *shape, gen_dim *strides) {
    gen_dim stride = gen_constant(1);
    for (size_t i = shape->rank; i-- > 0;) {
        strides[i] = stride;
        TRY(i == 0 || gen_dim_product(stride, shape->dims[i], &stride));
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

void gen_shape_drop(gen_shape *shape, size_t dim) {
    shape->rank--;
    for (size_t i = dim; i < shape->rank; i++) {
        shape->dims[i] = shape->dims[i + 1];
    }
}

bool gen_shape_small(const gen_shape *shape) {
    int64_t elements = 1;
    for (size_t i = 0; i < shape->rank; i++) {
        elements *= shape->dims[i].a * HINT + shape->dims[i].b;
        TRY(shape->dims[i].a <= 8 && elements <= ELEMENTS_MAX);
    }
    return true;
}
