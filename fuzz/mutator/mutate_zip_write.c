/*
 * mutator/mutate_zip_write.c - writes an archive from its parts, with one fault; see
 * mutate_zip.h. Numbers, names and records are counted as they are written, so that a
 * fault is one of them by its number.
 */
#include "mutator/mutate_zip.h"

#include <string.h>
#include <zlib.h>

/* The records: of each number how many bytes, and its letter; a capital is a signature. */
#define LOCAL "2n2f2m4t4c4p4u2a2x" /* behind 4L */
#define DESCRIPTOR "4c4p4u"        /* behind 4D, if that is there */
#define LONG_DESCRIPTOR "4c8p8u"
#define ENTRY "4E2b2n2f2m4t4c4p4u2a2x2o2z2i4w4l"
#define END64 "8r2q2q4z4z8k8k8y8d" /* behind 4S */
#define LOCATOR "4T4z8e4h"
#define END "4F2z2z2k2k4y4d2o"

static const char capitals[] = "LDESTF";
static const uint32_t signatures[] = {0x04034b50, 0x08074b50, 0x02014b50,
                                      0x06064b50, 0x07064b50, 0x06054b50};

/* An archive on its way. */
typedef struct writer {
    const zip_model *model;
    const zip_fault *fault;
    mutate_room room;
    size_t size;
    bool full;
    size_t fields;  /* numbers and names so far */
    size_t records; /* so far */
    size_t place;   /* of the fault, among these or those */
    bool inserting;
    size_t base; /* what offsets are counted from */
    zip_values heads[ZIP_PARTS_MAX];
    zip_values all;
} writer;

/* ------------------------------------------------------------------------ bytes */

static bool has(const writer *w, zip_fault_kind kind) {
    return w->fault->kind == kind;
}

/* A number that is not this one: near it, or far off. */
static uint64_t wrong(const writer *w, uint64_t value) {
    static const uint64_t far[] = {0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, UINT64_MAX};
    uint64_t n = w->fault->number;
    switch (n % 4) {
    case 0:
        return value + 1 + n / 4 % 3;
    case 1:
        return value - 1 - n / 4 % 3;
    case 2:
        return far[n / 4 % 6] != value ? far[n / 4 % 6] : value + 1;
    }
    return value ^ (UINT64_C(1) << n / 4 % 32);
}

static char *take(writer *w, size_t size) {
    if (w->full || size > w->room.size - w->size) {
        w->full = true;
        return NULL;
    }
    w->size += size;
    return (char *)w->room.data + w->size - size;
}

/* The bytes may lie in what is written. */
static void put(writer *w, ep_bytes bytes) {
    char *at = take(w, bytes.size);
    if (at != NULL && bytes.size > 0) {
        memmove(at, bytes.data, bytes.size);
    }
}

/* Whether the field that comes next is the one that is wrong. */
static bool is_bent(writer *w) {
    return w->fields++ == w->place && has(w, ZIP_FAULT_FIELD);
}

static void number(writer *w, size_t size, uint64_t value) {
    char *at = take(w, size);
    value = is_bent(w) ? wrong(w, value) : value;
    if (at != NULL) {
        zip_put(at, size, value);
    }
}

/* It keeps its length, which offsets depend on. */
static void put_name(writer *w, ep_bytes name) {
    put(w, name);
    if (is_bent(w) && !w->full && name.size > 0) {
        w->room.data[w->size - 1 - w->fault->number % name.size] ^= 1;
    }
}

static void insert(writer *w);

static void record(writer *w, const char *fields, const zip_values *v) {
    for (; *fields != '\0'; fields += 2) {
        size_t size = (size_t)(fields[0] - '0');
        const char *capital = strchr(capitals, fields[1]);
        if (capital == NULL) {
            number(w, size, ZIP_VALUE(v, fields[1]));
            continue;
        }
        if (w->records++ == w->place && has(w, ZIP_FAULT_INSERT) && !w->inserting) {
            w->inserting = true;
            insert(w);
            w->inserting = false;
        }
        number(w, size, signatures[capital - capitals]);
    }
}

/* ---------------------------------------------------------------------- members */

/* Packs the data at the end of what is written; stored where that fails. */
static ep_bytes pack(writer *w, const zip_part *part, size_t at, zip_values *v) {
    z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)part->data.data,
                  .avail_in = (uInt)part->data.size};
    if (part->packed) {
        return part->data;
    }
    bool wanted = ZIP_VALUE(v, 'm') == ZIP_DEFLATED && at <= w->room.size;
    ZIP_VALUE(v, 'm') = ZIP_STORED;
    if (!wanted || deflateInit2(&z, 1, Z_DEFLATED, -9, 1, Z_DEFAULT_STRATEGY) != Z_OK) {
        return part->data;
    }
    z.next_out = w->room.data + at;
    z.avail_out = (uInt)(w->room.size - at);
    bool ok = deflate(&z, Z_FINISH) == Z_STREAM_END;
    ep_bytes packed = {(const char *)w->room.data + at, (size_t)z.total_out};
    deflateEnd(&z);
    ZIP_VALUE(v, 'm') = ok ? ZIP_DEFLATED : ZIP_STORED;
    return ok ? packed : part->data;
}

/* What a member says in a field of zip64: its sizes, its place. */
static size_t wide_size(const zip_values *v, bool local) {
    size_t sizes = (ZIP_VALUE(v, 'g') & ZIP_FORM_WIDE) != 0 ? 16 : 0;
    size_t place = (ZIP_VALUE(v, 'g') & ZIP_FORM_WIDE_PLACE) != 0 && !local ? 8 : 0;
    return sizes + place > 0 ? 4 + sizes + place : 0;
}

/* A header, with what is behind it but for its comment. */
static void put_head(writer *w, const char *fields, const zip_part *part, zip_values v) {
    bool local = fields[1] != 'E';
    ep_bytes extra = local ? part->local_extra : part->extra;
    size_t wide = wide_size(&v, local);
    zip_values said = v;
    ZIP_VALUE(&said, 'x') = extra.size + wide;
    if (wide >= 20) {
        ZIP_VALUE(&said, 'p') = ZIP_VALUE(&said, 'u') = UINT32_MAX;
    }
    if (wide % 16 == 12) {
        ZIP_VALUE(&said, 'l') = UINT32_MAX;
    }
    record(w, fields, &said);
    put_name(w, part->name);
    put(w, extra);
    ZIP_VALUE(&v, 's') = wide - 4;
    record(w, wide > 0 ? "2h2s" : "", &v);
    record(w, wide >= 20 ? "8u8p" : "", &v);
    record(w, wide % 16 == 12 ? "8l" : "", &v);
}

static void put_member(writer *w, size_t i) {
    const zip_part *part = &w->model->parts[i];
    zip_values *v = &w->heads[i];
    record(w, "4L", v);
    *v = part->values;
    ZIP_VALUE(v, 'l') = w->size - 4 - w->base;
    ZIP_VALUE(v, 'h') = 1;
    ZIP_VALUE(v, 'a') = part->name.size;
    ZIP_VALUE(v, 'o') = part->comment.size;
    size_t before = ZIP_LOCAL_SIZE - 4 + part->name.size + part->local_extra.size;
    ep_bytes packed = pack(w, part, w->size + before + wide_size(v, true), v);
    ZIP_VALUE(v, 'p') = packed.size;
    if (!part->packed) {
        ZIP_VALUE(v, 'u') = part->data.size;
        ZIP_VALUE(v, 'c') = crc32(0, (const Bytef *)part->data.data, (uInt)part->data.size);
    }
    if (has(w, ZIP_FAULT_BOTH) && w->fault->part == i) {
        uint64_t *bent = &ZIP_VALUE(v, "cupmf"[w->fault->number / 256 % 5]);
        *bent = wrong(w, *bent);
    }
    unsigned forms = (unsigned)ZIP_VALUE(v, 'g');
    bool later = (ZIP_VALUE(&part->values, 'f') & ZIP_FLAG_DESCRIPTOR) != 0;
    zip_values local = *v;
    if (later && (forms & ZIP_FORM_KEPT) == 0) {
        ZIP_VALUE(&local, 'c') = ZIP_VALUE(&local, 'p') = ZIP_VALUE(&local, 'u') = 0;
    }
    put_head(w, LOCAL, part, local);
    put(w, packed);
    if (later) {
        record(w, (forms & ZIP_FORM_UNSIGNED) == 0 ? "4D" : "", v);
        record(w, (forms & ZIP_FORM_LONG) != 0 ? LONG_DESCRIPTOR : DESCRIPTOR, v);
    }
}

/* -------------------------------------------------------------------- directory */

static void put_entry(writer *w, size_t i) {
    zip_values v = w->heads[i];
    if (has(w, ZIP_FAULT_OVERLAP) && w->fault->part == i) {
        ZIP_VALUE(&v, 'l') = ZIP_VALUE(&w->heads[w->fault->number % w->model->count], 'l');
    }
    put_head(w, ENTRY, &w->model->parts[i], v);
    put(w, w->model->parts[i].comment);
}

static void put_end64(writer *w) {
    record(w, "4S", &w->all);
    ZIP_VALUE(&w->all, 'e') = w->size - 4 - w->base;
    record(w, END64, &w->all);
}

/* A record that is not the one: of what is written so far, or of none; its comment is none, or
 * the end record behind it. */
static void put_other_end(writer *w) {
    bool none = w->fault->number % 2 == 0;
    zip_values v = w->all;
    ZIP_VALUE(&v, 'k') = none ? 0 : ZIP_VALUE(&v, 'k');
    ZIP_VALUE(&v, 'y') = none ? 0 : w->size - w->base - ZIP_VALUE(&v, 'd');
    ZIP_VALUE(&v, 'd') = none ? w->size : ZIP_VALUE(&v, 'd');
    ZIP_VALUE(&v, 'o') = w->fault->number / 2 % 2 == 0 ? ZIP_END_SIZE : 0;
    w->inserting = true;
    record(w, END, &v);
}

/* What stands between two records and belongs to none of them: bytes, an end record, records of
 * zip64, a member that no entry is of. */
static void insert(writer *w) {
    zip_values kept = w->heads[w->fault->part];
    zip_values all = w->all;
    switch (w->fault->number / 256 % 5) {
    case 0:
        put_other_end(w);
        break;
    case 1:
        put_end64(w);
        record(w, w->fault->number % 2 == 0 ? LOCATOR : "", &w->all);
        w->all = w->fault->number / 2 % 2 == 0 ? all : w->all;
        break;
    case 2:
        put_member(w, w->fault->part);
        w->heads[w->fault->part] = kept;
        break;
    default:
        for (size_t i = 0; i <= w->fault->number % 70; i++) {
            number(w, 1, w->fault->number >> (i % 8 * 8));
        }
    }
    if (w->records == 1 && w->fault->number / 4 % 2 == 0) { /* before all */
        w->base = w->size;
    }
}

/* ------------------------------------------------------------------------- all */

/* Which member is the i-th of the directory. */
static size_t in_directory(const zip_model *model, size_t i) {
    size_t turned = model->turned % model->count;
    return (model->backwards ? turned + model->count - i : turned + i) % model->count;
}

static void put_directory(writer *w) {
    zip_values *v = &w->all;
    ZIP_VALUE(v, 'd') = w->size - w->base;
    for (size_t i = 0; i < w->model->count; i++) {
        put_entry(w, in_directory(w->model, i));
    }
    ZIP_VALUE(v, 'y') = w->size - w->base - ZIP_VALUE(v, 'd');
}

static void put_all(writer *w) {
    zip_values *v = &w->all;
    ZIP_VALUE(v, 'h') = 1;
    ZIP_VALUE(v, 'q') = 45;
    ZIP_VALUE(v, 'r') = ZIP_END64_SIZE - 12;
    ZIP_VALUE(v, 'k') = w->model->count;
    ZIP_VALUE(v, 'o') = w->model->comment.size + (has(w, ZIP_FAULT_END_INSIDE) ? ZIP_END_SIZE : 0);
    for (size_t i = 0; i < w->model->count; i++) {
        put_member(w, i);
    }
    put_directory(w);
    if (w->model->zip64) {
        put_end64(w);
        record(w, LOCATOR, v);
    }
    zip_values end = *v;
    if (has(w, ZIP_FAULT_UNSET)) {
        ZIP_VALUE(&end, 'k') = ZIP_VALUE(&end, 'y') = ZIP_VALUE(&end, 'd') = UINT64_MAX;
    }
    record(w, END, &end);
    put(w, w->model->comment);
    if (has(w, ZIP_FAULT_END_INSIDE)) {
        put_other_end(w);
    }
    if (w->records == w->place && has(w, ZIP_FAULT_INSERT)) {
        insert(w);
    }
}

/* Half of the fields and records that are wrong are the last ones, which are of the whole
 * archive. */
static size_t place_of(const writer *plain, const zip_fault *fault) {
    bool inserted = fault->kind == ZIP_FAULT_INSERT;
    size_t count = inserted ? plain->records + 1 : plain->fields;
    size_t last = inserted ? 4 : 28;
    size_t n = fault->place / 2;
    return fault->place % 2 == 0 && count > last ? count - 1 - n % last : n % count;
}

size_t zip_write(const zip_model *model, const zip_fault *fault, mutate_room room) {
    static const zip_fault none = {.kind = ZIP_FAULT_NONE};
    writer plain = {.model = model, .fault = &none, .room = room, .place = SIZE_MAX};
    put_all(&plain);
    if (plain.full || fault->kind == ZIP_FAULT_NONE) {
        return plain.full ? 0 : plain.size;
    }
    writer w = {.model = model, .fault = fault, .room = room, .place = place_of(&plain, fault)};
    put_all(&w);
    bool cut = has(&w, ZIP_FAULT_CUT) && w.size > 80;
    return w.full ? 0 : w.size - (cut ? 1 + (size_t)(fault->number % 70) : 0);
}
