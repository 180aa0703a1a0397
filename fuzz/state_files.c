/*
 * state_files.c - what holds of files of tensors: they are made where the form can hold the
 * tensors and the bytes are sound, and then they are a header, as another reader (given_spelled.h)
 * has it, and the elements that a second reader gathers.
 */
#include "archive/state/tensorfile.h"
#include "given_spelled.h"
#include "state_laws.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------- dtypes */

static const spelled_dtype *names_of(const tensor_row *row) {
    const spelled_dtype *names = spelled_dtype_of(row->dtype->torch);
    FUZZ_PROPERTY(names != NULL, "dtype");
    return names;
}

/* --------------------------------------------------------------------- what can be made */

static bool same_name(const tensors *t, const tensor_row *a, const tensor_row *b) {
    return fuzz_same(tensors_text(t, a->name), tensors_text(t, b->name));
}

static bool is_sound(const state *s, const tensor_row *row) {
    zip_content content;
    const zipfile_member *m = s->list.storages[row->storage].member;
    bool ok = zip_reader_unpack(state_entry(s, m), SIZE_MAX, &content);
    if (ok) {
        zip_content_free(&content);
    }
    return ok;
}

/* Whether a file can be planned. */
static bool fits_form(const state *s, const tensorfile *f) {
    const tensors *t = &s->list;
    bool many = f->form == TENSORFILE_SAFETENSORS;
    for (size_t i = 0; i < f->count; i++) {
        const tensor_row *row = &t->rows[f->rows[i]];
        const spelled_dtype *said = names_of(row);
        const char *name = many ? said->safetensors : said->npy;
        if ((f->form != TENSORFILE_RAW && name == NULL) || !is_sound(s, row) ||
            (many && !fuzz_is_utf8(tensors_text(t, row->name)))) {
            return false;
        }
        for (size_t j = 0; many && j < i; j++) {
            TRY(!same_name(t, row, &t->rows[f->rows[j]]));
        }
    }
    return true;
}

/* ----------------------------------------------------------------------- safetensors */

/* An entry is of one of the rows, with its elements where it says. */
static void law_of_entry(const state *s, const tensorfile *f, const cJSON *item, ep_bytes data) {
    test_text expected = {0};
    const tensor_row *row = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const tensor_row *other = &s->list.rows[f->rows[i]];
        row = bytes_equal(tensors_text(&s->list, other->name), item->string) ? other : row;
    }
    FUZZ_PROPERTY(row != NULL, "header-name");
    FUZZ_PROPERTY(
        spelled_is_typed(item, row->dtype->torch, tensors_numbers(&s->list, row->sizes), row->rank),
        "header-type");
    FUZZ_PROPERTY(state_gather(s, row, &expected), "data-can-be-had");
    FUZZ_SAME(data, test_text_bytes(&expected), "data");
    test_text_free(&expected);
}

/* A tensor that is called as the metadata is written as an entry that libraries refuse. */
static void law_of_safetensors(const state *s, const tensorfile *f, ep_bytes made) {
    spelled_index index;
    const cJSON *item;
    size_t count = 0;
    FUZZ_PROPERTY(spelled_open(made, &index) && index.size % 8 == 0, "header");
    if (spelled_is_plain(&index, made) && !cJSON_HasObjectItem(index.root, "__metadata__")) {
        FUZZ_PROPERTY(spelled_is_sound(&index, made), "header-sound");
        cJSON_ArrayForEach(item, index.root) {
            law_of_entry(s, f, item, spelled_data(&index, made, item));
            count++;
        }
        FUZZ_PROPERTY(count == f->count, "header-all");
    }
    spelled_close(&index);
}

/* ---------------------------------------------------------------------- npy and raw */

static ep_bytes law_of_npy_header(const state *s, const tensor_row *row, ep_bytes made) {
    buffer dict = {0};
    FUZZ_PROPERTY(made.size >= 10 && memcmp(made.data, "\x93NUMPY\1\0", 8) == 0, "npy-magic");
    size_t end = 10 + (size_t)zip_get(made.data + 8, 2);
    spell_npy(&dict, names_of(row), tensors_numbers(&s->list, row->sizes), row->rank, false);
    size_t at = 10 + dict.size;
    FUZZ_PROPERTY(at < end && end <= made.size && end % 64 == 0, "npy-length");
    FUZZ_PROPERTY(memcmp(made.data + 10, dict.data, dict.size) == 0, "npy-header");
    for (; at < end; at++) {
        FUZZ_PROPERTY(made.data[at] == (at + 1 < end ? ' ' : '\n'), "npy-blanks");
    }
    buffer_free(&dict);
    return (ep_bytes){made.data + end, made.size - end};
}

static void law_of_one(const state *s, const tensorfile *f, ep_bytes made) {
    test_text expected = {0};
    const tensor_row *row = &s->list.rows[f->rows[0]];
    ep_bytes data = f->form == TENSORFILE_NPY ? law_of_npy_header(s, row, made) : made;
    FUZZ_PROPERTY(state_gather(s, row, &expected), "one-can-be-had");
    FUZZ_SAME(data, test_text_bytes(&expected), "one");
    test_text_free(&expected);
}

/* -------------------------------------------------------------------------- making */

static void make(const state *s, tensorfile_form form, size_t *rows, size_t count) {
    failure what = {0};
    test_text made = {0};
    bool all = true;
    tensorfile f = {.archive = &s->archive,
                    .tensors = &s->list,
                    .form = form,
                    .limit = STATE_LIMIT,
                    .rows = rows,
                    .count = count};
    bool ok = tensorfile_plan(&f, &what) && tensorfile_verify(&f, &what);
    FUZZ_PROPERTY_OF(ok == fits_form(s, &f), "planned", &what.error);
    FUZZ_PROPERTY_OF(ok || what.reason != NULL || what.error.code == EP_ARCHIVE_MEMBER, "why",
                     &what.error);
    for (size_t i = 0; i < count; i++) {
        all = all && state_can_be_had(s, &s->list.rows[rows[i]]);
    }
    if (ok) {
        ok = tensorfile_write(&f, state_keep, &made, &what);
        FUZZ_PROPERTY_OF(ok == all, "written", &what.error);
    }
    if (ok && form == TENSORFILE_SAFETENSORS) {
        law_of_safetensors(s, &f, test_text_bytes(&made));
    } else if (ok) {
        law_of_one(s, &f, test_text_bytes(&made));
    }
    tensorfile_free(&f);
    test_text_free(&made);
}

/* Tensors that can be held in a file, of a program that is drawn. */
static size_t choose(state *s, size_t *rows) {
    size_t count = 0;
    uint64_t sum = 0;
    bool inputs = fuzz_below(&s->input, 8) == 0;
    size_t program = fuzz_below(&s->input, s->list.program_count);
    for (size_t i = 0; i < s->list.row_count; i++) {
        const tensor_row *row = &s->list.rows[i];
        bool wanted = row->program == program && (inputs || row->part != TENSOR_INPUTS) &&
                      row->form == TENSOR_STRIDED && elements_fault(&s->list, row) == NULL &&
                      s->list.storages[row->storage].size <= STATE_LIMIT;
        uint64_t size = wanted ? state_size(&s->list, row) : 0;
        if (wanted && size <= STATE_ELEMENTS && sum + size <= STATE_LIMIT) {
            rows[count++] = i;
            sum += size;
        }
    }
    return count;
}

void laws_of_files(state *s) {
    size_t *rows = calloc(s->list.row_count + 1, sizeof *rows);
    FUZZ_PROPERTY(rows != NULL, "room-for-rows");
    size_t count = choose(s, rows);
    make(s, TENSORFILE_SAFETENSORS, rows, count);
    for (size_t tries = 0; count > 0 && tries < 3; tries++) {
        size_t one = rows[fuzz_below(&s->input, count)];
        make(s, tries == 0 ? TENSORFILE_RAW : TENSORFILE_NPY, &one, 1);
    }
    free(rows);
}
