/*
 * oracles/zip_rules.c - see zip_rules.h. Written from SPEC 8.1, apart from ref/archive/zipfile*.c;
 * what they share is the numbers of the format.
 */
#include "oracles/zip_rules.h"

#include "common/buffer.h"
#include "fuzz.h"
#include "oracles/zip_reader.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t all_bits = UINT32_MAX;

static bool is_signed(ep_bytes file, uint64_t at, uint64_t size, const char *signature) {
    return at <= file.size && size <= file.size - at && memcmp(file.data + at, signature, 4) == 0;
}

/* --------------------------------------------------------------- 8.1.1: the end */

/* The numbers of the end record: disk, disk of the directory, entries of this disk,
 * entries, size, place; and in that of zip64. */
enum { NUMBERS = 6 };
static const size_t small_sizes[NUMBERS] = {2, 2, 2, 2, 4, 4};
static const size_t large_sizes[NUMBERS] = {4, 4, 8, 8, 8, 8};

static void take_numbers(const char *at, const size_t *sizes, uint64_t *numbers) {
    for (size_t i = 0; i < NUMBERS; i++) {
        numbers[i] = zip_get(at, sizes[i]);
        at += sizes[i];
    }
}

/* Where the last four bytes of an end record are; false where there are none. */
static bool find_last(ep_bytes file, uint64_t *place) {
    for (size_t at = file.size; at-- > 0;) {
        if (is_signed(file, at, 4, "PK\5\6")) {
            *place = at;
            return true;
        }
    }
    return false;
}

/* Puts the numbers of zip64 in the place of those that the end record leaves open. */
static bool merge_end64(const char *locator, const char *record, uint64_t place,
                        uint64_t *numbers) {
    uint64_t large[NUMBERS];
    bool ok = memcmp(record, "PK\6\6", 4) == 0 && zip_get(record + 4, 8) == 56 - 12 &&
              zip_get(locator + 4, 4) == 0 && zip_get(locator + 8, 8) == place &&
              zip_get(locator + 16, 4) == 1;
    take_numbers(record + 16, large_sizes, large);
    for (size_t i = 0; i < NUMBERS; i++) {
        uint64_t open = small_sizes[i] == 2 ? UINT16_MAX : all_bits;
        ok = ok && (numbers[i] == large[i] || numbers[i] == open);
        numbers[i] = large[i];
    }
    return ok;
}

/* Whether entries, so many, fill a stretch of the file. */
static bool is_directory(ep_bytes file, uint64_t at, uint64_t size, uint64_t count) {
    uint64_t seen = 0;
    while (size > 0) {
        TRY(size >= 46 && is_signed(file, at, 46, "PK\1\2"));
        const char *entry = file.data + at;
        uint64_t own =
            46 + zip_get(entry + 28, 2) + zip_get(entry + 30, 2) + zip_get(entry + 32, 2);
        TRY(own <= size);
        at += own;
        size -= own;
        seen++;
    }
    return seen == count;
}

/* Whether the numbers of a record at a place are those of a directory before it. */
static bool leads(ep_bytes file, const uint64_t *numbers, uint64_t place) {
    return numbers[5] <= place && numbers[4] <= place - numbers[5] &&
           is_directory(file, numbers[5], numbers[4], numbers[3]);
}

/* Whether there is another record that may be taken for the end record. */
static bool has_second(ep_bytes file, uint64_t end) {
    uint64_t from = file.size > 65578 ? file.size - 65578 : 0;
    uint64_t numbers[NUMBERS];
    for (uint64_t at = from; at + 22 <= end; at++) {
        const char *record = file.data + at;
        if (memcmp(record, "PK\5\6", 4) != 0) {
            continue;
        }
        take_numbers(record + 4, small_sizes, numbers);
        if (leads(file, numbers, at)) {
            return true;
        }
        if (at - from >= 20 && memcmp(record - 20, "PK\6\7", 4) == 0 &&
            is_signed(file, zip_get(record - 12, 8), 56, "PK\6\6")) {
            take_numbers(file.data + zip_get(record - 12, 8) + 16, large_sizes, numbers);
            if (leads(file, numbers, at)) {
                return true;
            }
        }
    }
    return false;
}

static bool judge_end(zip_rules *r, uint64_t *count) {
    uint64_t end;
    uint64_t numbers[NUMBERS];
    ep_bytes file = r->file;
    TRY(find_last(file, &end) && file.size - end >= 22 &&
        zip_get(file.data + end + 20, 2) == file.size - end - 22);
    take_numbers(file.data + end + 4, small_sizes, numbers);
    uint64_t first = end;
    if (end >= 20 && is_signed(file, end - 20, 20, "PK\6\7")) {
        TRY(end >= 76);
        first = end - 76;
        TRY(merge_end64(file.data + end - 20, file.data + first, first, numbers));
    }
    r->directory = numbers[5];
    *count = numbers[3];
    return numbers[0] == 0 && numbers[1] == 0 && numbers[2] == numbers[3] && numbers[5] <= first &&
           first - numbers[5] == numbers[4] && is_directory(file, numbers[5], numbers[4], *count) &&
           !has_second(file, end);
}

/* ----------------------------------------------------------- 8.1.5: extra fields */

/* Which fields there may be; *zip64 is the one of zip64, without data where there is
 * none. */
static bool judge_fields(ep_bytes fields, ep_bytes *zip64) {
    *zip64 = (ep_bytes){NULL, 0};
    while (fields.size > 0) {
        TRY(fields.size >= 4);
        uint64_t id = zip_get(fields.data, 2);
        size_t size = (size_t)zip_get(fields.data + 2, 2);
        TRY(size <= fields.size - 4);
        switch (id) {
        case 0x0001:
            TRY(zip64->data == NULL);
            *zip64 = (ep_bytes){fields.data + 4, size};
            break;
        case 0x4246:
        case 0x5455:
        case 0x5855:
        case 0x000A:
        case 0x7855:
        case 0x7875:
            break;
        default:
            return false;
        }
        fields = (ep_bytes){fields.data + 4 + size, fields.size - 4 - size};
    }
    return true;
}

/* The next eight bytes of a field. */
static bool shift(ep_bytes *field, uint64_t *number) {
    TRY(field->size >= 8);
    *number = zip_get(field->data, 8);
    *field = (ep_bytes){field->data + 8, field->size - 8};
    return true;
}

/* --------------------------------------------------------- the directory's entries */

/* 8.1.5, for the entry. */
static bool judge_entry(zip_ruled *m) {
    const char *e = m->entry;
    ep_bytes zip64;
    size_t name = (size_t)zip_get(e + 28, 2);
    if (!judge_fields((ep_bytes){e + 46 + name, (size_t)zip_get(e + 30, 2)}, &zip64)) {
        return false;
    }
    bool asks = m->size == all_bits || m->packed == all_bits || m->header == all_bits;
    bool filled = asks == (zip64.data != NULL) &&
                  (m->size != all_bits || shift(&zip64, &m->size)) &&
                  (m->packed != all_bits || shift(&zip64, &m->packed)) &&
                  (m->header != all_bits || shift(&zip64, &m->header)) && zip64.size == 0;
    uint64_t host = zip_get(e + 5, 1);
    uint64_t kind = zip_get(e + 40, 2) & 0xF000;
    bool unix_like = host == 3 || host == 19;
    bool plain = !unix_like || kind == 0 || kind == 0x4000 || kind == 0x8000;
    bool slash = name > 0 && e[46 + name - 1] == '/';
    bool said = (zip_get(e + 38, 4) & 16) != 0 || (unix_like && kind == 0x4000);
    plain = plain && (slash || !said);
    bool sized = m->method == 0 ? m->size == m->packed : m->packed > 0;
    return filled && plain && sized && (m->flags & ~0x080Eu) == 0 &&
           (m->method == 0 || m->method == 8) && zip_get(e + 34, 2) == 0 && zip_get(e + 6, 2) <= 63;
}

/* 8.1.4, for one name. */
static bool judge_name(const zip_ruled *m) {
    ep_bytes name = m->name;
    bool ascii = true;
    bool kept = true;
    for (size_t i = 0; i < name.size; i++) {
        unsigned char c = (unsigned char)name.data[i];
        ascii = ascii && c < 128;
        kept = kept && c != '\\' && (c >= 0x20 || c == 0x09 || c == 0x0A || c == 0x0D);
    }
    return name.size > 0 && kept &&
           (ascii || ((m->flags & ZIP_FLAG_UTF8) != 0 && fuzz_is_utf8(name))) &&
           (name.data[name.size - 1] != '/' || m->size == 0);
}

static ep_code judge_entries(zip_rules *r) {
    const char *at = r->file.data + r->directory;
    for (size_t i = 0; i < r->count; i++) {
        size_t name = (size_t)zip_get(at + 28, 2);
        r->members[i] = (zip_ruled){.name = {at + 46, name},
                                    .entry = at,
                                    .flags = (uint16_t)zip_get(at + 8, 2),
                                    .method = (uint16_t)zip_get(at + 10, 2),
                                    .crc = (uint32_t)zip_get(at + 16, 4),
                                    .size = zip_get(at + 24, 4),
                                    .packed = zip_get(at + 20, 4),
                                    .header = zip_get(at + 42, 4)};
        if (!judge_entry(&r->members[i])) {
            return EP_ARCHIVE_HEADER;
        }
        if (!judge_name(&r->members[i])) {
            return EP_ARCHIVE_NAME;
        }
        at += 46 + name + zip_get(at + 30, 2) + zip_get(at + 32, 2);
    }
    return EP_OK;
}

static unsigned fold(char c) {
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c ^ 0x20 : c);
}

bool zip_rules_same_name(ep_bytes a, ep_bytes b, bool folded) {
    bool same = a.size == b.size;
    for (size_t i = 0; same && i < a.size; i++) {
        same = folded ? fold(a.data[i]) == fold(b.data[i]) : a.data[i] == b.data[i];
    }
    return same;
}

static bool has_twins(const zip_rules *r, bool folded) {
    for (size_t i = 0; i < r->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (zip_rules_same_name(r->members[i].name, r->members[j].name, folded)) {
                return true;
            }
        }
    }
    return false;
}

/* ------------------------------------------------------- 8.1.5, 8.1.6: in the file */

/* The field of zip64 of a local header. */
static bool judge_local64(const zip_ruled *m, ep_bytes zip64, bool asked, bool later) {
    uint64_t number;
    if (asked) {
        uint64_t size;
        uint64_t packed;
        return shift(&zip64, &size) && shift(&zip64, &packed) && zip64.size == 0 &&
               (size == m->size || (later && size == 0)) &&
               (packed == m->packed || (later && packed == 0));
    }
    bool ok =
        zip64.data == NULL || (later ? zip64.size % 8 == 0 && zip64.size <= 24 : zip64.size == 8);
    while (ok && shift(&zip64, &number)) {
        bool said = number == 0 || number == m->size || number == m->packed;
        ok = number == m->header || (later && said);
    }
    return ok;
}

/* *end is left behind the bytes. */
static bool judge_local(const zip_rules *r, const zip_ruled *m, uint64_t *end) {
    ep_bytes zip64;
    TRY(is_signed(r->file, m->header, 30, "PK\3\4"));
    const char *h = r->file.data + m->header;
    size_t name = (size_t)zip_get(h + 26, 2);
    size_t fields = (size_t)zip_get(h + 28, 2);
    uint64_t room = r->directory - m->header;
    if (m->header >= r->directory || room < 30 + name + fields ||
        room - 30 - name - fields < m->packed ||
        !zip_rules_same_name((ep_bytes){h + 30, name}, m->name, false) ||
        !judge_fields((ep_bytes){h + 30 + name, fields}, &zip64)) {
        return false;
    }
    *end = m->header + 30 + name + fields + m->packed;
    bool later = (m->flags & ZIP_FLAG_DESCRIPTOR) != 0;
    uint64_t packed = zip_get(h + 18, 4);
    uint64_t size = zip_get(h + 22, 4);
    bool asked = packed == all_bits && size == all_bits;
    bool sizes = asked || ((packed == m->packed || (later && packed == 0)) &&
                           (size == m->size || (later && size == 0)));
    uint64_t crc = zip_get(h + 14, 4);
    return sizes && judge_local64(m, zip64, asked, later) && zip_get(h + 4, 2) <= 63 &&
           zip_get(h + 6, 2) == m->flags && zip_get(h + 8, 2) == m->method &&
           (crc == m->crc || (later && crc == 0));
}

/* Whether a descriptor of one of four forms fills a place. */
static bool is_descriptor(const zip_rules *r, const zip_ruled *m, uint64_t from, uint64_t to) {
    for (size_t form = 0; form < 4; form++) {
        size_t marked = form % 2 == 0 ? 0 : 4;
        size_t width = form < 2 ? 4 : 8;
        const char *at = r->file.data + from;
        if (to - from == marked + 4 + 2 * width && (marked == 0 || memcmp(at, "PK\7\10", 4) == 0)) {
            at += marked;
            return zip_get(at, 4) == m->crc && zip_get(at + 4, width) == m->packed &&
                   zip_get(at + 4 + width, width) == m->size;
        }
    }
    return false;
}

/* The member that begins at a place; NULL if there is none. */
static const zip_ruled *begins_at(const zip_rules *r, uint64_t place) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->members[i].header == place) {
            return &r->members[i];
        }
    }
    return NULL;
}

/* Where what follows a place begins: the next member, or the directory. */
static uint64_t next_after(const zip_rules *r, uint64_t place) {
    uint64_t next = r->directory;
    for (size_t i = 0; i < r->count; i++) {
        uint64_t header = r->members[i].header;
        next = header > place && header < next ? header : next;
    }
    return next;
}

/* From the first byte of the file on: whoever gets to the directory with each member
 * taken once has gone over all of them. */
static bool judge_places(const zip_rules *r) {
    uint64_t at = 0;
    uint64_t end;
    for (size_t i = 0; i < r->count; i++) {
        const zip_ruled *m = begins_at(r, at);
        TRY(m != NULL && judge_local(r, m, &end));
        uint64_t next = next_after(r, at);
        bool later = (m->flags & ZIP_FLAG_DESCRIPTOR) != 0;
        TRY(end <= next && (later ? is_descriptor(r, m, end, next) : end == next));
        at = next;
    }
    return at == r->directory;
}

/* ---------------------------------------------------------------------- in order */

static ep_code judge(zip_rules *r) {
    uint64_t count;
    if (!judge_end(r, &count)) {
        return EP_ARCHIVE;
    }
    r->members = calloc((size_t)count + 1, sizeof *r->members);
    r->failed = r->members == NULL;
    r->count = r->failed ? 0 : (size_t)count;
    ep_code code = r->failed ? EP_MEMORY : judge_entries(r);
    if (code != EP_OK) {
        return code;
    }
    if (has_twins(r, false)) {
        return EP_ARCHIVE_NAME;
    }
    return judge_places(r) ? EP_OK : EP_ARCHIVE_SPACE;
}

ep_code zip_rules_open(ep_bytes file, zip_rules *r) {
    *r = (zip_rules){.file = file};
    return judge(r);
}

void zip_rules_free(zip_rules *r) {
    free(r->members);
    *r = (zip_rules){.file = {"", 0}};
}

ep_code zip_rules_folded(const zip_rules *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->members[i].name.size > 511) {
            return EP_ARCHIVE_NAME;
        }
    }
    return has_twins(r, true) ? EP_ARCHIVE_NAME : EP_OK;
}

/* ----------------------------------------------------------- 8.1.2, 8.1.7: layouts */

static const char flat_name[] = "serialized_exported_program.json";

/* "R/", of a name that is in a folder R. */
static size_t folder_of(ep_bytes name) {
    const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
    return slash == NULL ? 0 : (size_t)(slash - name.data) + 1;
}

/* Whether a name is R/models/ and more, which is left in *rest. */
static bool is_in_models(ep_bytes name, ep_bytes *rest) {
    size_t root = folder_of(name);
    *rest = (ep_bytes){name.data + root, name.size - root};
    TRY(root >= 2 && bytes_start(*rest, "models/") && name.data[name.size - 1] != '/');
    *rest = (ep_bytes){rest->data + 7, rest->size - 7};
    return true;
}

/* NAME of R/models/NAME.json. */
static bool is_model(ep_bytes name, ep_bytes *own) {
    TRY(is_in_models(name, own) && bytes_end(*own, ".json"));
    own->size -= 5;
    return true;
}

static bool is_flat(const zip_rules *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (bytes_equal(r->members[i].name, flat_name)) {
            return true;
        }
    }
    return false;
}

static bool is_program(const zip_ruled *m, bool flat, const char *model) {
    ep_bytes own;
    if (bytes_equal(m->name, flat_name)) {
        return true;
    }
    bool extra = flat && bytes_start(m->name, "extra_files/");
    return !extra && is_model(m->name, &own) && (model == NULL || bytes_equal(own, model));
}

size_t zip_rules_folder(const zip_rules *r) {
    size_t root = r->count == 0 ? 0 : folder_of(r->members[0].name);
    for (size_t i = 0; i < r->count; i++) {
        ep_bytes name = r->members[i].name;
        if (name.size < root || memcmp(name.data, r->members[0].name.data, root) != 0) {
            return 0;
        }
    }
    return root > 1 ? root : 0;
}

/* 8.1.7 */
static bool has_one_layout(const zip_rules *r, bool flat) {
    ep_bytes own;
    if (flat) {
        return folder_of(r->members[0].name) == 0;
    }
    for (size_t i = 0; i < r->count; i++) {
        ep_bytes name = r->members[i].name;
        if (is_in_models(name, &own) && !is_model(name, &own)) {
            return false;
        }
    }
    return zip_rules_folder(r) > 0;
}

ep_code zip_rules_layout(const zip_rules *r, const char *model, const zip_ruled **program) {
    size_t count = 0;
    bool flat = is_flat(r);
    *program = NULL;
    for (size_t i = 0; i < r->count; i++) {
        if (is_program(&r->members[i], flat, model)) {
            *program = &r->members[i];
            count++;
        }
    }
    if (count != 1) {
        return EP_ARCHIVE_PROGRAM;
    }
    if (!has_one_layout(r, flat)) {
        return EP_ARCHIVE_LAYOUT;
    }
    return flat ? EP_OK : zip_rules_folded(r);
}
