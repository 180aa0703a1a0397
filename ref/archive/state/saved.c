/*
 * saved.c - see saved.h.
 */
#include "saved.h"

#include <string.h>

#include "common/refusal.h"

static bool refuse(failure *what, const zipfile_member *m, const char *why) {
    return refuse_named(what, EP_ARCHIVE_PICKLE, m->name, why);
}

/* "archive/" of "archive/data/0". */
static ep_bytes root_of(ep_bytes name) {
    const char *slash = memchr(name.data, '/', name.size);
    return (ep_bytes){name.data, slash == NULL ? 0 : (size_t)(slash - name.data) + 1};
}

static bool is_in(ep_bytes name, ep_bytes folder) {
    return name.size >= folder.size &&
           bytes_compare((ep_bytes){name.data, folder.size}, folder) == 0;
}

static bool has_no_checksum(const zipfile_member *m) {
    return m->crc == 0 && m->method == ZIPFILE_STORED;
}

/* A small member whole. One without a checksum is compared with none. */
static bool read_small(const saved *s, const zipfile_member *m, size_t limit, buffer *content,
                       failure *what) {
    if (m->size > limit) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    if (has_no_checksum(m)) {
        buffer_clear(content);
        return io_read_piece(&s->window, m->place, (size_t)m->size, content, what);
    }
    return zipfile_read_all(&s->zip, m, SIZE_MAX, content, what); /* no more than its size */
}

static bool read_order(saved *s, const zipfile_member *m, failure *what) {
    enum { WORD_MAX = 16 };
    buffer word = {0};
    bool ok = m->size > WORD_MAX || read_small(s, m, WORD_MAX, &word, what); /* it is no word */
    s->big_endian = ok && bytes_equal(buffer_bytes(&word), "big");
    ok = ok && (s->big_endian || bytes_equal(buffer_bytes(&word), "little") ||
                refuse(what, m, "the byte order is none that there is"));
    buffer_free(&word);
    return ok;
}

/* The members of which there is one; NULL: it is not there. */
typedef struct singles {
    const zipfile_member *pickle;
    const zipfile_member *order;
    const zipfile_member *version;
} singles;

/* What the members of the archive are. */
static bool sort_members(saved *s, ep_bytes root, singles *found, failure *what) {
    for (size_t i = 0; i < s->zip.count; i++) {
        const zipfile_member *m = &s->zip.members[i];
        if (!is_in(m->name, root)) {
            return refuse(what, m, "it is not in the folder of its archive");
        }
        ep_bytes inner = {m->name.data + root.size, m->name.size - root.size};
        if (bytes_equal(inner, "data.pkl")) {
            found->pickle = m;
        } else if (bytes_equal(inner, "byteorder")) {
            found->order = m;
        } else if (bytes_equal(inner, "version")) {
            found->version = m;
        } else if (bytes_equal(inner, "constants.pkl")) {
            return refuse(what, m, "torch.load takes the archive for one of TorchScript");
        } else if (bytes_start(inner, "data/")) {
            ep_bytes key = {inner.data + 5, inner.size - 5};
            names_add(&s->storages, (name_item){.name = key, .count = i});
        }
    }
    names_sort(&s->storages);
    return !s->storages.failed || refuse_plainly(what, EP_MEMORY);
}

static bool read_members(saved *s, const zipfile_member *outer, size_t limit, failure *what) {
    singles found = {0};
    ep_bytes root = s->zip.count > 0 ? root_of(s->zip.members[0].name) : (ep_bytes){"", 0};
    if (root.size == 0) {
        return refuse(what, outer, "the members of its archive are in no folder");
    }
    TRY(sort_members(s, root, &found, what));
    if (found.pickle == NULL || found.version == NULL) {
        return refuse(what, outer,
                      found.pickle == NULL ? "there is no data.pkl in its archive"
                                           : "there is no version in its archive");
    }
    TRY(found.order == NULL || read_order(s, found.order, what));
    TRY(read_small(s, found.pickle, limit, &s->pickle, what));
    if (unpickle(buffer_bytes(&s->pickle), &s->values)) {
        return true;
    }
    return s->values.why == NULL ? refuse_plainly(what, EP_MEMORY)
                                 : refuse(what, outer, s->values.why);
}

bool saved_open(const zipfile *outer, const zipfile_member *m, size_t limit, saved *s,
                failure *what) {
    char first[4];
    *s = (saved){.big_endian = false};
    if (m->method != ZIPFILE_STORED) {
        return refuse(what, m, "an archive in it can be read only where it is stored");
    }
    if (m->size < sizeof first) {
        return refuse(what, m, "it is no archive of torch.save");
    }
    TRY(io_read_at(outer->from, m->place, first, sizeof first, what));
    if (memcmp(first, "PK\3\4", sizeof first) != 0) {
        return refuse(what, m, "it is no archive of torch.save");
    }
    io_window(outer->from, m->place, m->size, &s->window);
    return zipfile_open(&s->window, limit, &s->zip, what) && zipfile_check_folded(&s->zip, what) &&
           read_members(s, m, limit, what);
}

void saved_close(saved *s) {
    unpickled_free(&s->values);
    buffer_free(&s->pickle);
    names_free(&s->storages);
    zipfile_close(&s->zip);
}

bool saved_verify(const saved *s, failure *what) {
    for (size_t i = 0; i < s->zip.count; i++) {
        const zipfile_member *m = &s->zip.members[i];
        TRY(has_no_checksum(m) || zipfile_verify_member(&s->zip, m, UINT64_MAX, what));
    }
    return true;
}

bool saved_is_refused(const failure *what) {
    return what->reason == NULL && ep_code_level(what->error.code) == EP_LEVEL_ARCHIVE;
}

bool saved_read(const saved *s, const zipfile_member *m, zipfile_taker taker, failure *what) {
    return has_no_checksum(m) ? zipfile_give(&s->window, m->place, m->size, taker, what)
                              : zipfile_read(&s->zip, m, m->size, taker, what);
}

const zipfile_member *saved_storage(const saved *s, ep_bytes key) {
    const name_item *found = names_find(&s->storages, key);
    return found == NULL ? NULL : &s->zip.members[found->count];
}
