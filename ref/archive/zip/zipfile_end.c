/*
 * zipfile_end.c - the end of a zip archive. Readers look for the end record in
 * different ways: the last one, the one that lists more, the one whose comment ends
 * with the file; the record of zip64 where the locator says, or right before it. There
 * has to be one answer to all of them. SPEC 8.1.1
 */
#include <assert.h>
#include <string.h>

#include "common/refusal.h"
#include "zipfile_parts.h"

enum { END_SIZE = 22, LOCATOR_SIZE = 20, END64_SIZE = 56, ENTRY_SIZE = 46 };
static_assert(ZIPFILE_TAIL == 1 + LOCATOR_SIZE + END_SIZE + 0xFFFF, "the longest comment");

/* The numbers of an end record, which stand in both in this order. */
enum { DISK, DIRECTORY_DISK, COUNT_HERE, COUNT, SIZE, PLACE, NUMBERS };
static const size_t small_sizes[NUMBERS] = {2, 2, 2, 2, 4, 4};
static const size_t large_sizes[NUMBERS] = {4, 4, 8, 8, 8, 8}; /* in that of zip64 */

typedef struct ending {
    uint64_t file;    /* bytes of it */
    uint64_t records; /* where the first record of the end begins */
    uint64_t numbers[NUMBERS];
} ending;

bool zipfile_is_elsewhere(uint64_t number, size_t size) {
    return number == (size == 2 ? UINT16_MAX : UINT32_MAX);
}

static bool refuse(failure *what, const char *why) {
    return refuse_named(what, EP_ARCHIVE, (ep_bytes){"", 0}, why);
}

/* The last end record, as far as it can be one: any reader finds it. */
static const char *last_end(ep_bytes tail) {
    for (size_t room = 4; room <= tail.size; room++) {
        const char *at = tail.data + tail.size - room;
        if (memcmp(at, "PK\5\6", 4) == 0) {
            return at;
        }
    }
    return NULL;
}

static void read_numbers(const char *at, const size_t sizes[NUMBERS], uint64_t numbers[NUMBERS]) {
    for (int i = 0; i < NUMBERS; i++) {
        numbers[i] = bytes_number(at, sizes[i]);
        at += sizes[i];
    }
}

static bool is_one_disk(const ending *e) {
    return e->numbers[DISK] == 0 && e->numbers[DIRECTORY_DISK] == 0 &&
           e->numbers[COUNT_HERE] == e->numbers[COUNT];
}

/* The record of zip64 lies right before its locator, and holds nothing else; where
 * the end record says a number too, it is the same. */
static bool read_end64(const zipfile *z, const char *locator, ending *e, failure *what) {
    char record[END64_SIZE];
    uint64_t numbers[NUMBERS];
    uint64_t place = bytes_number(locator + 8, 8);
    if (place > e->records || e->records - place != END64_SIZE ||
        bytes_number(locator + 4, 4) != 0 || bytes_number(locator + 16, 4) != 1) {
        return refuse(what, "the end record of zip64 is not right before its locator");
    }
    TRY(io_read_at(z->from, place, record, sizeof record, what));
    if (memcmp(record, "PK\6\6", 4) != 0 || bytes_number(record + 4, 8) != END64_SIZE - 12) {
        return refuse(what, "the locator of zip64 points at something else");
    }
    read_numbers(record + 16, large_sizes, numbers);
    for (int i = 0; i < NUMBERS; i++) {
        if (numbers[i] != e->numbers[i] && !zipfile_is_elsewhere(e->numbers[i], small_sizes[i])) {
            return refuse(what, "the end record and that of zip64 differ");
        }
        e->numbers[i] = numbers[i];
    }
    e->records = place;
    return true;
}

/* at: the end record, in the tail of the file. */
static bool read_end(const zipfile *z, ep_bytes tail, const char *at, ending *e, failure *what) {
    size_t before = (size_t)(at - tail.data);
    size_t room = tail.size - before;
    if (room < END_SIZE || bytes_number(at + 20, 2) > room - END_SIZE) {
        return refuse(what, "its end record is cut off: a part of it is missing");
    }
    if (bytes_number(at + 20, 2) < room - END_SIZE) {
        return refuse(what, "it does not end with its end record and the record's comment");
    }
    e->records = e->file - room;
    read_numbers(at + 4, small_sizes, e->numbers);
    if (before >= LOCATOR_SIZE && memcmp(at - LOCATOR_SIZE, "PK\6\7", 4) == 0) {
        e->records -= LOCATOR_SIZE;
        return read_end64(z, at - LOCATOR_SIZE, e, what);
    }
    return true;
}

static bool judge_end(zipfile *z, const ending *e, failure *what) {
    uint64_t size = e->numbers[SIZE];
    if (!is_one_disk(e)) {
        return refuse(what, "it is a part of several");
    }
    if (e->numbers[PLACE] > e->records || e->records - e->numbers[PLACE] != size) {
        return refuse(what, "the directory does not end where the end records begin");
    }
    if (e->numbers[COUNT] > size / ENTRY_SIZE) {
        return refuse(what, "the directory is too short for its members");
    }
    z->place = e->numbers[PLACE];
    z->size = (size_t)size;
    return size <= SIZE_MAX || refuse_plainly(what, EP_MEMORY);
}

/* ---------------------------------------------------------------- other end records */

/* A record that may be an end record to a reader that takes the best of several, as libzip
 * does. */
typedef struct other {
    const zipfile *z;
    uint64_t place; /* of the record */
    size_t steps;   /* that may still be taken, for all of them together */
    failure *what;
} other;

/* Bytes of the file, if there are so many. */
static bool look_at(const other *o, uint64_t place, char *bytes, size_t size, bool *there) {
    uint64_t file = io_length(o->z->from);
    *there = place <= file && size <= file - place;
    return !*there || io_read_at(o->z->from, place, bytes, size, o->what);
}

/* Whether entries fill what its numbers say is a directory; so many steps that nobody
 * means it are as bad. False where the file cannot be read. */
static bool walk(other *o, const uint64_t numbers[NUMBERS], bool *leads) {
    char entry[ENTRY_SIZE];
    uint64_t at = numbers[PLACE];
    uint64_t left = numbers[SIZE];
    uint64_t count = numbers[COUNT];
    bool there = at <= o->place && left <= o->place - at;
    for (; there && count > 0 && left >= ENTRY_SIZE && o->steps > 0; count--, o->steps--) {
        TRY(look_at(o, at, entry, sizeof entry, &there));
        uint64_t size = ENTRY_SIZE + bytes_number(entry + 28, 2) + bytes_number(entry + 30, 2) +
                        bytes_number(entry + 32, 2);
        there = there && memcmp(entry, "PK\1\2", 4) == 0 && size <= left;
        at += size;
        left -= there ? size : 0;
    }
    *leads = there && (o->steps == 0 || (count == 0 && left == 0));
    return true;
}

/* The same, with the numbers of the record of zip64 that a locator points to. */
static bool walk64(other *o, const char *locator, bool *leads) {
    char record[END64_SIZE];
    uint64_t numbers[NUMBERS];
    TRY(look_at(o, bytes_number(locator + 8, 8), record, sizeof record, leads));
    if (!*leads || memcmp(record, "PK\6\6", 4) != 0) {
        *leads = false;
        return true;
    }
    read_numbers(record + 16, large_sizes, numbers);
    return walk(o, numbers, leads);
}

/* What may be an end record, from a place on, and whole before the last; NULL: nothing. */
static const char *next_record(const char *at, const char *end) {
    for (; end - at >= END_SIZE; at++) {
        at = memchr(at, 'P', (size_t)(end - at) - END_SIZE + 1);
        if (at == NULL || memcmp(at, "PK\5\6", 4) == 0) {
            return at;
        }
    }
    return NULL;
}

/* Refuses end records before the last that lead to a directory. Archives inside this one
 * have such records, too, but what they name is not there. */
static bool check_others(const zipfile *z, ep_bytes tail, const char *end, failure *what) {
    enum { STEPS = 1 << 16 };
    other o = {.z = z, .steps = STEPS, .what = what};
    for (const char *at = tail.data; (at = next_record(at, end)) != NULL; at++) {
        uint64_t numbers[NUMBERS];
        bool leads = false;
        bool located =
            at - tail.data >= LOCATOR_SIZE && memcmp(at - LOCATOR_SIZE, "PK\6\7", 4) == 0;
        o.place = io_length(z->from) - (uint64_t)(tail.data + tail.size - at);
        read_numbers(at + 4, small_sizes, numbers);
        if (!walk(&o, numbers, &leads) ||
            (!leads && located && !walk64(&o, at - LOCATOR_SIZE, &leads))) {
            return false;
        }
        if (leads) {
            return refuse(what, "it has a second end record");
        }
    }
    return true;
}

/* As far as libzip looks. */
static bool read_tail(const io_data *from, buffer *tail, failure *what) {
    uint64_t file = io_length(from);
    size_t size = file < ZIPFILE_TAIL ? (size_t)file : ZIPFILE_TAIL;
    return io_read_piece(from, file - size, size, tail, what);
}

bool zipfile_check_ends(const io_data *from, failure *what) {
    zipfile z = {.from = from};
    buffer tail = {0};
    bool ok = read_tail(from, &tail, what) &&
              check_others(&z, buffer_bytes(&tail), last_end(buffer_bytes(&tail)), what);
    buffer_free(&tail);
    return ok;
}

bool zipfile_find_directory(zipfile *z, uint64_t *count, failure *what) {
    ending e = {.file = io_length(z->from)};
    buffer tail = {0};
    TRY(read_tail(z->from, &tail, what));
    ep_bytes bytes = buffer_bytes(&tail);
    const char *at = last_end(bytes);
    bool ok = at == NULL ? refuse(what, "it has no end record: a part of it is missing")
                         : read_end(z, bytes, at, &e, what) && judge_end(z, &e, what) &&
                               (z->is_known || check_others(z, bytes, at, what));
    *count = e.numbers[COUNT];
    buffer_free(&tail);
    return ok;
}
