/*
 * state_repacked.c - what holds of a whole archive that is made again at its own version:
 * it is whole again, with the same tensors.
 */
#include "archive/make/repack.h"
#include "state_laws.h"

#include <string.h>

/* ---------------------------------------------------------------------------- same lists */

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

/* ------------------------------------------------------------------------------ elements */

static uint64_t number_of_elements(const state *s, const tensor_row *row) {
    test_text gathered = {0};
    bool there = row->form == TENSOR_STRIDED && elements_fault(&s->list, row) == NULL &&
                 state_size(&s->list, row) <= STATE_ELEMENTS && state_gather(s, row, &gathered);
    uint64_t number = there ? fuzz_hash(test_text_bytes(&gathered)) : 0;
    test_text_free(&gathered);
    return number;
}

/* The list without sample inputs, for which early layouts have no place. SPEC 7.7.4 */
static size_t rows_of_state(const state *s) {
    size_t count = s->list.row_count;
    while (s->list.program_count == 1 && count > 0 &&
           s->list.rows[count - 1].part == TENSOR_INPUTS) {
        count--;
    }
    return count;
}

static void law_of_same_state(const state *s, const state *b) {
    state without = *s;
    const state *a = &without;
    if (b->list.row_count == rows_of_state(b)) {
        without.list.row_count = rows_of_state(s);
    }
    FUZZ_PROPERTY(state_same_list(a, b), "repacked-list");
    for (size_t i = 0; i < a->list.row_count && i < 64; i++) {
        FUZZ_PROPERTY(number_of_elements(a, &a->list.rows[i]) ==
                          number_of_elements(b, &b->list.rows[i]),
                      "repacked-elements");
    }
}

static void law_of_new(const state *s, ep_bytes made) {
    state again;
    FUZZ_PROPERTY(state_open(&again, made), "repacked-opens");
    state_verdict v = state_judge(&again.archive, false);
    FUZZ_PROPERTY_OF(v.whole, "repacked-whole", &v.what.error);
    law_of_same_state(s, &again);
    state_close(&again);
}

/* ------------------------------------------------------------------------------- making */

static bool version_of(const zip_content *program, const ep_version **version) {
    fuzz_work work;
    const ep_program *decoded;
    fuzz_begin(&work);
    bool ok = ep_decode(&work.arena, program->bytes, NULL, &decoded, &work.error);
    *version = ok ? ep_program_version(decoded) : NULL;
    fuzz_end(&work);
    return ok;
}

void laws_of_repacking(const state *s) {
    failure what = {0};
    repacked product;
    zip_content program;
    test_text made = {0};
    constants none = {.count = 0};
    repack_wish wish = {.constants = &none, .limit = 4 * STATE_LIMIT};
    bool ok = zip_reader_unpack(state_entry(s, s->archive.program), STATE_LIMIT, &program) &&
              version_of(&program, &wish.version);
    FUZZ_PROPERTY(ok, "repack-program");
    wish.program = program.bytes;
    ok = archive_repack(&s->archive, &wish, &product, &what);
    FUZZ_PROPERTY_OF(ok == (what.error.code == EP_OK), "repack-told", &what.error);
    FUZZ_PROPERTY_OF(ok || what.error.code == EP_MIGRATE_ARCHIVE ||
                         what.error.code == EP_LIMIT_BYTES || what.error.code == EP_ARCHIVE_MEMBER,
                     "repack-why", &what.error);
    if (ok) {
        ok = repacked_write(&product, state_keep, &made, &what);
        FUZZ_PROPERTY_OF(ok || what.error.code == EP_ARCHIVE, "repacked-is-written", &what.error);
        if (ok) {
            law_of_new(s, test_text_exact(&made));
        }
    }
    test_text_free(&made);
    repacked_free(&product);
    zip_content_free(&program);
}
