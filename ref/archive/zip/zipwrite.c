/*
 * zipwrite.c - see zipwrite.h. What the two writers write beyond 4 GiB is theirs, too.
 */
#include "zipwrite.h"

#include <string.h>

#include "checksum.h"
#include "common/memory.h"
#include "common/refusal.h"

enum {
    OLD = 20,   /* version of the format that flat members need */
    LARGE = 45, /* and those with numbers of 64 bits */
    UTF8 = 1 << 11,
    LATER = 1 << 3,
    PT2_WRITER = 0x31E, /* what PyTorchFileWriter calls itself */
    PT2_ALIGNMENT = 64,
    FLAT_MOST = 0x7FFFFFFF, /* sizes beyond which zipfile writes 64 bits */
    NAME_MOST = UINT16_MAX,
    DATE = 0x21 << 16 /* 1980-01-01: a product has no clock */
};

/* -------------------------------------------------------------------------- planning */

static zipwrite_member *plan(zipwrite *w, ep_bytes name, zipwrite_member member) {
    if (!memory_room(&w->members, w->count, &w->capacity, sizeof member)) {
        w->failed = true;
        return NULL;
    }
    member.name = w->names.size;
    member.name_size = name.size;
    member.date = DATE;
    buffer_put(&w->names, name.data, name.size);
    w->members[w->count++] = member;
    w->failed = w->failed || w->names.failed;
    return w->failed ? NULL : &w->members[w->count - 1];
}

zipwrite_member *zipwrite_bytes(zipwrite *w, ep_bytes name, ep_bytes bytes) {
    return plan(w, name,
                (zipwrite_member){.bytes = bytes, .size = bytes.size, .crc = checksum(0, bytes)});
}

zipwrite_member *zipwrite_copy(zipwrite *w, ep_bytes name, const zipfile_member *member) {
    return plan(w, name,
                (zipwrite_member){
                    .from = w->from, .copied = member, .size = member->size, .crc = member->crc});
}

zipwrite_member *zipwrite_given(zipwrite *w, ep_bytes name, zipwrite_source source) {
    return plan(w, name, (zipwrite_member){.source = source});
}

static ep_bytes name_of(const zipwrite *w, const zipwrite_member *m) {
    return (ep_bytes){w->names.data + m->name, m->name_size};
}

ep_bytes zipwrite_name(const zipwrite *w, size_t member) {
    return name_of(w, &w->members[member]);
}

const char *zipwrite_judge_names(zipwrite *w, ep_bytes *name) {
    name_list names = {0};
    bool (*order)(const name_item *a, const name_item *b) =
        w->pt2 ? zipfile_in_folded_order : names_in_order;
    const char *why = NULL;
    for (size_t i = 0; !w->failed && i < w->count; i++) {
        names_add(&names, (name_item){.name = name_of(w, &w->members[i])});
    }
    names_sort_by(&names, order);
    for (size_t i = 0; !names.failed && why == NULL && i < names.count; i++) {
        *name = names.items[i].name;
        bool twin = i > 0 && order(&names.items[i], &names.items[i - 1]);
        bool cut = name->size > (w->pt2 ? (size_t)ZIPFILE_FOLDED_MOST : NAME_MOST);
        why = twin ? "two members would be " : cut ? "a name would be too long: " : NULL;
    }
    w->failed = w->failed || names.failed;
    names_free(&names);
    return why;
}

void zipwrite_free(zipwrite *w) {
    memory_free(w->members);
    buffer_free(&w->names);
    buffer_free(&w->piece);
    buffer_free(&w->tail);
    *w = (zipwrite){0};
}

/* --------------------------------------------------------------------------- records */

static void put(zipwrite *w, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) {
        buffer_byte(&w->piece, (char)(unsigned char)(number >> (8 * i) & 0xFF));
    }
}

/* A number of 4 bytes, or that it is said elsewhere. */
static void put_small(zipwrite *w, uint64_t number, bool elsewhere) {
    put(w, elsewhere ? UINT32_MAX : number, 4);
}

static bool is_large(uint64_t number) {
    return number >= UINT32_MAX;
}

/* Bytes of two sizes and a place, in a field of zip64. */
static size_t wide_size(bool sizes, bool place) {
    return (sizes ? (size_t)16 : 0) + (place ? 8 : 0);
}

static bool is_ascii(ep_bytes name) {
    for (size_t i = 0; i < name.size; i++) {
        TRY((unsigned char)name.data[i] < 0x80);
    }
    return true;
}

static uint64_t flags_of(const zipwrite *w, const zipwrite_member *m) {
    if (w->pt2) {
        return m->size > 0 ? UTF8 | LATER : UTF8;
    }
    return is_ascii(name_of(w, m)) ? 0 : UTF8;
}

/* What stands in both headers: from the version needed to the sizes. */
typedef struct head {
    uint64_t needed;
    uint32_t crc;
    uint64_t size;
    bool elsewhere; /* the sizes are */
} head;

static void put_head(zipwrite *w, const zipwrite_member *m, head h) {
    put(w, h.needed, 2);
    put(w, flags_of(w, m), 2);
    put(w, ZIPFILE_STORED, 2);
    put(w, w->pt2 ? 0 : m->date, 4);
    put(w, h.crc, 4);
    put_small(w, h.size, h.elsewhere);
    put_small(w, h.size, h.elsewhere);
    put(w, m->name_size, 2);
}

/* What brings the bytes to a multiple of 64, behind as many bytes of other fields. */
static size_t padding_after(const zipwrite *w, const zipwrite_member *m, size_t wide) {
    enum { LOCAL = 30, FIELD = 4 };
    uint64_t end = w->end + LOCAL + m->name_size + wide + FIELD;
    return (size_t)(-end % PT2_ALIGNMENT);
}

/* Local fields of the PT2 style: of large members the size, behind 4 GiB the place,
 * then padding. */
static void put_pt2_fields(zipwrite *w, const zipwrite_member *m, size_t wide, size_t padding) {
    if (wide > 0) {
        put(w, 1, 2);
        put(w, wide - 4, 2);
        if (is_large(m->size)) {
            put(w, m->size, 8);
            put(w, 0, 8);
        }
        if (is_large(m->header)) {
            put(w, m->header, 8);
        }
    }
    buffer_text(&w->piece, "FB");
    put(w, padding, 2);
    for (size_t i = 0; i < padding; i++) {
        buffer_byte(&w->piece, 'Z');
    }
}

static void put_local_pt2(zipwrite *w, const zipwrite_member *m) {
    size_t wide = wide_size(is_large(m->size), is_large(m->header));
    wide += wide > 0 ? 4 : 0;
    size_t padding = padding_after(w, m, wide);
    buffer_text(&w->piece, "PK\3\4");
    put_head(w, m, (head){.needed = 0});
    put(w, wide + 4 + padding, 2);
    buffer_put(&w->piece, w->names.data + m->name, m->name_size);
    put_pt2_fields(w, m, wide, padding);
}

static void put_local_flat(zipwrite *w, const zipwrite_member *m) {
    bool wide = m->size > FLAT_MOST;
    buffer_text(&w->piece, "PK\3\4");
    put_head(
        w, m,
        (head){.needed = wide ? LARGE : OLD, .crc = m->crc, .size = m->size, .elsewhere = wide});
    put(w, wide ? 20 : 0, 2);
    buffer_put(&w->piece, w->names.data + m->name, m->name_size);
    if (wide) {
        put(w, 1, 2);
        put(w, 16, 2);
        put(w, m->size, 8);
        put(w, m->size, 8);
    }
}

static void put_descriptor(zipwrite *w, const zipwrite_member *m) {
    size_t width = is_large(m->size) ? 8 : 4;
    buffer_text(&w->piece, "PK\7\10");
    put(w, m->crc, 4);
    put(w, m->size, width);
    put(w, m->size, width);
}

static void put_entry(zipwrite *w, const zipwrite_member *m) {
    enum { UNIX = 3, OWNER_READS_AND_WRITES = 0600 };
    uint64_t most = w->pt2 ? UINT32_MAX - 1 : FLAT_MOST;
    bool size = m->size > most;
    bool place = m->header > most;
    bool large = !w->pt2 && (size || place);
    size_t wide = wide_size(size, place);
    buffer_text(&w->piece, "PK\1\2");
    put(w, w->pt2 ? 0 : (uint64_t)UNIX << 8 | (large ? LARGE : OLD), 2);
    put_head(w, m,
             (head){.needed = w->pt2  ? 0
                              : large ? LARGE
                                      : OLD,
                    .crc = m->crc,
                    .size = m->size,
                    .elsewhere = size});
    put(w, wide > 0 ? wide + 4 : 0, 2);
    put(w, 0, 8); /* comment, disk, inner attributes, the half of the outer ones */
    put(w, w->pt2 ? 0 : OWNER_READS_AND_WRITES, 2);
    put_small(w, m->header, place);
    buffer_put(&w->piece, w->names.data + m->name, m->name_size);
    if (wide > 0) {
        put(w, 1, 2);
        put(w, wide, 2);
        put(w, m->size, size ? 8 : 0);
        put(w, m->size, size ? 8 : 0);
        put(w, m->header, place ? 8 : 0);
    }
}

static void put_end64(zipwrite *w, uint64_t size) {
    uint64_t place = w->end;
    buffer_text(&w->piece, "PK\6\6");
    put(w, 44, 8);
    put(w, w->pt2 ? PT2_WRITER : LARGE, 2);
    put(w, LARGE, 2);
    put(w, 0, 8); /* disks */
    put(w, w->count, 8);
    put(w, w->count, 8);
    put(w, size, 8);
    put(w, w->directory, 8);
    buffer_text(&w->piece, "PK\6\7");
    put(w, 0, 4);
    put(w, place, 8);
    put(w, 1, 4);
}

/* The numbers that do not fit their places have all bits set. */
static void put_end(zipwrite *w) {
    uint64_t size = w->end - w->directory;
    uint64_t most = w->pt2 ? UINT32_MAX - 1 : FLAT_MOST;
    bool large = w->count > UINT16_MAX - (w->pt2 ? 1 : 0) || size > most || w->directory > most;
    if (w->pt2 || large) {
        put_end64(w, size);
    }
    uint64_t count = w->count < UINT16_MAX ? w->count : UINT16_MAX;
    buffer_text(&w->piece, "PK\5\6");
    put(w, 0, 4);
    put(w, count, 2);
    put(w, count, 2);
    put(w, size < UINT32_MAX ? size : UINT32_MAX, 4);
    put(w, w->directory < UINT32_MAX ? w->directory : UINT32_MAX, 4);
    put(w, 0, 2);
}

/* --------------------------------------------------------------------------- writing */

/* Where the bytes go. */
typedef struct sink {
    zipwrite *w;
    zipfile_take *put;
    void *context;
    zipwrite_member *member; /* whose content is given, or NULL */
    uint64_t given;          /* bytes of it */
} sink;

static void count(sink *s, ep_bytes piece) {
    zipwrite_member *m = s->member;
    for (size_t i = 0; piece.data != NULL && i < piece.size && s->given + i < sizeof m->start;
         i++) {
        m->start[s->given + i] = piece.data[i];
    }
    s->given += piece.size;
    if (m->is_counted) {
        m->crc = checksum(m->crc, piece);
    }
}

static void keep_tail(buffer *tail, ep_bytes piece) {
    enum { MOST = ZIPFILE_TAIL };
    size_t kept = piece.size < MOST ? piece.size : MOST;
    if (tail->size + kept > (size_t)2 * MOST) {
        memmove(tail->data, tail->data + tail->size - MOST, MOST);
        tail->size = MOST;
    }
    if (kept > 0) {
        buffer_put(tail, piece.data + piece.size - kept, kept);
    }
}

static bool give(void *context, ep_bytes piece, failure *what) {
    sink *s = context;
    s->w->end += piece.size;
    if (!s->w->is_known) {
        keep_tail(&s->w->tail, piece);
    }
    if (s->member != NULL) {
        count(s, piece);
    }
    return piece.size == 0 || s->put(s->context, piece, what);
}

/* Gives on what was put together. */
static bool give_piece(sink *s, failure *what) {
    bool ok = s->w->piece.failed ? refuse_plainly(what, EP_MEMORY)
                                 : give(s, buffer_bytes(&s->w->piece), what);
    buffer_clear(&s->w->piece);
    return ok;
}

static bool give_content(sink *s, const zipwrite_member *m, failure *what) {
    zipfile_taker taker = {give, s};
    if (m->copied != NULL) {
        return zipfile_read(m->from, m->copied, UINT64_MAX, taker, what);
    }
    return m->source.give != NULL ? m->source.give(m->source.context, m, taker, what)
                                  : give(s, m->bytes, what);
}

static bool write_member(sink *s, zipwrite_member *m, failure *what) {
    zipwrite *w = s->w;
    m->header = w->end;
    if (w->pt2) {
        put_local_pt2(w, m);
    } else {
        put_local_flat(w, m);
    }
    TRY(give_piece(s, what));
    m->place = w->end;
    s->member = m;
    s->given = 0;
    m->crc = m->is_counted ? 0 : m->crc;
    bool ok = give_content(s, m, what);
    s->member = NULL;
    if (ok && w->pt2 && m->size > 0) {
        put_descriptor(w, m);
        ok = give_piece(s, what);
    }
    return ok;
}

/* ------------------------------------------------------------------ what was written */

/* The last member that begins at a place or before it. */
static const zipwrite_member *member_at(const zipwrite *w, uint64_t place) {
    size_t low = 0;
    for (size_t high = w->count; high - low > 1;) {
        size_t middle = low + (high - low) / 2;
        if (w->members[middle].header <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &w->members[low];
}

/* An io_reader of the archive that was written. No entry of a directory begins in its headers:
 * they read as zeros, as all that cannot be read again does. */
static bool read_written(void *context, uint64_t place, void *to, size_t size) {
    const zipwrite *w = context;
    uint64_t kept = w->tail.size < ZIPFILE_TAIL ? w->tail.size : ZIPFILE_TAIL;
    failure what = {0};
    memset(to, 0, size);
    if (w->end - place <= kept) {
        memcpy(to, w->tail.data + w->tail.size - (size_t)(w->end - place), size);
        return true;
    }
    const zipwrite_member *m = member_at(w, place);
    uint64_t from = place - m->place;
    if (place < m->place || from >= m->size) {
        return true;
    }
    size = size < m->size - from ? size : (size_t)(m->size - from);
    if (m->copied != NULL && m->copied->method == ZIPFILE_STORED) {
        return io_read_at(m->from->from, m->copied->place + from, to, size, &what);
    }
    if (m->bytes.data != NULL) {
        memcpy(to, m->bytes.data + from, size);
    }
    return true;
}

static bool check_ends(zipwrite *w, failure *what) {
    io_data written = {.on_disk = true, .reader = read_written, .context = w, .length = w->end};
    return w->tail.failed ? refuse_plainly(what, EP_MEMORY) : zipfile_check_ends(&written, what);
}

bool zipwrite_all(zipwrite *w, zipfile_take *put_it, void *context, failure *what) {
    sink s = {.w = w, .put = put_it, .context = context};
    w->end = 0;
    buffer_clear(&w->tail);
    for (size_t i = 0; i < w->count; i++) {
        TRY(write_member(&s, &w->members[i], what));
    }
    w->directory = w->end;
    for (size_t i = 0; i < w->count; i++) {
        put_entry(w, &w->members[i]);
        TRY(give_piece(&s, what));
    }
    put_end(w);
    return give_piece(&s, what) && (w->is_known || check_ends(w, what));
}
