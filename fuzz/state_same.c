/*
 * state_same.c - whether two lists of tensors are the same.
 */
#include "state_laws.h"

#include <string.h>

static bool same_text(const state *a, tensor_text one, const state *b, tensor_text other) {
    return fuzz_same(tensors_text(&a->list, one), tensors_text(&b->list, other));
}

static bool same_numbers(const state *a, size_t one, const state *b, size_t other, size_t rank) {
    return rank == 0 || memcmp(a->list.numbers + one, b->list.numbers + other,
                               rank * sizeof *a->list.numbers) == 0;
}

static bool same_storage(const state *a, const tensor_row *one, const state *b,
                         const tensor_row *other) {
    if (one->storage == TENSORS_NONE || other->storage == TENSORS_NONE) {
        return one->storage == other->storage;
    }
    const tensor_storage *x = &a->list.storages[one->storage];
    const tensor_storage *y = &b->list.storages[other->storage];
    return x->size == y->size && x->count == y->count && x->big_endian == y->big_endian &&
           same_text(a, x->key, b, y->key);
}

static bool same_row(const state *a, const tensor_row *one, const state *b,
                     const tensor_row *other) {
    bool said = one->part == other->part && one->role == other->role && one->form == other->form &&
                one->dtype == other->dtype && one->rank == other->rank &&
                one->offset == other->offset && one->requires_grad == other->requires_grad &&
                one->is_parameter == other->is_parameter && one->is_pickled == other->is_pickled &&
                one->is_subclass == other->is_subclass &&
                one->is_conjugate == other->is_conjugate && one->is_negative == other->is_negative;
    return said && same_text(a, one->name, b, other->name) &&
           same_text(a, one->class, b, other->class) &&
           same_text(a, one->device, b, other->device) &&
           same_numbers(a, one->sizes, b, other->sizes, one->rank) &&
           same_numbers(a, one->strides, b, other->strides, one->rank) &&
           same_storage(a, one, b, other);
}

bool state_same_list(const state *a, const state *b) {
    bool same =
        a->list.program_count == b->list.program_count && a->list.row_count == b->list.row_count;
    for (size_t i = 0; same && i < a->list.row_count; i++) {
        same = same_row(a, &a->list.rows[i], b, &b->list.rows[i]);
    }
    return same;
}
