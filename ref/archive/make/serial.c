/*
 * serial.c - see serial.h. Source: torch 2.13, caffe2/serialize/inline_container.cc,
 * writeSerializationId; libstdc++, hash_bytes.cc and hashtable.h. The order in which a
 * std::unordered_set gives its elements is part of the first half, so a set is kept here
 * that grows and links as that one does.
 */
#include "serial.h"

#include "common/memory.h"
#include "common/refusal.h"

static const size_t NONE = SIZE_MAX;

/* ------------------------------------------------------------------------- names */

static uint64_t mix(uint64_t value) {
    return value ^ value >> 47;
}

/* std::hash<std::string>: MurmurHash64A, with a seed of its own. */
static uint64_t hash_of(ep_bytes name) {
    const uint64_t multiplier = 0xc6a4a7935bd1e995;
    uint64_t hash = 0xc70f6907 ^ name.size * multiplier;
    size_t whole = name.size & ~(size_t)7;
    for (size_t i = 0; i < whole; i += 8) {
        hash = (hash ^ mix(bytes_number(name.data + i, 8) * multiplier) * multiplier) * multiplier;
    }
    if (name.size > whole) {
        hash = (hash ^ bytes_number(name.data + whole, name.size - whole)) * multiplier;
    }
    return mix(mix(hash) * multiplier);
}

/* The elements of a set are a list; a bucket knows the element before its first one, which
 * is `count` for the beginning of the list. */
typedef struct hash_set {
    uint64_t *hashes; /* of each element */
    size_t *next;     /* behind each element, and at [count] the first one */
    size_t *before;   /* of each bucket, or NONE */
    size_t buckets;
    size_t count; /* elements that will be in it */
} hash_set;

/* The next number of buckets of a set that grows by one element at a time. */
static size_t grown(size_t buckets) {
    static const size_t sizes[] = {
        1,       13,      29,       59,       127,      257,       541,       1109,      2357,
        5087,    10273,   20753,    42043,    85229,    172933,    351061,    712697,    1447153,
        2938679, 5967347, 12117689, 24607243, 49969847, 101473717, 206062531, 418450073,
    };
    size_t i = 0;
    while (i + 1 < sizeof sizes / sizeof sizes[0] && sizes[i] <= buckets) {
        i++;
    }
    return sizes[i];
}

/* An element at the beginning of its bucket, or of the list where the bucket is empty. */
static void link(hash_set *s, size_t element) {
    size_t *bucket = &s->before[s->hashes[element] % s->buckets];
    if (*bucket == NONE) {
        size_t first = s->next[s->count];
        *bucket = s->count;
        if (first != NONE) {
            s->before[s->hashes[first] % s->buckets] = element;
        }
    }
    s->next[element] = s->next[*bucket];
    s->next[*bucket] = element;
}

/* Links all elements anew, in the order that they have. */
static bool rehash(hash_set *s, size_t buckets) {
    size_t *before = memory_resize(s->before, buckets * sizeof *before);
    size_t element = s->next[s->count];
    TRY(before != NULL);
    s->before = before;
    s->buckets = buckets;
    for (size_t i = 0; i < buckets; i++) {
        before[i] = NONE;
    }
    s->next[s->count] = NONE;
    while (element != NONE) {
        size_t next = s->next[element];
        link(s, element);
        element = next;
    }
    return true;
}

static bool fill(hash_set *s, const zipwrite *zip, size_t root) {
    s->next[s->count] = NONE;
    bool ok = rehash(s, 1);
    for (size_t i = 0; ok && i < s->count; i++) {
        ep_bytes name = zipwrite_name(zip, i);
        s->hashes[i] = hash_of((ep_bytes){name.data + root, name.size - root});
        bool full = i == 0 || i + 1 > s->buckets;
        ok = !full || rehash(s, grown(s->buckets));
        if (ok) {
            link(s, i);
        }
    }
    return ok;
}

static bool hash_names(const zipwrite *zip, size_t count, size_t root, container_id *id) {
    hash_set s = {.count = count};
    s.hashes = memory_resize(NULL, (count + 1) * sizeof *s.hashes);
    s.next = memory_resize(NULL, (count + 1) * sizeof *s.next);
    bool ok = s.hashes != NULL && s.next != NULL && fill(&s, zip, root);
    *id = (container_id){0};
    for (size_t at = ok ? s.next[count] : NONE; at != NONE; at = s.next[at]) {
        container_id_combine(id, s.hashes[at]);
    }
    memory_free(s.hashes);
    memory_free(s.next);
    memory_free(s.before);
    return ok;
}

bool serial_id(const zipwrite *zip, size_t count, size_t root, char id[CONTAINER_ID_SIZE]) {
    container_id names;
    container_id checksums = {0};
    TRY(hash_names(zip, count, root, &names));
    for (size_t i = 0; i < count; i++) {
        const zipwrite_member *m = &zip->members[i];
        size_t size = m->size < sizeof m->start ? (size_t)m->size : sizeof m->start;
        container_id_add(&checksums, m->size, m->crc, (ep_bytes){m->start, size});
    }
    container_id_put(&names, id);
    container_id_put(&checksums, id + CONTAINER_ID_HALF);
    return true;
}

/* When all members before it were written. */
static bool give_id(void *context, const zipwrite_member *m, zipfile_taker to, failure *what) {
    serial *s = context;
    return serial_id(s->zip, (size_t)(m - s->zip->members), s->root, s->id)
               ? to.take(to.context, (ep_bytes){s->id, sizeof s->id}, what)
               : refuse_plainly(what, EP_MEMORY);
}

void serial_plan(serial *s, zipwrite *zip, ep_bytes name, size_t root) {
    *s = (serial){.zip = zip, .root = root};
    zipwrite_member *m =
        zipwrite_given(zip, name, (zipwrite_source){.give = give_id, .context = s});
    if (m != NULL) {
        m->size = CONTAINER_ID_SIZE;
        m->is_counted = true;
    }
}
