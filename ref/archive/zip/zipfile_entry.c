/*
 * zipfile_entry.c - the entries of a zip archive's directory, and the extra fields of
 * headers. SPEC 8.1.4, 8.1.5
 */
#include <string.h>

#include "common/refusal.h"
#include "common/safe.h"
#include "zipfile_parts.h"

enum { ENTRY_SIZE = 46 };

/* -------------------------------------------------------------------- extra fields */

/* What changes nothing that a reader finds: padding, times, owners. Fields that name
 * the member anew, or say how it is encrypted, are not among them. */
static bool is_harmless(uint64_t id) {
    static const uint16_t ids[] = {
        0x4246, /* "FB", PyTorch's padding */
        0x5455, /* times, of Info-ZIP */
        0x5855, /* times and owner, of old */
        0x7855, /* owner */
        0x7875, /* owner */
        0x000A, /* times, of NTFS */
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (id == ids[i]) {
            return true;
        }
    }
    return false;
}

const char *zipfile_read_extra(ep_bytes fields, zipfile_extra *extra) {
    enum { ZIP64 = 1, HEAD = 4 };
    *extra = (zipfile_extra){0};
    for (size_t at = 0; at < fields.size;) {
        size_t room = fields.size - at;
        size_t size = room < HEAD ? 0 : (size_t)bytes_number(fields.data + at + 2, 2);
        if (room < HEAD || size > room - HEAD) {
            return "its extra fields do not fill their place";
        }
        uint64_t id = bytes_number(fields.data + at, 2);
        if (id == ZIP64 && !extra->has_zip64) {
            extra->has_zip64 = true;
            extra->zip64 = (ep_bytes){fields.data + at + HEAD, size};
        } else if (!is_harmless(id)) {
            return id == ZIP64 ? "it has two extra fields of zip64"
                               : "it has an extra field that readers may take for something else";
        }
        at += HEAD + size;
    }
    return NULL;
}

/* -------------------------------------------------------------------------- entries */

/* One entry of the directory; its texts lie behind it. */
typedef struct entry {
    const char *at;
    size_t name;
    size_t extra;
    size_t comment;
} entry;

/* What no name may hold; NULL for other bytes. libzip takes the control characters but
 * three for signs of code page 437. */
static const char *judge_byte(unsigned char c) {
    bool control = c < ' ' && c != '\t' && c != '\n' && c != '\r';
    return c == 0      ? "a name with a zero byte"
           : control   ? "a name with a control character"
           : c == '\\' ? "a name with a backslash"
                       : NULL;
}

static const char not_utf8[] = "a name that is not ASCII, and not said to be UTF-8, or not UTF-8";

const char *zipfile_judge_name(ep_bytes name, uint64_t size) {
    for (size_t i = 0; i < name.size; i++) {
        const char *why = judge_byte((unsigned char)name.data[i]);
        if (why != NULL) {
            return why;
        }
    }
    if (name.size == 0) {
        return "a member without a name";
    }
    if (!safe_is_utf8(name)) {
        return not_utf8;
    }
    return bytes_end(name, "/") && size > 0 ? "a folder that holds bytes" : NULL;
}

/* Without the flag, UTF-8 is taken for another code. */
static bool lacks_flag(const zipfile_member *m) {
    bool ascii = true;
    for (size_t i = 0; i < m->name.size; i++) {
        ascii = ascii && (unsigned char)m->name.data[i] < 0x80;
    }
    return !ascii && (m->flags & ZIPFILE_UTF8) == 0;
}

/* SPEC 8.1.4 */
static const char *judge_name(const zipfile_member *m) {
    const char *why = zipfile_judge_name(m->name, m->size);
    return why == NULL && lacks_flag(m) ? not_utf8 : why;
}

/* What the external attributes say that a member is: a symbolic link or a device holds
 * other bytes where it is extracted, and of a folder of MS-DOS, whatever system wrote it,
 * PyTorch's reader reads none and gives what lies in memory. */
static const char *judge_kind(const zipfile_member *m, const char *at) {
    enum { UNIX = 3, DARWIN = 19, FOLDER = 4, REGULAR = 8, DOS_FOLDER = 1 << 4 };
    uint64_t host = bytes_number(at + 5, 1);
    uint64_t kind = bytes_number(at + 40, 2) >> 12;
    bool has_kind = (host == UNIX || host == DARWIN) && kind != 0;
    bool said_folder = (bytes_number(at + 38, 2) & DOS_FOLDER) != 0 || (has_kind && kind == FOLDER);
    if (has_kind && kind != FOLDER && kind != REGULAR) {
        return "it is a link or a device";
    }
    bool folder = m->name.size > 0 && m->name.data[m->name.size - 1] == '/';
    return said_folder && !folder ? "it is a folder that is not called one" : NULL;
}

const char *zipfile_judge_needed(const char *at) {
    enum { NEEDED_MOST = 63 };
    return bytes_number(at, 2) > NEEDED_MOST ? "it needs a reader that does not exist" : NULL;
}

/* SPEC 8.1.5 */
static const char *judge_header(const zipfile_member *m, const char *at) {
    enum { LEVEL = 3 << 1 }; /* of deflating, which nobody asks for */
    if ((m->flags & ~(ZIPFILE_LATER | ZIPFILE_UTF8 | LEVEL)) != 0) {
        return "its flags say that it is encrypted, or something that readers do not know";
    }
    if (m->method != ZIPFILE_STORED && m->method != ZIPFILE_DEFLATED) {
        return "it is neither stored nor deflated";
    }
    if (m->method == ZIPFILE_STORED ? m->packed != m->size : m->packed == 0) {
        return "its two sizes contradict each other";
    }
    if (bytes_number(at + 34, 2) != 0) {
        return "it begins in another part of the archive";
    }
    const char *why = judge_kind(m, at);
    return why != NULL ? why : zipfile_judge_needed(at + 6);
}

/* The numbers that all bits are set of stand in the field of zip64, in this order,
 * and nothing else does. */
static const char *widen(zipfile_member *m, const zipfile_extra *extra) {
    uint64_t *numbers[] = {&m->size, &m->packed, &m->header};
    size_t at = 0;
    bool ok = true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (zipfile_is_elsewhere(*numbers[i], 4) && extra->zip64.size - at >= 8) {
            *numbers[i] = bytes_number(extra->zip64.data + at, 8);
            at += 8;
        } else if (zipfile_is_elsewhere(*numbers[i], 4)) {
            ok = false;
        }
    }
    bool used = at > 0 || !extra->has_zip64;
    return ok && used && at == extra->zip64.size
               ? NULL
               : "its field of zip64 is not what its header asks for";
}

static void read_entry(const entry *e, zipfile_member *m) {
    *m = (zipfile_member){
        .name = {e->at + ENTRY_SIZE, e->name},
        .flags = (uint16_t)bytes_number(e->at + 8, 2),
        .method = (uint16_t)bytes_number(e->at + 10, 2),
        .date = (uint32_t)bytes_number(e->at + 12, 4),
        .crc = (uint32_t)bytes_number(e->at + 16, 4),
        .packed = bytes_number(e->at + 20, 4),
        .size = bytes_number(e->at + 24, 4),
        .header = bytes_number(e->at + 42, 4),
    };
}

static bool take_entry(const entry *e, zipfile_member *m, failure *what) {
    zipfile_extra extra;
    read_entry(e, m);
    const char *why =
        zipfile_read_extra((ep_bytes){e->at + ENTRY_SIZE + e->name, e->extra}, &extra);
    why = why != NULL ? why : widen(m, &extra);
    why = why != NULL ? why : judge_header(m, e->at);
    if (why != NULL) {
        return refuse_named(what, EP_ARCHIVE_HEADER, m->name, why);
    }
    why = judge_name(m);
    return why == NULL || refuse_named(what, EP_ARCHIVE_NAME, m->name, why);
}

/* Where the next entry is; it may not fit. */
static bool find_entry(const zipfile *z, size_t at, entry *e) {
    size_t room = z->size - at;
    e->at = z->directory + at;
    TRY(room >= ENTRY_SIZE && memcmp(e->at, "PK\1\2", 4) == 0);
    e->name = (size_t)bytes_number(e->at + 28, 2);
    e->extra = (size_t)bytes_number(e->at + 30, 2);
    e->comment = (size_t)bytes_number(e->at + 32, 2);
    return e->name + e->extra + e->comment <= room - ENTRY_SIZE;
}

static size_t entry_size(const entry *e) {
    return ENTRY_SIZE + e->name + e->extra + e->comment;
}

/* Whether the directory has the entries that are counted, and nothing else. SPEC 8.1.1 */
static bool check_count(const zipfile *z, failure *what) {
    size_t at = 0;
    entry e;
    for (size_t i = 0; i < z->count; i++) {
        if (!find_entry(z, at, &e)) {
            return refuse_named(what, EP_ARCHIVE, (ep_bytes){"", 0},
                                "the directory has fewer entries than it counts");
        }
        at += entry_size(&e);
    }
    return at == z->size || refuse_named(what, EP_ARCHIVE, (ep_bytes){"", 0},
                                         "the directory has more entries than it counts");
}

bool zipfile_read_entries(zipfile *z, failure *what) {
    size_t at = 0;
    entry e;
    TRY(check_count(z, what));
    for (size_t i = 0; i < z->count && find_entry(z, at, &e); i++) {
        TRY(take_entry(&e, &z->members[i], what));
        at += entry_size(&e);
    }
    return true;
}
