/*
 * container.c - see container.h.
 */
#include "container.h"

#include <string.h>

#include "common/refusal.h"

/* ------------------------------------------------------------------------------- styles */

/* An archive that is compared with what a style makes of it. */
typedef struct comparison {
    const zipfile *z;
    uint64_t at;
    bool differs;
} comparison;

/* The bytes of a member are those of the archive, if it lies where it should: a piece
 * without bytes stands for them. */
static bool skip(void *context, const zipwrite_member *m, zipfile_taker to, failure *what) {
    bool ok = true;
    (void)context;
    for (uint64_t rest = m->size; ok && rest > 0;) {
        size_t size = rest < SIZE_MAX ? (size_t)rest : SIZE_MAX;
        ok = to.take(to.context, (ep_bytes){NULL, size}, what);
        rest -= size;
    }
    return ok;
}

static bool compare(void *context, ep_bytes piece, failure *what) {
    enum { CHUNK = 4096 };
    comparison *c = context;
    char there[CHUNK];
    if (piece.size > io_length(c->z->from) - c->at) {
        c->differs = true;
    }
    for (size_t done = 0; !c->differs && piece.data != NULL && done < piece.size;) {
        size_t size = piece.size - done < CHUNK ? piece.size - done : CHUNK;
        TRY(io_read_at(c->z->from, c->at + done, there, size, what));
        c->differs = memcmp(there, piece.data + done, size) != 0;
        done += size;
    }
    c->at += piece.size;
    return !c->differs;
}

static bool all_are_stored(const zipfile *z) {
    for (size_t i = 0; i < z->count; i++) {
        TRY(z->members[i].method == ZIPFILE_STORED);
    }
    return true;
}

static bool try_style(const zipfile *z, bool pt2, bool *same, failure *what) {
    zipwrite w = {.pt2 = pt2, .is_known = true};
    comparison c = {.z = z};
    for (size_t i = 0; i < z->count; i++) {
        const zipfile_member *m = &z->members[i];
        zipwrite_member *made = zipwrite_given(&w, m->name, (zipwrite_source){.give = skip});
        if (made != NULL) {
            made->size = m->size;
            made->crc = m->crc;
            made->date = m->date;
        }
    }
    bool ok = w.failed ? refuse_plainly(what, EP_MEMORY) : zipwrite_all(&w, compare, &c, what);
    *same = ok && c.at == io_length(z->from);
    zipwrite_free(&w);
    return ok || c.differs;
}

bool container_of(const zipfile *z, container *style, failure *what) {
    bool flat = false;
    bool pt2 = false;
    if (all_are_stored(z) &&
        (!try_style(z, false, &flat, what) || (!flat && !try_style(z, true, &pt2, what)))) {
        return false;
    }
    *style = flat ? CONTAINER_FLAT : pt2 ? CONTAINER_PT2 : CONTAINER_OTHER;
    return true;
}

/* ------------------------------------------------------------------------------- the id */

void container_id_combine(container_id *id, uint64_t number) {
    id->hash ^= number + 0x9E3779B9 + (id->hash << 6) + (id->hash >> 2);
}

/* PyTorchFileWriter finds checksums in what it writes, by the signature of the descriptors
 * behind members that hold bytes; and takes a member that begins so for another one. */
void container_id_add(container_id *id, uint64_t size, uint32_t crc, ep_bytes start) {
    enum { SIGNATURE = 4 };
    if (start.size >= CONTAINER_ID_START && memcmp(start.data, "PK\7\10", SIGNATURE) == 0) {
        container_id_combine(id,
                             bytes_number(start.data + SIGNATURE, CONTAINER_ID_START - SIGNATURE));
    }
    if (size > 0) {
        container_id_combine(id, crc);
    }
}

bool container_is_id(ep_bytes name, uint64_t size) {
    static const char end[] = "/.data/serialization_id";
    size_t root = name.size - (sizeof end - 1);
    return size == CONTAINER_ID_SIZE && bytes_end(name, end) && root > 0 &&
           memchr(name.data, '/', root) == NULL;
}

void container_id_put(const container_id *id, char half[CONTAINER_ID_HALF]) {
    uint64_t rest = id->hash;
    for (size_t i = CONTAINER_ID_HALF; i > 0; i--) {
        half[i - 1] = (char)('0' + rest % 10);
        rest /= 10;
    }
}
