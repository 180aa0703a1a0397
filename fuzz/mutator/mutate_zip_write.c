/*
 * mutator/mutate_zip_write.c - writes an archive from its parts, with one fault; see
 * mutate_zip.h.
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
    zip_work *w;
    const zip_model *model;
    zip_fault fault;
    bool late; /* the fault is at the end of the archive */
    char *to;
    size_t room;
    size_t size;
    bool full;
    size_t part;    /* the member that has the fault */
    size_t place;   /* before how many records something is inserted, among those counted */
    size_t records; /* so far */
    size_t fields;  /* numbers and names so far */
    char *field;    /* one of these, each as likely */
    size_t field_size;
    size_t base; /* what offsets are counted from */
    zip_values heads[ZIP_PARTS_MAX];
    zip_values all;
} writer;

/* ------------------------------------------------------------------------ bytes */

/* A number that is not this one: near it, or far off. */
static uint64_t wrong(zip_work *w, uint64_t value) {
    static const uint64_t far[] = {0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, UINT64_MAX};
    uint64_t near = 1 + random_below(&w->r, 3);
    uint64_t made[] = {value + near, value - near, ZIP_DRAW(w, far),
                       value ^ UINT64_C(1) << random_below(&w->r, 32)};
    uint64_t number = ZIP_DRAW(w, made);
    return number != value ? number : value + 1;
}

/* The bytes may lie in what is written. */
static char *put(writer *z, ep_bytes bytes) {
    char *at = z->to + z->size;
    z->full = z->full || bytes.size > z->room - z->size;
    if (z->full || bytes.size == 0) {
        return NULL;
    }
    memmove(at, bytes.data, bytes.size);
    z->size += bytes.size;
    return at;
}

static void put_field(writer *z, ep_bytes bytes) {
    char *at = put(z, bytes);
    if (at != NULL && random_one_in(&z->w->r, ++z->fields)) {
        z->field = at;
        z->field_size = bytes.size < 8 ? bytes.size : 8;
    }
}

static void number(writer *z, size_t size, uint64_t value) {
    char bytes[8];
    zip_put(bytes, size, value);
    put_field(z, (ep_bytes){bytes, size});
}

static void insert(writer *z);

static void record(writer *z, const char *fields, const zip_values *v) {
    for (; *fields != '\0'; fields += 2) {
        const char *capital = strchr(capitals, fields[1]);
        if (capital != NULL && z->records++ == z->place) {
            insert(z);
        }
        number(z, (size_t)(fields[0] - '0'),
               capital != NULL ? signatures[capital - capitals] : ZIP_VALUE(v, fields[1]));
    }
}

/* ---------------------------------------------------------------------- members */

/* Packs the data at the end of what is written, without what zlib has around it; stored where
 * that fails. */
static ep_bytes pack(writer *z, const zip_part *part, size_t at, zip_values *v) {
    uLongf size = at <= z->room ? z->room - at : 0;
    if (part->packed) {
        return part->data;
    }
    bool packs = ZIP_VALUE(v, 'm') == ZIP_DEFLATED && size > 0 &&
                 compress2((Bytef *)z->to + at, &size, (const Bytef *)part->data.data,
                           part->data.size, 1) == Z_OK;
    ZIP_VALUE(v, 'm') = packs ? ZIP_DEFLATED : ZIP_STORED;
    return packs ? (ep_bytes){z->to + at + 2, size - 6} : part->data;
}

/* What a member says in a field of zip64: its sizes, its place. */
static size_t wide_size(const zip_values *v, bool local) {
    size_t sizes = (ZIP_VALUE(v, 'g') & ZIP_FORM_WIDE) != 0 ? 16 : 0;
    size_t place = (ZIP_VALUE(v, 'g') & ZIP_FORM_WIDE_PLACE) != 0 && !local ? 8 : 0;
    return sizes + place > 0 ? 4 + sizes + place : 0;
}

/* A header, with what is behind it but for its comment. */
static void put_head(writer *z, const char *fields, const zip_part *part, zip_values v) {
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
    record(z, fields, &said);
    put_field(z, part->name);
    put(z, extra);
    ZIP_VALUE(&v, 's') = wide - 4;
    record(z, wide > 0 ? "2h2s" : "", &v);
    record(z, wide >= 20 ? "8u8p" : "", &v);
    record(z, wide % 16 == 12 ? "8l" : "", &v);
}

static void put_member(writer *z, size_t i) {
    const zip_part *part = &z->model->parts[i];
    zip_values *v = &z->heads[i];
    record(z, "4L", v);
    *v = part->values;
    ZIP_VALUE(v, 'l') = z->size - 4 - z->base;
    ZIP_VALUE(v, 'h') = 1;
    ZIP_VALUE(v, 'a') = part->name.size;
    ZIP_VALUE(v, 'o') = part->comment.size;
    size_t before = ZIP_LOCAL_SIZE - 4 + part->name.size + part->local_extra.size;
    ep_bytes packed = pack(z, part, z->size + before + wide_size(v, true), v);
    ZIP_VALUE(v, 'p') = packed.size;
    if (!part->packed) {
        ZIP_VALUE(v, 'u') = part->data.size;
        ZIP_VALUE(v, 'c') = crc32(0, (const Bytef *)part->data.data, (uInt)part->data.size);
    }
    if (z->fault == ZIP_FAULT_BOTH && z->part == i) {
        uint64_t *bent = &ZIP_VALUE(v, "cccupmf"[random_below(&z->w->r, 7)]);
        *bent = wrong(z->w, *bent);
    }
    unsigned forms = (unsigned)ZIP_VALUE(v, 'g');
    bool later = (ZIP_VALUE(&part->values, 'f') & ZIP_FLAG_DESCRIPTOR) != 0;
    zip_values local = *v;
    if (later && (forms & ZIP_FORM_KEPT) == 0) {
        ZIP_VALUE(&local, 'c') = ZIP_VALUE(&local, 'p') = ZIP_VALUE(&local, 'u') = 0;
    }
    put_head(z, LOCAL, part, local);
    put(z, packed);
    if (later) {
        record(z, (forms & ZIP_FORM_UNSIGNED) == 0 ? "4D" : "", v);
        record(z, (forms & ZIP_FORM_LONG) != 0 ? LONG_DESCRIPTOR : DESCRIPTOR, v);
    }
}

/* -------------------------------------------------------------- the archive's records */

static void put_end64(writer *z) {
    record(z, "4S", &z->all);
    ZIP_VALUE(&z->all, 'e') = z->size - 4 - z->base;
    record(z, END64, &z->all);
}

/* A record that is not the one: of what is written so far, or of none; its comment is none, or
 * the end record behind it. */
static void put_other_end(writer *z) {
    zip_values v = {.of = {['d' - 'a'] = z->size}};
    if (random_one_in(&z->w->r, 2)) {
        v = z->all;
        ZIP_VALUE(&v, 'y') = z->size - z->base - ZIP_VALUE(&v, 'd');
    }
    ZIP_VALUE(&v, 'o') = random_one_in(&z->w->r, 2) ? ZIP_END_SIZE : 0;
    record(z, END, &v);
}

/* What stands between two records and belongs to none of them: bytes, an end record, records of
 * zip64, a member that no entry is of. */
static void insert(writer *z) {
    zip_values kept = z->heads[z->part];
    zip_values all = z->all;
    bool first = z->records == 1;
    switch (random_below(&z->w->r, 5)) {
    case 0:
        put_other_end(z);
        break;
    case 1:
        put_end64(z);
        record(z, random_one_in(&z->w->r, 2) ? LOCATOR : "", &z->all);
        z->all = random_one_in(&z->w->r, 2) ? all : z->all;
        break;
    case 2:
        put_member(z, z->part);
        z->heads[z->part] = kept;
        break;
    default:
        for (size_t left = 1 + random_below(&z->w->r, 70); left > 0; left--) {
            number(z, 1, random_draw(&z->w->r));
        }
    }
    z->base = first && !z->late && random_one_in(&z->w->r, 2) ? z->size : z->base;
}

/* The members from the one that is turned to, in their order or backwards. */
static void put_directory(writer *z) {
    const zip_model *model = z->model;
    zip_values *v = &z->all;
    ZIP_VALUE(v, 'd') = z->size - z->base;
    for (size_t i = 0; i < model->count; i++) {
        size_t turned = model->turned % model->count + (model->backwards ? model->count - i : i);
        const zip_part *part = &model->parts[turned % model->count];
        put_head(z, ENTRY, part, z->heads[turned % model->count]);
        put(z, part->comment);
    }
    ZIP_VALUE(v, 'y') = z->size - z->base - ZIP_VALUE(v, 'd');
}

/* A fault of the whole archive is counted from here. */
static void put_ends(writer *z) {
    zip_values *v = &z->all;
    bool inside = z->fault == ZIP_FAULT_END_INSIDE;
    if (z->late) {
        z->fields = z->records = 0;
        z->place = z->fault == ZIP_FAULT_INSERT ? random_below(&z->w->r, 4) : SIZE_MAX;
    }
    if (z->model->zip64) {
        put_end64(z);
        record(z, LOCATOR, v);
    }
    zip_values end = *v;
    ZIP_VALUE(&end, 'o') = z->model->comment.size + (inside ? ZIP_END_SIZE : 0);
    if (z->fault == ZIP_FAULT_UNSET) {
        ZIP_VALUE(&end, 'k') = ZIP_VALUE(&end, 'y') = ZIP_VALUE(&end, 'd') = UINT64_MAX;
    }
    record(z, END, &end);
    put(z, z->model->comment);
    if (inside) {
        put_other_end(z);
    }
    if (z->records++ <= z->place && z->fault == ZIP_FAULT_INSERT) {
        insert(z);
    }
}

/* Half of the fields and records that are wrong are the last ones. */
size_t zip_write(zip_work *w, zip_fault fault, char *to, size_t room) {
    writer z = {
        .w = w, .model = &w->model, .fault = fault, .to = to, .room = room, .place = SIZE_MAX};
    const zip_model *model = z.model;
    z.part = random_below(&w->r, model->count);
    z.late = random_one_in(&w->r, 2);
    z.all = (zip_values){.of = {['h' - 'a'] = 1,
                                ['q' - 'a'] = 45,
                                ['k' - 'a'] = model->count,
                                ['r' - 'a'] = ZIP_END64_SIZE - 12}};
    if (fault == ZIP_FAULT_INSERT && !z.late) {
        z.place = random_below(&w->r, 2 * model->count);
    }
    for (size_t i = 0; i < model->count; i++) {
        put_member(&z, i);
    }
    if (fault == ZIP_FAULT_OVERLAP) {
        ZIP_VALUE(&z.heads[z.part], 'l') =
            ZIP_VALUE(&z.heads[random_below(&w->r, model->count)], 'l');
    }
    put_directory(&z);
    put_ends(&z);
    if (fault == ZIP_FAULT_FIELD && !z.full) {
        zip_put(z.field, z.field_size, wrong(w, zip_get(z.field, z.field_size)));
    }
    size_t cut = fault == ZIP_FAULT_CUT && z.size > 80 ? 1 + random_below(&w->r, 70) : 0;
    return z.full ? 0 : z.size - cut;
}
