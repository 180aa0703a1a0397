/*
 * zipfile.c - see zipfile.h. zlib inflates; the rest is here, in checksum.c,
 * zipfile_end.c, zipfile_entry.c and zipfile_local.c.
 */
#include "zipfile.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "checksum.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "folded.h"
#include "zipfile_parts.h"

enum { CHUNK = 1 << 16 };

/* -------------------------------------------------------------------------- opening */

static int compare_folded(ep_bytes a, ep_bytes b) {
    size_t common = a.size < b.size ? a.size : b.size;
    for (size_t i = 0; i < common; i++) {
        unsigned char x = (unsigned char)folded_lower(a.data[i]);
        unsigned char y = (unsigned char)folded_lower(b.data[i]);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return (a.size > b.size) - (a.size < b.size);
}

bool zipfile_in_folded_order(const name_item *a, const name_item *b) {
    return compare_folded(a->name, b->name) <= 0;
}

/* Whether no two names are one. SPEC 8.1.4 */
static bool check_names(const zipfile *z, bool folded, failure *what) {
    name_list names = {0};
    bool ok = true;
    for (size_t i = 0; i < z->count; i++) {
        names_add(&names, (name_item){.name = z->members[i].name});
    }
    names_sort_by(&names, folded ? zipfile_in_folded_order : names_in_order);
    if (names.failed) {
        ok = refuse_plainly(what, EP_MEMORY);
    }
    for (size_t i = 1; ok && i < names.count; i++) {
        ep_bytes a = names.items[i - 1].name;
        ep_bytes b = names.items[i].name;
        if ((folded ? compare_folded(a, b) : bytes_compare(a, b)) == 0) {
            ok = refuse_named(what, EP_ARCHIVE_NAME, b,
                              folded ? "two names that differ in case only"
                                     : "two members of one name");
        }
    }
    names_free(&names);
    return ok;
}

bool zipfile_check_folded(const zipfile *z, failure *what) {
    for (size_t i = 0; i < z->count; i++) {
        if (z->members[i].name.size > ZIPFILE_FOLDED_MOST) {
            return refuse_named(what, EP_ARCHIVE_NAME, z->members[i].name,
                                "a name that is longer than PyTorch reads it");
        }
    }
    return check_names(z, true, what);
}

static bool open_directory(zipfile *z, size_t limit, failure *what) {
    uint64_t count = 0;
    buffer bytes = {0};
    TRY(zipfile_find_directory(z, &count, what));
    if (z->size > limit) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    TRY(io_read_piece(z->from, z->place, z->size, &bytes, what));
    z->directory = bytes.data;
    z->count = (size_t)count; /* no more than an entry of the directory each */
    z->members = memory_resize(NULL, (z->count + 1) * sizeof *z->members);
    return z->members != NULL || refuse_plainly(what, EP_MEMORY);
}

static bool open_zip(zipfile *z, size_t limit, failure *what) {
    bool ok = open_directory(z, limit, what) && zipfile_read_entries(z, what) &&
              check_names(z, false, what) && zipfile_check_places(z, what);
    if (!ok) {
        zipfile_close(z);
    }
    return ok;
}

bool zipfile_open(const io_data *from, size_t limit, zipfile *z, failure *what) {
    *z = (zipfile){.from = from};
    return open_zip(z, limit, what);
}

bool zipfile_open_known(const io_data *from, size_t limit, zipfile *z, failure *what) {
    *z = (zipfile){.from = from, .is_known = true};
    return open_zip(z, limit, what);
}

void zipfile_close(zipfile *z) {
    memory_free(z->directory);
    memory_free(z->members);
    *z = (zipfile){0};
}

const zipfile_member *zipfile_find(const zipfile *z, ep_bytes name) {
    for (size_t i = 0; i < z->count; i++) {
        if (bytes_compare(z->members[i].name, name) == 0) {
            return &z->members[i];
        }
    }
    return NULL;
}

/* -------------------------------------------------------------------------- reading */

/* A member that is read: what has come out of it so far. */
typedef struct reading {
    const zipfile *z;
    const zipfile_member *m;
    uint64_t limit;
    zipfile_taker taker;
    failure *what;
    uint64_t size;
    uint32_t crc;
    bool beyond; /* the limit */
} reading;

static bool refuse_member(const reading *r, const char *why) {
    return refuse_named(r->what, EP_ARCHIVE_MEMBER, r->m->name, why);
}

/* Bytes that came out. One beyond the limit is given on, and no more. */
static bool give(reading *r, const unsigned char *bytes, size_t size) {
    uint64_t room = r->limit - r->size;
    if (size > room) {
        r->beyond = true;
        size = (size_t)room + 1;
    }
    ep_bytes piece = {(const char *)bytes, size};
    r->crc = checksum(r->crc, piece);
    r->size += size;
    return size == 0 || r->taker.take(r->taker.context, piece, r->what);
}

static bool read_stored(reading *r) {
    char chunk[CHUNK];
    for (uint64_t at = 0; at < r->m->packed && !r->beyond;) {
        uint64_t rest = r->m->packed - at;
        size_t size = rest < CHUNK ? (size_t)rest : CHUNK;
        TRY(io_read_at(r->z->from, r->m->place + at, chunk, size, r->what) &&
            give(r, (const unsigned char *)chunk, size));
        at += size;
    }
    return true;
}

static voidpf zlib_take(voidpf context, uInt count, uInt size) {
    (void)context;
    return count != 0 && size > UINT_MAX / count ? NULL : memory_resize(NULL, (size_t)count * size);
}

static void zlib_free(voidpf context, voidpf block) {
    (void)context;
    memory_free(block);
}

/* All that a piece of the member comes to. *state is what zlib said last. */
static bool inflate_piece(reading *r, z_stream *stream, int *state) {
    unsigned char out[CHUNK];
    do {
        stream->next_out = out;
        stream->avail_out = CHUNK;
        *state = inflate(stream, Z_NO_FLUSH);
        if (*state == Z_MEM_ERROR) {
            return refuse_plainly(r->what, EP_MEMORY);
        }
        if (*state != Z_OK && *state != Z_STREAM_END && *state != Z_BUF_ERROR) {
            return refuse_member(r, "its deflated data is damaged");
        }
        TRY(give(r, out, CHUNK - stream->avail_out));
        if (r->size > r->m->size && !r->beyond) {
            return refuse_member(r, "more comes out of it than the directory says");
        }
    } while (*state == Z_OK && stream->avail_out == 0 && !r->beyond);
    return true;
}

static bool inflate_all(reading *r, z_stream *stream) {
    unsigned char in[CHUNK];
    int state = Z_OK;
    uint64_t at = 0;
    while (at < r->m->packed && state != Z_STREAM_END && !r->beyond) {
        uint64_t rest = r->m->packed - at;
        stream->avail_in = rest < CHUNK ? (uInt)rest : CHUNK;
        stream->next_in = in;
        TRY(io_read_at(r->z->from, r->m->place + at, in, stream->avail_in, r->what));
        at += stream->avail_in;
        TRY(inflate_piece(r, stream, &state));
    }
    bool ended = state == Z_STREAM_END && stream->avail_in == 0 && at == r->m->packed;
    return r->beyond || ended || refuse_member(r, "its deflated data does not end where it should");
}

static bool read_deflated(reading *r) {
    z_stream stream = {.zalloc = zlib_take, .zfree = zlib_free};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        return refuse_plainly(r->what, EP_MEMORY);
    }
    bool ok = inflate_all(r, &stream);
    inflateEnd(&stream);
    return ok;
}

bool zipfile_read(const zipfile *z, const zipfile_member *m, uint64_t limit, zipfile_taker taker,
                  failure *what) {
    reading r = {.z = z, .m = m, .limit = limit, .taker = taker, .what = what};
    bool ok = m->method == ZIPFILE_STORED ? read_stored(&r) : read_deflated(&r);
    if (!ok || r.beyond) {
        return ok;
    }
    if (r.size != m->size) {
        return refuse_member(&r, "less comes out of it than the directory says");
    }
    if (r.crc != m->crc) {
        return refuse_member(&r, "its checksum is another");
    }
    z->members[m - z->members].is_verified = true;
    return true;
}

bool zipfile_give(const io_data *from, uint64_t place, uint64_t size, zipfile_taker taker,
                  failure *what) {
    enum { PIECE = 1 << 20 };
    buffer piece = {0};
    bool ok = true;
    for (uint64_t at = 0; ok && at < size; at += piece.size) {
        buffer_clear(&piece);
        ok = io_read_piece(from, place + at, size - at < PIECE ? (size_t)(size - at) : PIECE,
                           &piece, what) &&
             taker.take(taker.context, buffer_bytes(&piece), what);
    }
    buffer_free(&piece);
    return ok;
}

static bool put(void *context, ep_bytes piece, failure *what) {
    buffer *content = context;
    buffer_put(content, piece.data, piece.size);
    return !content->failed || refuse_plainly(what, EP_MEMORY);
}

bool zipfile_read_all(const zipfile *z, const zipfile_member *m, size_t limit, buffer *content,
                      failure *what) {
    buffer_clear(content);
    return zipfile_read(z, m, limit, (zipfile_taker){put, content}, what);
}

bool zipfile_read_whole(const zipfile *z, const zipfile_member *m, size_t limit, buffer *content,
                        failure *what) {
    return m->size <= limit ? zipfile_read_all(z, m, SIZE_MAX, content, what)
                            : refuse_plainly(what, EP_LIMIT_BYTES);
}

static bool drop(void *context, ep_bytes piece, failure *what) {
    (void)context;
    (void)piece;
    (void)what;
    return true;
}

bool zipfile_verify_member(const zipfile *z, const zipfile_member *m, uint64_t limit,
                           failure *what) {
    return zipfile_read(z, m, limit, (zipfile_taker){drop, NULL}, what);
}

bool zipfile_verify(const zipfile *z, const zipfile_member *except, size_t limit, ep_bytes *about,
                    failure *what) {
    uint64_t room = io_length(z->from) + limit;
    for (size_t i = 0; i < z->count; i++) {
        const zipfile_member *m = &z->members[i];
        if (m->size > room) {
            return refuse_plainly(what, EP_LIMIT_BYTES);
        }
        room -= m->size;
        if (m != except && !zipfile_verify_member(z, m, UINT64_MAX, what)) {
            if (about != NULL) {
                *about = m->name;
            }
            return false;
        }
    }
    return true;
}
