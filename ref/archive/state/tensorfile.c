/*
 * tensorfile.c - see tensorfile.h. Of safetensors: eight bytes that say how long the header
 * is, the header, which is JSON and ends with blanks at a multiple of eight, and the
 * elements of all tensors, by dtype and then by name, as the
 * library of that name writes them.
 */
#include "tensorfile.h"

#include "common/names.h"
#include "common/refusal.h"
#include "common/safe.h"

static const tensor_row *row_of(const tensorfile *f, size_t i) {
    return &f->tensors->rows[f->rows[i]];
}

static ep_bytes name_of(const tensorfile *f, size_t i) {
    return tensors_text(f->tensors, row_of(f, i)->name);
}

static bool refuse(tensorfile *f, ep_bytes name, const char *why, failure *what) {
    f->blamed = name;
    return refuse_invalid(what, why);
}

static void put_shape(buffer *b, const tensors *t, const tensor_row *row, const char *comma) {
    for (size_t i = 0; i < row->rank; i++) {
        buffer_text(b, i > 0 ? comma : "");
        buffer_number(b, tensors_numbers(t, row->sizes)[i]);
    }
}

/* ----------------------------------------------------------------------------------- forms */

static const char *fault_of_form(const tensorfile *f, const tensor_row *row) {
    ep_bytes name = tensors_text(f->tensors, row->name);
    const char *why = elements_fault(f->tensors, row);
    if (why != NULL) {
        return why;
    }
    if (f->form == TENSORFILE_NPY) {
        return row->dtype->npy == NULL ? "numpy has no such dtype" : NULL;
    }
    if (f->form == TENSORFILE_SAFETENSORS && row->dtype->safetensors == NULL) {
        return "safetensors has no such dtype";
    }
    return f->form == TENSORFILE_SAFETENSORS && !safe_is_utf8(name) ? "its name is not UTF-8"
                                                                    : NULL;
}

const char *tensorfile_left_out(const tensorfile *f, size_t row) {
    const tensor_row *r = &f->tensors->rows[row];
    return r->form == TENSOR_STRIDED ? NULL : elements_fault(f->tensors, r);
}

/* --------------------------------------------------------------------------------- headers */

static void put_little(buffer *b, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) {
        buffer_byte(b, (char)(number >> 8 * i & 0xFF));
    }
}

/* Version 1.0; the header ends at a multiple of 64 bytes. */
static void put_npy(tensorfile *f) {
    static const char magic[] = "\x93NUMPY\x01";
    enum { LENGTH = 2, BEFORE = sizeof magic + LENGTH, MULTIPLE = 64 };
    const tensor_row *row = row_of(f, 0);
    buffer text = {0};
    buffer_text(&text, "{'descr': '");
    buffer_text(&text, row->dtype->npy);
    buffer_text(&text, "', 'fortran_order': False, 'shape': (");
    put_shape(&text, f->tensors, row, ", ");
    buffer_text(&text, row->rank == 1 ? ",), }" : "), }");
    buffer_spaces(&text, (MULTIPLE - (BEFORE + text.size + 1) % MULTIPLE) % MULTIPLE);
    buffer_byte(&text, '\n');
    buffer_put(&f->header, magic, sizeof magic); /* with its zero, which is the minor version */
    put_little(&f->header, text.size, LENGTH);
    buffer_put(&f->header, text.data, text.size);
    f->header.failed = f->header.failed || text.failed;
    buffer_free(&text);
}

static void put_entry(buffer *b, const tensorfile *f, size_t i, uint64_t *at) {
    const tensor_row *row = row_of(f, i);
    uint64_t size = 0;
    elements_size(f->tensors, row, &size);
    buffer_text(b, i > 0 ? "," : "");
    safe_json(b, name_of(f, i));
    buffer_text(b, ":{\"dtype\":\"");
    buffer_text(b, row->dtype->safetensors);
    buffer_text(b, "\",\"shape\":[");
    put_shape(b, f->tensors, row, ",");
    buffer_text(b, "],\"data_offsets\":[");
    buffer_number(b, (int64_t)*at);
    buffer_byte(b, ',');
    *at += size;
    buffer_number(b, (int64_t)*at);
    buffer_text(b, "]}");
}

static void put_safetensors(tensorfile *f) {
    enum { LENGTH = 8, MULTIPLE = 8 };
    buffer text = {0};
    uint64_t at = 0;
    buffer_byte(&text, '{');
    for (size_t i = 0; i < f->count; i++) {
        put_entry(&text, f, i, &at);
    }
    buffer_byte(&text, '}');
    buffer_spaces(&text, (MULTIPLE - text.size % MULTIPLE) % MULTIPLE);
    put_little(&f->header, text.size, LENGTH);
    buffer_put(&f->header, text.data, text.size);
    f->header.failed = f->header.failed || text.failed;
    buffer_free(&text);
}

/* ------------------------------------------------------------------------------------ plan */

/* By dtype, then by name. */
static bool in_order(const name_item *a, const name_item *b) {
    return a->bytes != b->bytes ? a->bytes < b->bytes : bytes_compare(a->name, b->name) <= 0;
}

/* The rows in the order of the file. */
static bool sort_rows(tensorfile *f, failure *what) {
    name_list sorted = {0};
    for (size_t i = 0; i < f->count; i++) {
        names_add(&sorted, (name_item){.name = name_of(f, i),
                                       .bytes = dtype_place(row_of(f, i)->dtype),
                                       .count = f->rows[i]});
    }
    names_sort_by(&sorted, in_order);
    bool ok = !sorted.failed;
    for (size_t i = 0; ok && i < f->count; i++) {
        f->rows[i] = sorted.items[i].count;
    }
    names_free(&sorted);
    return ok || refuse_plainly(what, EP_MEMORY);
}

bool tensorfile_names_differ(tensorfile *f, failure *what) {
    name_list sorted = {0};
    for (size_t i = 0; i < f->count; i++) {
        names_add(&sorted, (name_item){.name = name_of(f, i)});
    }
    names_sort(&sorted);
    bool ok = !sorted.failed || refuse_plainly(what, EP_MEMORY);
    for (size_t i = 1; ok && i < sorted.count; i++) {
        ok = bytes_compare(sorted.items[i - 1].name, sorted.items[i].name) != 0 ||
             refuse(f, sorted.items[i].name, "two tensors have this name", what);
    }
    names_free(&sorted);
    return ok;
}

static bool check_rows(tensorfile *f, failure *what) {
    uint64_t room = elements_room(f->archive, f->limit);
    for (size_t i = 0; i < f->count; i++) {
        const char *why = fault_of_form(f, row_of(f, i));
        if (why != NULL) {
            f->blamed = name_of(f, i);
            return why == elements_fault(f->tensors, row_of(f, i))
                       ? elements_refuse(row_of(f, i), f->blamed, why, what)
                       : refuse(f, f->blamed, why, what);
        }
        TRY(elements_take(f->tensors, row_of(f, i), &room, what));
    }
    return true;
}

bool tensorfile_verify(const tensorfile *f, failure *what) {
    name_list members = {0};
    for (size_t i = 0; i < f->count; i++) {
        size_t storage = row_of(f, i)->storage;
        if (storage != TENSORS_NONE) {
            const zipfile_member *m = f->tensors->storages[storage].member;
            names_add(&members,
                      (name_item){.name = m->name, .count = (size_t)(m - f->archive->zip.members)});
        }
    }
    names_sort(&members);
    bool ok = !members.failed || refuse_plainly(what, EP_MEMORY);
    for (size_t i = 0; ok && i < members.count; i++) {
        if (i == 0 || members.items[i].count != members.items[i - 1].count) {
            ok = zipfile_verify_member(&f->archive->zip,
                                       &f->archive->zip.members[members.items[i].count], UINT64_MAX,
                                       what);
        }
    }
    names_free(&members);
    return ok;
}

bool tensorfile_plan(tensorfile *f, failure *what) {
    bool many = f->form == TENSORFILE_SAFETENSORS;
    if (!check_rows(f, what) ||
        (many && (!tensorfile_names_differ(f, what) || !sort_rows(f, what)))) {
        return false;
    }
    if (many) {
        put_safetensors(f);
    } else if (f->form == TENSORFILE_NPY) {
        put_npy(f);
    }
    return !f->header.failed || refuse_plainly(what, EP_MEMORY);
}

bool tensorfile_write(void *context, zipfile_take *put, void *sink, failure *what) {
    tensorfile *f = context;
    holding own = {.count = 0};
    bool ok = f->header.size == 0 || put(sink, buffer_bytes(&f->header), what);
    for (size_t i = 0; ok && i < f->count; i++) {
        elements e = {.archive = f->archive,
                      .tensors = f->tensors,
                      .row = row_of(f, i),
                      .limit = f->limit,
                      .holding = f->holding != NULL ? f->holding : &own};
        ok = elements_read(&e, (zipfile_taker){put, sink}, what);
    }
    holding_free(&own);
    return ok;
}

void tensorfile_free(tensorfile *f) {
    buffer_free(&f->header);
}
