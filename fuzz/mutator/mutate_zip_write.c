/*
 * mutator/mutate_zip_write.c - writes an archive from its parts, with one fault; see
 * mutate_zip.h. Numbers, names and records are counted as they are written, so that a
 * fault is one of them by its number.
 */
#include "mutator/mutate_zip.h"

#include <string.h>
#include <zlib.h>

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
    zip_head heads[ZIP_PARTS_MAX];
    uint64_t offsets[ZIP_PARTS_MAX];
    uint64_t directory;
    uint64_t directory_size;
    uint64_t end64;
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

static void put(writer *w, ep_bytes bytes) {
    char *at = take(w, bytes.size);
    if (at != NULL && bytes.size > 0) {
        memcpy(at, bytes.data, bytes.size);
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
    char *at = take(w, name.size);
    if (at != NULL && name.size > 0) {
        memcpy(at, name.data, name.size);
        at[w->fault->number % name.size] ^= is_bent(w) ? 1 : 0;
    }
}

static void insert(writer *w);

static void begin_record(writer *w, uint32_t signature) {
    if (w->records++ == w->place && has(w, ZIP_FAULT_INSERT) && !w->inserting) {
        w->inserting = true;
        insert(w);
        w->inserting = false;
    }
    number(w, 4, signature);
}

enum {
    LOCAL = 0x04034b50,
    DESCRIPTOR = 0x08074b50,
    ENTRY = 0x02014b50,
    END64 = 0x06064b50,
    LOCATOR = 0x07064b50,
    END = 0x06054b50
};

/* ---------------------------------------------------------------------- members */

/* Packs the data at the end of what is written; stored where that fails. */
static ep_bytes pack(writer *w, const zip_part *part, size_t at, zip_head *head) {
    z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)part->data.data,
                  .avail_in = (uInt)part->data.size};
    if (part->packed || part->method != ZIP_DEFLATED || at > w->room.size ||
        deflateInit2(&z, 1, Z_DEFLATED, -9, 1, Z_DEFAULT_STRATEGY) != Z_OK) {
        head->method = part->packed ? part->method : ZIP_STORED;
        return part->data;
    }
    z.next_out = w->room.data + at;
    z.avail_out = (uInt)(w->room.size - at);
    bool ok = deflate(&z, Z_FINISH) == Z_STREAM_END;
    ep_bytes packed = {(const char *)w->room.data + at, (size_t)z.total_out};
    deflateEnd(&z);
    head->method = ok ? ZIP_DEFLATED : ZIP_STORED;
    return ok ? packed : part->data;
}

/* What is wrong in both headers of a member. */
static void bend_both(const writer *w, zip_head *head) {
    switch ((zip_said)(w->fault->number / 256 % ZIP_SAID)) {
    case ZIP_SAID_METHOD:
        head->method = (uint16_t)wrong(w, head->method);
        break;
    case ZIP_SAID_SIZE:
        head->size = wrong(w, head->size);
        break;
    case ZIP_SAID_PACKED:
        head->packed_size = wrong(w, head->packed_size);
        break;
    case ZIP_SAID_CRC:
        head->crc = (uint32_t)wrong(w, head->crc);
        break;
    case ZIP_SAID_FLAGS:
        head->flags ^= w->fault->number % 2 == 0 ? ZIP_FLAG_ENCRYPTED : ZIP_FLAG_DESCRIPTOR;
        break;
    case ZIP_SAID:
        break;
    }
}

/* Bytes of the fields of zip64 that have the sizes. */
static size_t wide_size(const writer *w, size_t i) {
    bool twice = has(w, ZIP_FAULT_WIDE_TWICE) && w->fault->part == i;
    return twice ? 40 : (w->model->parts[i].forms & ZIP_FORM_WIDE) != 0 ? 20 : 0;
}

static void put_head(writer *w, const zip_head *head, size_t wide, size_t fields) {
    number(w, 2, head->flags);
    number(w, 2, head->method);
    number(w, 4, head->stamp);
    number(w, 4, head->crc);
    number(w, 4, wide > 0 ? UINT32_MAX : head->packed_size);
    number(w, 4, wide > 0 ? UINT32_MAX : head->size);
    number(w, 2, head->name.size);
    number(w, 2, head->extra.size + fields);
}

/* The fields of zip64, if there are any; with the place of the member, where that is in one. */
static void put_wides(writer *w, const zip_head *head, size_t wide, const uint64_t *place) {
    for (size_t more = 0; more < wide; more += 20) {
        number(w, 2, 1);
        number(w, 2, place != NULL ? 24 : 16);
        number(w, 8, head->size + (more > 0 ? w->fault->number % 3 : 0));
        number(w, 8, head->packed_size);
    }
    if (place != NULL && wide == 0) {
        number(w, 2, 1);
        number(w, 2, 8);
    }
    if (place != NULL) {
        number(w, 8, *place);
    }
}

/* Behind the member; as PyTorch writes it, or in another form. */
static void put_descriptor(writer *w, size_t i, const zip_head *head) {
    unsigned forms = w->model->parts[i].forms;
    size_t width = (forms & ZIP_FORM_LONG) != 0 ? 8 : 4;
    if ((forms & ZIP_FORM_UNSIGNED) == 0) {
        begin_record(w, DESCRIPTOR);
    }
    number(w, 4, head->crc);
    number(w, width, head->packed_size);
    number(w, width, head->size);
}

static void put_local(writer *w, size_t i, const zip_head *head) {
    const zip_part *part = &w->model->parts[i];
    zip_head local = *head;
    local.extra = part->local_extra;
    size_t wide = wide_size(w, i);
    if ((part->flags & ZIP_FLAG_DESCRIPTOR) != 0 && (part->forms & ZIP_FORM_KEPT) == 0) {
        local.crc = 0;
        local.packed_size = local.size = 0;
    }
    number(w, 2, part->needed);
    put_head(w, &local, wide, wide);
    put_name(w, local.name);
    put(w, local.extra);
    put_wides(w, &local, wide, NULL);
}

static void put_member(writer *w, size_t i) {
    const zip_part *part = &w->model->parts[i];
    zip_head *head = &w->heads[i];
    begin_record(w, LOCAL);
    w->offsets[i] = w->size - 4 - w->base;
    *head = (zip_head){.flags = part->flags,
                       .stamp = part->stamp,
                       .crc = part->packed ? part->crc : 0,
                       .size = part->packed ? part->size : part->data.size,
                       .name = part->name,
                       .extra = part->extra};
    size_t before = ZIP_LOCAL_SIZE - 4 + part->name.size + part->local_extra.size + wide_size(w, i);
    ep_bytes packed = pack(w, part, w->size + before, head);
    head->packed_size = packed.size;
    if (!part->packed) {
        head->crc = (uint32_t)crc32(0, (const Bytef *)part->data.data, (uInt)part->data.size);
    }
    if (has(w, ZIP_FAULT_BOTH) && w->fault->part == i) {
        bend_both(w, head);
    }
    put_local(w, i, head);
    char *at = take(w, packed.size);
    if (at != NULL && packed.size > 0) {
        memmove(at, packed.data, packed.size);
    }
    if ((part->flags & ZIP_FLAG_DESCRIPTOR) != 0) {
        put_descriptor(w, i, head);
    }
}

/* -------------------------------------------------------------------- directory */

static void put_entry(writer *w, size_t i) {
    const zip_part *part = &w->model->parts[i];
    const zip_head *head = &w->heads[i];
    size_t wide = wide_size(w, i);
    bool wide_place = (part->forms & ZIP_FORM_WIDE_PLACE) != 0 && wide <= 20;
    bool other = has(w, ZIP_FAULT_OVERLAP) && w->fault->part == i;
    uint64_t offset = w->offsets[other ? w->fault->number % w->model->count : i];
    begin_record(w, ENTRY);
    number(w, 2, part->made_by);
    number(w, 2, part->needed);
    put_head(w, head, wide, wide_place ? (wide > 0 ? 28 : 12) : wide);
    number(w, 2, part->comment.size);
    number(w, 2, 0);
    number(w, 2, part->inside);
    number(w, 4, part->outside);
    number(w, 4, wide_place ? UINT32_MAX : offset);
    put_name(w, head->name);
    put(w, head->extra);
    put_wides(w, head, wide, wide_place ? &offset : NULL);
    put(w, part->comment);
}

static void put_end64(writer *w) {
    begin_record(w, END64);
    w->end64 = w->size - 4 - w->base;
    number(w, 8, ZIP_END64_SIZE - 12);
    number(w, 2, 45);
    number(w, 2, 45);
    number(w, 8, 0);
    number(w, 8, w->model->count);
    number(w, 8, w->model->count);
    number(w, 8, w->directory_size);
    number(w, 8, w->directory);
}

static void put_locator(writer *w) {
    begin_record(w, LOCATOR);
    number(w, 4, 0);
    number(w, 8, w->end64);
    number(w, 4, 1);
}

/* All bits of its numbers may be set: they stand in the record of zip64. */
static void put_end(writer *w, ep_bytes comment) {
    bool unset = has(w, ZIP_FAULT_UNSET);
    begin_record(w, END);
    number(w, 2, 0);
    number(w, 2, 0);
    number(w, 2, unset ? UINT16_MAX : w->model->count);
    number(w, 2, unset ? UINT16_MAX : w->model->count);
    number(w, 4, unset ? UINT32_MAX : w->directory_size);
    number(w, 4, unset ? UINT32_MAX : w->directory);
    number(w, 2, comment.size + (has(w, ZIP_FAULT_END_INSIDE) ? ZIP_END_SIZE : 0));
    put(w, comment);
}

/* A record that is not the one: of what is written so far, or of none; its comment is none, or
 * the end record behind it. */
static void put_other_end(writer *w) {
    bool none = w->fault->number % 2 == 0;
    number(w, 4, END);
    number(w, 4, 0);
    number(w, 2, none ? 0 : w->model->count);
    number(w, 2, none ? 0 : w->model->count);
    number(w, 4, none ? 0 : w->size - w->base - w->directory);
    number(w, 4, none ? w->size : w->directory);
    number(w, 2, w->fault->number / 2 % 2 == 0 ? ZIP_END_SIZE : 0);
}

/* What stands between two records and belongs to none of them: bytes, an end record, records of
 * zip64, a member that no entry is of. */
static void insert(writer *w) {
    zip_head kept = w->heads[w->fault->part];
    uint64_t offset = w->offsets[w->fault->part];
    uint64_t end64 = w->end64;
    switch (w->fault->number / 256 % 5) {
    case 0:
        put_other_end(w);
        break;
    case 1:
        put_end64(w);
        if (w->fault->number % 2 == 0) {
            put_locator(w);
        }
        w->end64 = w->fault->number / 2 % 2 == 0 ? end64 : w->end64;
        break;
    case 2:
        put_member(w, w->fault->part);
        w->heads[w->fault->part] = kept;
        w->offsets[w->fault->part] = offset;
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

static void put_all(writer *w) {
    for (size_t i = 0; i < w->model->count; i++) {
        put_member(w, i);
    }
    w->directory = w->size - w->base;
    for (size_t i = 0; i < w->model->count; i++) {
        put_entry(w, in_directory(w->model, i));
    }
    w->directory_size = w->size - w->base - w->directory;
    if (w->model->zip64) {
        put_end64(w);
        put_locator(w);
    }
    put_end(w, w->model->comment);
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
