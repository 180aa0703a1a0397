/*
 * zipfile_local.c - what lies in a zip archive before its directory: members, each a
 * header, bytes and perhaps a descriptor, from the first byte of the file to the
 * directory, without a gap and without two in one place. SPEC 8.1.5, 8.1.6
 */
#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"
#include "zipfile_parts.h"

enum { LOCAL_SIZE = 30 };

/* ---------------------------------------------------------------------- their order */

static void merge(const zipfile *z, const size_t *from, size_t *to, const size_t bounds[3]) {
    size_t left = bounds[0];
    size_t right = bounds[1];
    for (size_t i = bounds[0]; i < bounds[2]; i++) {
        bool first = left < bounds[1] && (right == bounds[2] || z->members[from[left]].header <=
                                                                    z->members[from[right]].header);
        to[i] = from[first ? left++ : right++];
    }
}

/* order[0 .. count): the members by where they lie. As much room follows. */
static void sort(const zipfile *z, size_t *order) {
    size_t *other = order + z->count;
    for (size_t width = 1; width < z->count; width *= 2) {
        for (size_t from = 0; from < z->count; from += 2 * width) {
            size_t rest = z->count - from;
            size_t bounds[3] = {from, from + (width < rest ? width : rest),
                                from + (2 * width < rest ? 2 * width : rest)};
            merge(z, order, other, bounds);
        }
        memcpy(order, other, z->count * sizeof *order);
    }
}

static bool is_sorted(const zipfile *z) {
    for (size_t i = 1; i < z->count; i++) {
        TRY(z->members[i - 1].header <= z->members[i].header);
    }
    return true;
}

/* ---------------------------------------------------------------------- local header */

static bool refuse_header(failure *what, const zipfile_member *m, const char *why) {
    return refuse_named(what, EP_ARCHIVE_HEADER, m->name, why);
}

/* Whether a number may stand in a local header whose sizes follow the bytes. */
static bool is_size_or_none(const zipfile_member *m, uint64_t number) {
    return number == 0 || number == m->size || number == m->packed;
}

/* What stands in the local field of zip64: the two sizes where the header says so. In
 * members beyond 4 GiB PyTorch writes the size, or the place of the header, where the
 * header does not, of members without bytes too; no reader asks for it. */
static bool zip64_agrees(const zipfile_member *m, const zipfile_extra *extra, bool asked) {
    bool later = (m->flags & ZIPFILE_LATER) != 0;
    size_t count = extra->zip64.size / 8;
    bool ok = extra->zip64.size % 8 == 0 && (asked ? count == 2 : later ? count <= 3 : count == 1);
    for (size_t i = 0; ok && i < count; i++) {
        uint64_t number = bytes_number(extra->zip64.data + 8 * i, 8);
        bool exact = number == (i == 0 ? m->size : m->packed);
        ok = asked ? exact || (later && number == 0)
                   : (later && is_size_or_none(m, number)) || number == m->header;
    }
    return ok;
}

/* The checksum and the sizes. at: of the local header. */
static bool sizes_agree(const zipfile_member *m, const zipfile_extra *extra, const char *at) {
    uint64_t crc = bytes_number(at + 14, 4);
    uint64_t packed = bytes_number(at + 18, 4);
    uint64_t size = bytes_number(at + 22, 4);
    bool later = (m->flags & ZIPFILE_LATER) != 0;
    bool asked = zipfile_is_elsewhere(packed, 4) && zipfile_is_elsewhere(size, 4);
    if ((extra->has_zip64 && !zip64_agrees(m, extra, asked)) || (asked && !extra->has_zip64)) {
        return false;
    }
    return (crc == m->crc || (later && crc == 0)) &&
           (asked || packed == m->packed || (later && packed == 0)) &&
           (asked || size == m->size || (later && size == 0));
}

/* texts: the name and the extra fields, of which the header at `at` says how long each
 * is. */
static bool judge_local(const zipfile_member *m, const char *at, ep_bytes texts, failure *what) {
    zipfile_extra extra;
    size_t name = (size_t)bytes_number(at + 26, 2);
    bool same = name == m->name.size && memcmp(texts.data, m->name.data, name) == 0 &&
                bytes_number(at + 6, 2) == m->flags && bytes_number(at + 8, 2) == m->method;
    if (!same) {
        return refuse_header(what, m, "its local header is not that of the directory");
    }
    const char *why = zipfile_read_extra((ep_bytes){texts.data + name, texts.size - name}, &extra);
    why = why != NULL ? why : zipfile_judge_needed(at + 4);
    if (why != NULL) {
        return refuse_header(what, m, why);
    }
    return sizes_agree(m, &extra, at) ||
           refuse_header(what, m, "the sizes or the checksum of its local header are others");
}

static bool refuse_place(failure *what, const zipfile_member *m, const char *why) {
    return refuse_named(what, EP_ARCHIVE_SPACE, m->name, why);
}

/* The local header, which ends before `end`. Leaves where its bytes are. */
static bool read_local(const zipfile *z, zipfile_member *m, uint64_t end, failure *what) {
    char header[LOCAL_SIZE];
    buffer texts = {0};
    if (end - m->header < LOCAL_SIZE) {
        return refuse_place(what, m, "it has no room for its local header");
    }
    TRY(io_read_at(z->from, m->header, header, sizeof header, what));
    if (memcmp(header, "PK\3\4", 4) != 0) {
        return refuse_header(what, m, "there is no local header where the directory says");
    }
    size_t size = (size_t)(bytes_number(header + 26, 2) + bytes_number(header + 28, 2));
    if (end - m->header - LOCAL_SIZE < size) {
        return refuse_place(what, m, "it reaches over what follows");
    }
    m->place = m->header + LOCAL_SIZE + size;
    bool ok = io_read_piece(z->from, m->header + LOCAL_SIZE, size, &texts, what) &&
              judge_local(m, header, buffer_bytes(&texts), what);
    buffer_free(&texts);
    return ok;
}

/* ------------------------------------------------------------------------ descriptor */

/* With the signature or without, with sizes of 4 bytes or of 8: what there is room for
 * says which. */
static bool read_descriptor(const zipfile *z, const zipfile_member *m, size_t room, failure *what) {
    enum { SMALL = 12, LARGE = 20, SIGNATURE = 4 };
    char bytes[SIGNATURE + LARGE];
    bool known =
        room == SMALL || room == LARGE || room == SIGNATURE + SMALL || room == SIGNATURE + LARGE;
    if (!known) {
        return refuse_place(what, m, "what lies behind it is no descriptor of it");
    }
    TRY(io_read_at(z->from, m->place + m->packed, bytes, room, what));
    bool marked = room == SIGNATURE + SMALL || room == SIGNATURE + LARGE;
    const char *at = bytes + (marked ? SIGNATURE : 0);
    size_t width = room >= LARGE ? 8 : 4;
    bool agrees = (!marked || memcmp(bytes, "PK\7\10", SIGNATURE) == 0) &&
                  bytes_number(at, 4) == m->crc && bytes_number(at + 4, width) == m->packed &&
                  bytes_number(at + 4 + width, width) == m->size;
    return agrees || refuse_header(what, m, "its descriptor is not that of the directory");
}

/* What fills the file from the member's header to `end`. SPEC 8.1.6 */
static bool check_place(const zipfile *z, zipfile_member *m, uint64_t end, failure *what) {
    TRY(read_local(z, m, end, what));
    if (m->packed > end - m->place) {
        return refuse_place(what, m, "it reaches over what follows");
    }
    uint64_t room = end - m->place - m->packed;
    if ((m->flags & ZIPFILE_LATER) == 0) {
        return room == 0 || refuse_place(what, m, "bytes lie behind it that belong to no member");
    }
    return read_descriptor(z, m, room > SIZE_MAX ? SIZE_MAX : (size_t)room, what);
}

static bool check_all(zipfile *z, const size_t *order, failure *what) {
    for (size_t i = 0; i < z->count; i++) {
        zipfile_member *m = &z->members[order == NULL ? i : order[i]];
        const zipfile_member *next =
            i + 1 < z->count ? &z->members[order == NULL ? i + 1 : order[i + 1]] : NULL;
        uint64_t end = next == NULL ? z->place : next->header;
        if (m->header >= end) {
            return refuse_place(what, m, "it lies where another member or the directory does");
        }
        if (i == 0 && m->header != 0) {
            return refuse_place(what, m, "bytes lie before the first member");
        }
        TRY(check_place(z, m, end, what));
    }
    return z->count > 0 || z->place == 0 ||
           refuse_named(what, EP_ARCHIVE_SPACE, (ep_bytes){"", 0},
                        "bytes lie before the directory that belong to no member");
}

bool zipfile_check_places(zipfile *z, failure *what) {
    if (is_sorted(z)) {
        return check_all(z, NULL, what);
    }
    size_t *order = memory_resize(NULL, 2 * z->count * sizeof *order);
    if (order == NULL) {
        return refuse_plainly(what, EP_MEMORY);
    }
    for (size_t i = 0; i < z->count; i++) {
        order[i] = i;
    }
    sort(z, order);
    bool ok = check_all(z, order, what);
    memory_free(order);
    return ok;
}
