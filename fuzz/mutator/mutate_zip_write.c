/*
 * mutator/mutate_zip_write.c - writes an archive from its parts, with one fault; see
 * mutate_zip.h.
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
    size_t base; /* what offsets are counted from */
    zip_head heads[ZIP_PARTS_MAX];
    uint64_t offsets[ZIP_PARTS_MAX];
    uint64_t directory;
    uint64_t directory_size;
    uint64_t end64;
    size_t hidden; /* where an end record is that is none; 0: nowhere */
} writer;

/* ------------------------------------------------------------------------ bytes */

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

static void number(writer *w, size_t size, uint64_t value) {
    char *at = take(w, size);
    if (at != NULL) {
        zip_put(at, size, value);
    }
}

static void signature(writer *w, const char *four) {
    put(w, (ep_bytes){four, 4});
}

static void junk(writer *w) {
    size_t size = 1 + (size_t)(w->fault->number % 70);
    for (size_t i = 0; i < size; i++) {
        number(w, 1, w->fault->number >> (i % 8 * 8));
    }
}

/* ----------------------------------------------------------------------- faults */

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

static uint64_t bent(const writer *w, zip_fault_kind kind, uint64_t value) {
    return has(w, kind) ? wrong(w, value) : value;
}

/* What is wrong in both headers of a member. */
static void bend_both(const writer *w, zip_head *head) {
    head->method = (uint16_t)bent(w, ZIP_FAULT_METHOD, head->method);
    head->size = bent(w, ZIP_FAULT_SIZE, head->size);
    head->packed_size = bent(w, ZIP_FAULT_PACKED, head->packed_size);
    head->crc = (uint32_t)bent(w, ZIP_FAULT_CRC, head->crc);
    head->flags ^= has(w, ZIP_FAULT_ENCRYPTED) ? ZIP_FLAG_ENCRYPTED : 0;
    head->flags ^= has(w, ZIP_FAULT_DESCRIPTOR) ? ZIP_FLAG_DESCRIPTOR : 0;
}

/* In the local one. The name keeps its length, which offsets depend on. */
static void bend_local(const writer *w, zip_head *head) {
    head->method = (uint16_t)bent(w, ZIP_FAULT_LOCAL_METHOD, head->method);
    head->flags = (uint16_t)bent(w, ZIP_FAULT_LOCAL_FLAGS, head->flags);
    head->size = bent(w, ZIP_FAULT_LOCAL_SIZE, head->size);
    head->packed_size = bent(w, ZIP_FAULT_LOCAL_PACKED, head->packed_size);
    head->crc = (uint32_t)bent(w, ZIP_FAULT_LOCAL_CRC, head->crc);
}

/* ---------------------------------------------------------------------- members */

static bool is_bent(const writer *w, size_t part) {
    return w->fault->part == part;
}

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

/* Bytes of the fields of zip64 of a local header. */
static size_t wide_size(const writer *w, size_t i) {
    bool twice = is_bent(w, i) && has(w, ZIP_FAULT_WIDE_TWICE);
    bool wide = twice || (is_bent(w, i) && has(w, ZIP_FAULT_WIDE)) ||
                (w->model->parts[i].forms & ZIP_FORM_WIDE) != 0;
    return wide ? (twice ? 40 : 20) : 0;
}

static void put_head(writer *w, const zip_head *head, size_t wide) {
    number(w, 2, head->flags);
    number(w, 2, head->method);
    number(w, 4, head->stamp);
    number(w, 4, head->crc);
    number(w, 4, wide > 0 ? UINT32_MAX : head->packed_size);
    number(w, 4, wide > 0 ? UINT32_MAX : head->size);
    number(w, 2, head->name.size);
    number(w, 2, head->extra.size + wide);
}

static void put_wide(writer *w, const zip_head *head, uint64_t wrong_by) {
    number(w, 2, 1);
    number(w, 2, 16);
    number(w, 8, head->size + wrong_by);
    number(w, 8, head->packed_size);
}

/* The fields of zip64, if there are any. */
static void put_wides(writer *w, size_t i, const zip_head *head, size_t size) {
    if (size > 0) {
        put_wide(w, head, is_bent(w, i) && has(w, ZIP_FAULT_WIDE) ? 1 : 0);
    }
    if (size > 20) {
        put_wide(w, head, w->fault->number % 3);
    }
}

/* Behind the member; as PyTorch writes it, or in another form. */
static void put_descriptor(writer *w, size_t i, const zip_head *head) {
    unsigned forms = w->model->parts[i].forms;
    size_t width = (forms & ZIP_FORM_LONG) != 0 ? 8 : 4;
    bool here = is_bent(w, i);
    if ((forms & ZIP_FORM_UNSIGNED) == 0) {
        signature(w, here && has(w, ZIP_FAULT_LATER_SIGNATURE) ? "PK\7\7" : "PK\7\10");
    }
    number(w, 4, here ? bent(w, ZIP_FAULT_LATER_CRC, head->crc) : head->crc);
    number(w, width, here ? bent(w, ZIP_FAULT_LATER_PACKED, head->packed_size) : head->packed_size);
    number(w, width, here ? bent(w, ZIP_FAULT_LATER_SIZE, head->size) : head->size);
    if (here && has(w, ZIP_FAULT_LATER_GAP)) {
        number(w, 1 + (size_t)(w->fault->number % 8), w->fault->number);
    }
}

static void put_name(writer *w, size_t i, ep_bytes name) {
    char *at = take(w, name.size);
    if (at != NULL && name.size > 0) {
        memcpy(at, name.data, name.size);
        bool other = is_bent(w, i) && has(w, ZIP_FAULT_LOCAL_NAME);
        at[w->fault->number % name.size] ^= other ? 1 : 0;
    }
}

static void put_local(writer *w, size_t i, const zip_head *head) {
    const zip_part *part = &w->model->parts[i];
    zip_head local = *head;
    local.extra = part->local_extra;
    size_t wide = wide_size(w, i);
    uint64_t needed = part->needed;
    if ((part->flags & ZIP_FLAG_DESCRIPTOR) != 0 && (part->forms & ZIP_FORM_KEPT) == 0) {
        local.crc = 0;
        local.packed_size = local.size = 0;
    }
    if (is_bent(w, i)) {
        bend_local(w, &local);
        needed = bent(w, ZIP_FAULT_LOCAL_NEEDED, needed);
    }
    bool unsigned_ = is_bent(w, i) && has(w, ZIP_FAULT_LOCAL_SIGNATURE);
    signature(w, unsigned_ ? "PK\3\5" : "PK\3\4");
    number(w, 2, needed);
    put_head(w, &local, wide);
    put_name(w, i, local.name);
    put(w, local.extra);
    put_wides(w, i, &local, wide);
}

static void put_member(writer *w, size_t i) {
    const zip_part *part = &w->model->parts[i];
    zip_head *head = &w->heads[i];
    *head = (zip_head){.flags = part->flags,
                       .stamp = part->stamp,
                       .crc = part->packed ? part->crc : 0,
                       .size = part->packed ? part->size : part->data.size,
                       .name = part->name,
                       .extra = part->extra};
    size_t before = ZIP_LOCAL_SIZE + part->name.size + part->local_extra.size + wide_size(w, i);
    ep_bytes packed = pack(w, part, w->size + before, head);
    head->packed_size = packed.size;
    if (!part->packed) {
        head->crc = (uint32_t)crc32(0, (const Bytef *)part->data.data, (uInt)part->data.size);
    }
    if (is_bent(w, i)) {
        bend_both(w, head);
    }
    w->offsets[i] = w->size - w->base;
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

static uint64_t offset_of(const writer *w, size_t i) {
    if (!is_bent(w, i)) {
        return w->offsets[i];
    }
    size_t other = (size_t)(w->fault->number % w->model->count);
    return has(w, ZIP_FAULT_OVERLAP) ? w->offsets[other] : bent(w, ZIP_FAULT_OFFSET, w->offsets[i]);
}

/* The place in a field of zip64, with the sizes before it if they are in one. */
static void put_wide_place(writer *w, size_t i, const zip_head *head, bool sizes) {
    number(w, 2, 1);
    number(w, 2, sizes ? 24 : 8);
    if (sizes) {
        number(w, 8, head->size);
        number(w, 8, head->packed_size);
    }
    number(w, 8, offset_of(w, i));
}

/* An end record of the entries so far, whose comment is the rest. */
static void put_hidden_end(writer *w, size_t count) {
    w->hidden = w->size;
    signature(w, "PK\5\6");
    number(w, 4, 0);
    number(w, 2, count);
    number(w, 2, count);
    number(w, 4, w->directory_size);
    number(w, 4, w->directory);
    number(w, 2, 0);
}

/* The i-th of the directory, with what comes behind its head. */
static void put_entry_comment(writer *w, size_t i, bool hidden, size_t before) {
    if (hidden) {
        put_hidden_end(w, before);
    } else {
        put(w, w->model->parts[i].comment);
    }
}

static void put_entry(writer *w, size_t i, size_t before) {
    const zip_part *part = &w->model->parts[i];
    const zip_head *head = &w->heads[i];
    size_t wide = wide_size(w, i);
    bool place = (part->forms & ZIP_FORM_WIDE_PLACE) != 0 && wide <= 20;
    size_t fields = place ? (wide > 0 ? 28 : 12) : wide;
    bool unsigned_ = is_bent(w, i) && has(w, ZIP_FAULT_SIGNATURE);
    zip_head said = *head;
    said.packed_size = wide > 0 ? UINT32_MAX : head->packed_size;
    said.size = wide > 0 ? UINT32_MAX : head->size;
    said.extra.size += fields - wide;
    signature(w, unsigned_ ? "PK\1\3" : "PK\1\2");
    number(w, 2, part->made_by);
    number(w, 2, part->needed);
    put_head(w, &said, wide);
    bool hidden = is_bent(w, i) && has(w, ZIP_FAULT_END_LISTED);
    number(w, 2, hidden ? ZIP_END_SIZE : part->comment.size);
    number(w, 2, is_bent(w, i) ? bent(w, ZIP_FAULT_ENTRY_DISK, 0) : 0);
    number(w, 2, part->inside);
    number(w, 4, part->outside);
    number(w, 4, place ? UINT32_MAX : offset_of(w, i));
    put(w, head->name);
    put(w, head->extra);
    if (place) {
        put_wide_place(w, i, head, wide > 0);
    } else {
        put_wides(w, i, head, wide);
    }
    put_entry_comment(w, i, hidden, before);
}

static void put_end64(writer *w) {
    uint64_t count = bent(w, ZIP_FAULT_COUNT_64, w->model->count);
    w->end64 = w->size - w->base;
    signature(w, "PK\6\6");
    number(w, 8, ZIP_END64_SIZE - 12);
    number(w, 2, 45);
    number(w, 2, 45);
    number(w, 8, bent(w, ZIP_FAULT_DISK_64, 0));
    number(w, 8, count);
    number(w, 8, count);
    number(w, 8, w->directory_size);
    number(w, 8, bent(w, ZIP_FAULT_DIRECTORY_64, w->directory));
}

static void put_locator(writer *w) {
    signature(w, "PK\6\7");
    number(w, 4, 0);
    number(w, 8, bent(w, ZIP_FAULT_LOCATOR, w->end64));
    number(w, 4, 1);
}

/* The records of zip64, and others that are not the ones: those that the locator, or the
 * place before it, does not name. */
static void put_zip64(writer *w) {
    put_end64(w);
    uint64_t first = w->end64;
    if (has(w, ZIP_FAULT_END64_AGAIN)) {
        put_end64(w);
        w->end64 = w->fault->number % 2 == 0 ? first : w->end64;
    }
    if (has(w, ZIP_FAULT_LOCATOR_AGAIN)) {
        put_locator(w);
        put_end64(w);
        w->end64 = w->fault->number % 2 == 0 ? first : w->end64;
    }
    put_locator(w);
    if (has(w, ZIP_FAULT_GAP_BEHIND_END64)) {
        junk(w);
    }
}

static void put_end(writer *w, ep_bytes comment) {
    bool unset = has(w, ZIP_FAULT_UNSET);
    bool inside = has(w, ZIP_FAULT_END_INSIDE);
    signature(w, "PK\5\6");
    number(w, 4, bent(w, ZIP_FAULT_DISK, 0));
    number(w, 2, unset ? UINT16_MAX : bent(w, ZIP_FAULT_COUNT_HERE, w->model->count));
    number(w, 2, unset ? UINT16_MAX : bent(w, ZIP_FAULT_COUNT, w->model->count));
    number(w, 4, unset ? UINT32_MAX : bent(w, ZIP_FAULT_DIRECTORY_SIZE, w->directory_size));
    number(w, 4, unset ? UINT32_MAX : bent(w, ZIP_FAULT_DIRECTORY, w->directory));
    size_t size = comment.size + (inside ? ZIP_END_SIZE : 0);
    number(w, 2, bent(w, ZIP_FAULT_COMMENT_SIZE, size));
    put(w, comment);
}

/* A record that is not the one: of the members without the last, or of none. */
static void put_other_end(writer *w) {
    bool none = w->fault->number % 2 == 0;
    size_t count = none ? 0 : w->model->count;
    signature(w, "PK\5\6");
    number(w, 4, 0);
    number(w, 2, count);
    number(w, 2, count);
    number(w, 4, none ? 0 : w->directory_size);
    number(w, 4, none ? w->size : w->directory);
    number(w, 2, has(w, ZIP_FAULT_END_BEFORE) ? ZIP_END_SIZE : 0);
}

/* Which member is the i-th of the directory. */
static size_t in_directory(const zip_model *model, size_t i) {
    size_t turned = model->turned % model->count;
    return (model->backwards ? turned + model->count - i : turned + i) % model->count;
}

static void put_directory(writer *w) {
    if (has(w, ZIP_FAULT_GAP_BEFORE_DIRECTORY)) {
        junk(w);
    }
    w->directory = w->size - w->base;
    for (size_t i = 0; i < w->model->count; i++) {
        w->directory_size = w->size - w->base - w->directory;
        put_entry(w, in_directory(w->model, i), i);
    }
    w->directory_size = w->size - w->base - w->directory;
    if (has(w, ZIP_FAULT_GAP_BEHIND_DIRECTORY)) {
        junk(w);
    }
    if (w->model->zip64) {
        put_zip64(w);
    }
    if (has(w, ZIP_FAULT_END_BEFORE)) {
        put_other_end(w);
    }
    put_end(w, w->model->comment);
    if (has(w, ZIP_FAULT_END_INSIDE)) {
        put_other_end(w);
    }
}

/* A member once more, that no entry is of. */
static void put_unlisted(writer *w, size_t i) {
    zip_head kept = w->heads[i];
    uint64_t offset = w->offsets[i];
    put_member(w, i);
    w->heads[i] = kept;
    w->offsets[i] = offset;
}

size_t zip_write(const zip_model *model, const zip_fault *fault, mutate_room room) {
    writer w = {.model = model, .fault = fault, .room = room};
    if (has(&w, ZIP_FAULT_PREFIX) || has(&w, ZIP_FAULT_PREFIX_UNCOUNTED)) {
        signature(&w, "PK\3\4"); /* or else it is no archive at all */
        junk(&w);
        w.base = has(&w, ZIP_FAULT_PREFIX) ? 0 : w.size;
    }
    for (size_t i = 0; i < model->count; i++) {
        put_member(&w, i);
        if (has(&w, ZIP_FAULT_GAP) && is_bent(&w, i)) {
            junk(&w);
        }
        if (has(&w, ZIP_FAULT_UNLISTED) && is_bent(&w, i)) {
            put_unlisted(&w, i);
        }
    }
    put_directory(&w);
    if (has(&w, ZIP_FAULT_TRAILING)) {
        junk(&w);
    }
    if (w.hidden > 0 && !w.full && fault->number % 2 == 0) {
        zip_put((char *)room.data + w.hidden + 20, 2, w.size - w.hidden - ZIP_END_SIZE);
    }
    bool cut = has(&w, ZIP_FAULT_CUT) && w.size > 80;
    return w.full ? 0 : w.size - (cut ? 1 + (size_t)(fault->number % 70) : 0);
}
