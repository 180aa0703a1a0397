/*
 * state_files.c - what holds of files of tensors: they are made where the form can hold the
 * tensors and the bytes are sound, and then they are a header, read here, and the elements
 * that a second reader gathers.
 */
#include "archive/state/tensorfile.h"
#include "state_laws.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------- dtypes */

typedef struct name_row {
    const char *torch;
    const char *safetensors; /* NULL: it has none */
    const char *npy;
} name_row;

static const name_row names[] = {
    {"uint8", "U8", "|u1"},
    {"int8", "I8", "|i1"},
    {"int16", "I16", "<i2"},
    {"int32", "I32", "<i4"},
    {"int64", "I64", "<i8"},
    {"uint16", "U16", "<u2"},
    {"uint32", "U32", "<u4"},
    {"uint64", "U64", "<u8"},
    {"float16", "F16", "<f2"},
    {"float32", "F32", "<f4"},
    {"float64", "F64", "<f8"},
    {"bfloat16", "BF16", NULL},
    {"bool", "BOOL", "|b1"},
    {"complex32", NULL, NULL},
    {"complex64", "C64", "<c8"},
    {"complex128", NULL, "<c16"},
    {"float8_e4m3fn", "F8_E4M3", NULL},
    {"float8_e4m3fnuz", "F8_E4M3FNUZ", NULL},
    {"float8_e5m2", "F8_E5M2", NULL},
    {"float8_e5m2fnuz", "F8_E5M2FNUZ", NULL},
    {"float8_e8m0fnu", "F8_E8M0", NULL},
};

static const name_row *names_of(const tensor_row *row) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].torch, row->dtype->torch) == 0) {
            return &names[i];
        }
    }
    FUZZ_PROPERTY(false, "dtype");
    return NULL;
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

/* Whether the elements can be had at all: of what is deflated in an archive in a member they
 * cannot. */
static bool can_be_had(const state *s, const tensor_row *row) {
    const tensor_storage *storage = &s->list.storages[row->storage];
    return state_size(&s->list, row) == 0 || storage->is_stored || storage->key.size == 0;
}

/* Whether a file can be planned. */
static bool fits_form(const state *s, const tensorfile *f) {
    const tensors *t = &s->list;
    bool many = f->form == TENSORFILE_SAFETENSORS;
    for (size_t i = 0; i < f->count; i++) {
        const tensor_row *row = &t->rows[f->rows[i]];
        const name_row *said = names_of(row);
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

/* A header that is read from its beginning; at is NULL behind what does not fit. */
typedef struct header {
    const char *at;
    const char *end;
} header;

static void take(header *h, const char *text) {
    size_t size = strlen(text);
    FUZZ_PROPERTY((size_t)(h->end - h->at) >= size && memcmp(h->at, text, size) == 0, "header");
    h->at += size;
}

static uint64_t take_number(header *h) {
    uint64_t number = 0;
    FUZZ_PROPERTY(h->at < h->end && *h->at >= '0' && *h->at <= '9', "header-number");
    FUZZ_PROPERTY(*h->at != '0' || h->end - h->at < 2 || h->at[1] < '0' || h->at[1] > '9',
                  "header-leading-zero");
    while (h->at < h->end && *h->at >= '0' && *h->at <= '9') {
        number = number * 10 + (uint64_t)(*h->at++ - '0');
    }
    return number;
}

static uint32_t take_unit(header *h) {
    char digits[5] = {0};
    FUZZ_PROPERTY(h->end - h->at >= 6 && h->at[0] == '\\' && h->at[1] == 'u', "header-escape");
    memcpy(digits, h->at + 2, 4);
    h->at += 6;
    return (uint32_t)strtoul(digits, NULL, 16);
}

/* \uXXXX, or two of them. */
static void take_scalar(header *h, test_text *text) {
    uint32_t unit = take_unit(h);
    if (unit >= 0xD800 && unit < 0xDC00) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (take_unit(h) - 0xDC00);
    }
    test_add_scalar(text, unit);
}

static void take_string(header *h, test_text *text) {
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    take(h, "\"");
    while (h->at < h->end && *h->at != '"') {
        const char *letter =
            *h->at == '\\' && h->end - h->at > 1 ? strchr(letters, h->at[1]) : NULL;
        FUZZ_PROPERTY((unsigned char)*h->at >= ' ', "header-control");
        if (*h->at != '\\') {
            test_add(text, h->at++, 1);
        } else if (letter != NULL && *letter != 0) {
            test_add(text, &meant[letter - letters], 1);
            h->at += 2;
        } else {
            take_scalar(h, text);
        }
    }
    take(h, "\"");
}

/* An entry, for one of the rows, with the elements at the place that it says. */
static void law_of_entry(const state *s, const tensorfile *f, header *h, ep_bytes data,
                         uint64_t *at) {
    test_text name = {0};
    test_text expected = {0};
    const tensor_row *row = NULL;
    take_string(h, &name);
    for (size_t i = 0; i < f->count; i++) {
        const tensor_row *other = &s->list.rows[f->rows[i]];
        row = fuzz_same(tensors_text(&s->list, other->name), test_text_bytes(&name)) ? other : row;
    }
    FUZZ_PROPERTY(row != NULL, "header-name");
    take(h, ":{\"dtype\":\"");
    take(h, names_of(row)->safetensors);
    take(h, "\",\"shape\":[");
    for (size_t i = 0; i < row->rank; i++) {
        take(h, i > 0 ? "," : "");
        FUZZ_PROPERTY(take_number(h) == (uint64_t)s->list.numbers[row->sizes + i], "header-shape");
    }
    take(h, "],\"data_offsets\":[");
    FUZZ_PROPERTY(take_number(h) == *at, "header-begin");
    take(h, ",");
    uint64_t end = take_number(h);
    take(h, "]}");
    FUZZ_PROPERTY(end >= *at && end - *at == state_size(&s->list, row), "header-end");
    FUZZ_PROPERTY(end <= data.size, "data-is-there");
    FUZZ_PROPERTY(state_gather(s, row, &expected), "data-can-be-had");
    FUZZ_PROPERTY(
        fuzz_same((ep_bytes){data.data + *at, (size_t)(end - *at)}, test_text_bytes(&expected)),
        "data");
    *at = end;
    test_text_free(&name);
    test_text_free(&expected);
}

static void law_of_safetensors(const state *s, const tensorfile *f, ep_bytes made) {
    uint64_t at = 0;
    FUZZ_PROPERTY(made.size >= 8, "length");
    uint64_t length = zip_get(made.data, 8);
    FUZZ_PROPERTY(length <= made.size - 8 && length % 8 == 0, "length");
    header h = {made.data + 8, made.data + 8 + length};
    ep_bytes data = {h.end, made.size - 8 - (size_t)length};
    take(&h, "{");
    for (size_t i = 0; i < f->count; i++) {
        take(&h, i > 0 ? "," : "");
        law_of_entry(s, f, &h, data, &at);
    }
    take(&h, "}");
    FUZZ_PROPERTY(h.end - h.at < 8, "header-blanks");
    while (h.at < h.end) {
        take(&h, " ");
    }
    FUZZ_PROPERTY(at == data.size, "nothing-behind");
}

/* ---------------------------------------------------------------------- npy and raw */

static ep_bytes law_of_npy_header(const state *s, const tensor_row *row, ep_bytes made) {
    FUZZ_PROPERTY(made.size >= 10 && memcmp(made.data, "\x93NUMPY\1\0", 8) == 0, "npy-magic");
    size_t length = (size_t)zip_get(made.data + 8, 2);
    FUZZ_PROPERTY(length <= made.size - 10 && (length + 10) % 64 == 0, "npy-length");
    header h = {made.data + 10, made.data + 10 + length};
    take(&h, "{'descr': '");
    take(&h, names_of(row)->npy);
    take(&h, "', 'fortran_order': False, 'shape': (");
    for (size_t i = 0; i < row->rank; i++) {
        take(&h, i > 0 ? ", " : "");
        FUZZ_PROPERTY(take_number(&h) == (uint64_t)s->list.numbers[row->sizes + i], "npy-shape");
    }
    take(&h, row->rank == 1 ? ",), }" : "), }");
    while (h.end - h.at > 1) {
        take(&h, " ");
    }
    take(&h, "\n");
    return (ep_bytes){h.end, made.size - 10 - length};
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
        all = all && can_be_had(s, &s->list.rows[rows[i]]);
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
