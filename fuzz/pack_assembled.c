/*
 * pack_assembled.c - what holds of an archive that is made of a program and a file of
 * safetensors, which are those of an archive that is whole.
 */
#include "archive/make/assemble.h"
#include "archive/state/safetensors.h"
#include "archive/state/tensorfile.h"
#include "common/memory.h"
#include "state_laws.h"

#include <stdlib.h>
#include <string.h>

enum { MADE_LIMIT = 4 * STATE_LIMIT };

/* ---------------------------------------------------------------------------- safetensors */

/* What has to be in the file: the state that the signature names. */
static bool is_state(const tensor_row *row) {
    return row->part != TENSOR_INPUTS && row->role != TENSOR_UNNAMED;
}

/* Whether every tensor of the state can be read, and all of them are few bytes. */
static bool can_be_taken(const state *s) {
    uint64_t left = STATE_ELEMENTS_ALL;
    for (size_t i = 0; i < s->list.row_count; i++) {
        const tensor_row *row = &s->list.rows[i];
        if (!is_state(row)) {
            continue;
        }
        TRY(elements_fault(&s->list, row) == NULL && state_size(&s->list, row) <= left &&
            state_can_be_had(s, row));
        left -= state_size(&s->list, row);
    }
    return s->list.program_count == 1 && !s->list.programs[0].has_constants;
}

/* False: safetensors cannot say it. */
static bool put_safetensors(const state *s, test_text *to) {
    failure what = {0};
    size_t *rows = calloc(s->list.row_count + 1, sizeof *rows);
    tensorfile f = {.archive = &s->archive,
                    .tensors = &s->list,
                    .form = TENSORFILE_SAFETENSORS,
                    .limit = STATE_LIMIT,
                    .rows = rows};
    FUZZ_PROPERTY(rows != NULL, "room");
    for (size_t i = 0; i < s->list.row_count; i++) {
        if (is_state(&s->list.rows[i])) {
            rows[f.count++] = i;
        }
    }
    bool ok = tensorfile_plan(&f, &what) && tensorfile_verify(&f, &what);
    if (ok) {
        bool written = tensorfile_write(&f, state_keep, to, &what);
        FUZZ_PROPERTY_OF(written, "safetensors-written", &what.error);
    }
    tensorfile_free(&f);
    free(rows);
    return ok;
}

/* ------------------------------------------------------------------------------- making */

/* Makes an archive of a program and of safetensors; false: it is refused, and says why. */
static bool assemble_parts(ep_bytes program, ep_bytes file, test_text *to) {
    fuzz_work work;
    io_data data;
    given parts;
    assembly plan;
    failure what = {0};
    assembly_wish wish = {.text = program,
                          .state = &parts,
                          .inputs = {"", 0},
                          .root = bytes_of("model/"),
                          .limit = MADE_LIMIT};
    fuzz_begin(&work);
    io_view(file, &data);
    bool ok = safetensors_open(&data, MADE_LIMIT, &parts, &what);
    FUZZ_PROPERTY_OF(ok, "safetensors-open", &what.error);
    ok = ep_decode(&work.arena, program, NULL, &wish.program, &work.error);
    FUZZ_PROPERTY_OF(ok, "program", &work.error);
    ok = assemble(&wish, &plan, &what);
    FUZZ_PROPERTY_OF(ok || (what.reason != NULL) != (what.error.code != EP_OK), "told",
                     &what.error);
    if (ok) {
        bool written = assembly_write(&plan, state_keep, to, &what);
        FUZZ_PROPERTY_OF(written, "assembly-written", &what.error);
    }
    assembly_free(&plan);
    given_free(&parts);
    fuzz_end(&work);
    return ok;
}

/* The same from an archive. */
static bool assemble_archive(const state *s, test_text *to) {
    zip_content program;
    test_text file = {0};
    bool ok = can_be_taken(s) && put_safetensors(s, &file);
    if (ok) {
        bool there = zip_reader_unpack(state_entry(s, s->archive.program), STATE_LIMIT, &program);
        FUZZ_PROPERTY(there, "program-text");
        ok = assemble_parts(program.bytes, test_text_exact(&file), to);
        zip_content_free(&program);
    }
    test_text_free(&file);
    return ok;
}

/* -------------------------------------------------------------------------------- laws */

static const tensor_row *find_row(const state *s, ep_bytes name) {
    for (size_t i = 0; i < s->list.row_count; i++) {
        const tensor_row *row = &s->list.rows[i];
        if (is_state(row) && fuzz_same(tensors_text(&s->list, row->name), name)) {
            return row;
        }
    }
    return NULL;
}

static void law_of_elements(const state *a, const tensor_row *one, const state *b,
                            const tensor_row *other) {
    test_text texts[2] = {{0}, {0}};
    bool ok = state_gather(a, one, &texts[0]);
    FUZZ_PROPERTY(ok == state_gather(b, other, &texts[1]), "gathered");
    FUZZ_SAME(test_text_bytes(&texts[0]), test_text_bytes(&texts[1]), "assembled-elements");
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
}

static void law_of_tensors(const state *a, const state *b) {
    for (size_t i = 0; i < a->list.row_count; i++) {
        const tensor_row *one = &a->list.rows[i];
        if (!is_state(one)) {
            continue;
        }
        const tensor_row *other = find_row(b, tensors_text(&a->list, one->name));
        FUZZ_PROPERTY(other != NULL, "assembled-name");
        FUZZ_PROPERTY(one->dtype == other->dtype && one->rank == other->rank, "assembled-type");
        bool same = one->rank == 0 || memcmp(tensors_numbers(&a->list, one->sizes),
                                             tensors_numbers(&b->list, other->sizes),
                                             one->rank * sizeof(int64_t)) == 0;
        FUZZ_PROPERTY(same, "assembled-sizes");
        FUZZ_PROPERTY(one->role == other->role, "assembled-role");
        law_of_elements(a, one, b, other);
    }
}

static void laws_of_product(const state *s, ep_bytes made) {
    state product;
    test_text again = {0};
    FUZZ_PROPERTY(state_open(&product, made), "assembled-opens");
    state_verdict v = state_judge(&product.archive, false);
    FUZZ_PROPERTY_OF(v.whole, "assembled-whole", &v.what.error);
    law_of_tensors(s, &product);
    FUZZ_PROPERTY(assemble_archive(&product, &again), "assembles-again");
    FUZZ_SAME(made, test_text_bytes(&again), "again");
    test_text_free(&again);
    state_close(&product);
}

void laws_of_assembling(const state *s) {
    test_text made = {0};
    if (assemble_archive(s, &made)) {
        laws_of_product(s, test_text_exact(&made));
    }
    test_text_free(&made);
}
