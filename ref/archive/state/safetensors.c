/*
 * safetensors.c - see safetensors.h. The index is JSON of one form: an object of objects,
 * so no general reader is needed. Source: the format's documentation, and the checks of
 * safetensors 0.4 (Metadata::validate).
 */
#include "safetensors.h"

#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"
#include "scan_json.h"

enum { LENGTH = 8 };

/* --------------------------------------------------------------------------------- index */

/* {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, in any order */
enum { ALL = 7 };

static bool take_offsets(scan *c, given_tensor *t) {
    int64_t numbers[2];
    size_t count;
    TRY(scan_numbers(c, numbers, 2, &count));
    if (count != 2 || numbers[0] > numbers[1]) {
        return scan_fail(c, "a tensor ends before it begins");
    }
    t->place = (uint64_t)numbers[0];
    t->size = (uint64_t)(numbers[1] - numbers[0]);
    return true;
}

static bool take_dtype(scan *c, buffer *word, given_tensor *t) {
    buffer_clear(word);
    TRY(scan_text(c, word));
    t->dtype = dtype_of_safetensors(buffer_bytes(word));
    return t->dtype != NULL || scan_fail(c, "a tensor has a dtype that no archive has");
}

/* A tensor of the index, before it is kept. */
typedef struct entry {
    given_tensor is;
    int64_t sizes[PAYLOAD_RANK_MAX];
    int seen; /* keys */
} entry;

static bool take_field(scan *c, buffer *word, entry *e) {
    static const char *const keys[] = {"dtype", "shape", "data_offsets"};
    int i = 0;
    buffer_clear(word);
    TRY(scan_text(c, word) && scan_take(c, ':'));
    while (i < 3 && !bytes_equal(buffer_bytes(word), keys[i])) {
        i++;
    }
    if (i == 3 || (e->seen & 1 << i) != 0) {
        return scan_fail(c, "a tensor has a key twice, or one that safetensors does not know");
    }
    e->seen |= 1 << i;
    return i == 0   ? take_dtype(c, word, &e->is)
           : i == 1 ? scan_numbers(c, e->sizes, PAYLOAD_RANK_MAX, &e->is.rank)
                    : take_offsets(c, &e->is);
}

static bool take_tensor(scan *c, buffer *word, entry *e) {
    TRY(scan_take(c, '{'));
    do {
        TRY(take_field(c, word, e));
    } while (scan_comma(c, '}'));
    return c->why == NULL &&
           (e->seen == ALL || scan_fail(c, "a tensor lacks dtype, shape or offsets"));
}

/* "__metadata__": an object of strings, which say nothing of tensors. */
static bool skip_metadata(scan *c, buffer *word) {
    TRY(scan_take(c, '{'));
    if (scan_is_next(c, '}')) {
        c->p++;
        return true;
    }
    do {
        buffer_clear(word);
        TRY(scan_text(c, word) && scan_take(c, ':') && scan_text(c, word));
    } while (scan_comma(c, '}'));
    return c->why == NULL;
}

/* False without a reason: want of memory. */
static bool take_entry(given *s, scan *c, buffer *word, bool *metadata) {
    entry e = {.is = {.name = s->texts.size}};
    if (!scan_text(c, &s->texts) || s->texts.failed || !scan_take(c, ':')) {
        return false;
    }
    e.is.name_size = s->texts.size - e.is.name;
    if (bytes_equal(buffer_since(&s->texts, e.is.name), "__metadata__")) {
        bool first = !*metadata;
        *metadata = true;
        return first ? skip_metadata(c, word) : scan_fail(c, "its index has a name twice");
    }
    return take_tensor(c, word, &e) && given_add(s, &e.is, e.sizes);
}

static bool take_index(given *s, scan *c) {
    buffer word = {0};
    bool metadata = false;
    bool ok = scan_take(c, '{');
    bool empty = ok && scan_is_next(c, '}');
    while (ok && !empty) {
        ok = take_entry(s, c, &word, &metadata);
        if (!ok || !scan_comma(c, '}')) {
            break;
        }
    }
    c->p += empty ? 1 : 0;
    ok = ok && c->why == NULL;
    scan_skip(c);
    if (ok && c->p < c->end) {
        ok = scan_fail(c, "something follows its index");
    }
    s->texts.failed = s->texts.failed || word.failed; /* nothing clears it behind a failure */
    buffer_free(&word);
    return ok && !s->texts.failed;
}

/* -------------------------------------------------------------------------------- checks */

static bool by_place(const name_item *a, const name_item *b) {
    return a->place != b->place ? a->place < b->place : a->count <= b->count;
}

static bool has_its_size(const given *s, const given_tensor *t) {
    uint64_t size;
    return given_size(t->dtype, given_numbers(s, t->sizes), t->rank, &size) && size == t->size;
}

/* The tensors fill the bytes behind the index, one behind the other. */
static const char *fault_of_places(const given *s, const name_list *places, uint64_t length) {
    uint64_t end = 0;
    for (size_t i = 0; i < places->count; i++) {
        const given_tensor *t = &s->items[places->items[i].count];
        if (!has_its_size(s, t)) {
            return "a tensor has another size than its shape says";
        }
        if (t->place != end || t->size > length - end) {
            return "its tensors overlap, have a gap between them, or reach beyond its end";
        }
        end += t->size;
    }
    return end == length ? NULL : "bytes follow its last tensor";
}

/* False without a reason: want of memory. */
static bool check(given *s, scan *c, uint64_t begin, uint64_t length) {
    name_list places = {0};
    const given_tensor *again;
    for (size_t i = 0; i < s->count; i++) {
        const given_tensor *t = &s->items[i];
        /* an empty one comes before what begins at its place */
        names_add(&places, (name_item){.place = t->place * 2 + (t->size > 0), .count = i});
    }
    names_sort_by(&places, by_place);
    bool ok = given_index(s, &again) && !places.failed &&
              (again == NULL || scan_fail(c, "its index has a name twice"));
    const char *why = ok ? fault_of_places(s, &places, length) : NULL;
    for (size_t i = 0; i < s->count; i++) {
        s->items[i].place += begin;
    }
    names_free(&places);
    return ok && (why == NULL || scan_fail(c, why));
}

static bool refuse(failure *what, const char *why) {
    return why == NULL ? refuse_plainly(what, EP_MEMORY) : refuse_invalid(what, why);
}

bool safetensors_open(const io_data *from, size_t limit, given *s, failure *what) {
    buffer index = {0};
    uint64_t length = io_length(from);
    *s = (given){.from = from};
    if (length < LENGTH) {
        return refuse(what, "no file of safetensors: it ends before its index");
    }
    bool ok = io_read_piece(from, 0, LENGTH, &index, what);
    uint64_t size = ok ? bytes_number(index.data, LENGTH) : 0;
    if (ok && size > length - LENGTH) {
        ok = refuse(what, "no file of safetensors: its index reaches beyond its end");
    }
    if (ok && size > limit) {
        ok = refuse_plainly(what, EP_LIMIT_BYTES);
    }
    buffer_clear(&index);
    ok = ok && io_read_piece(from, LENGTH, (size_t)size, &index, what);
    if (ok) {
        scan c = {.p = index.data,
                  .end = index.data + index.size,
                  .blanks = " \n\r\t",
                  .form = "its index is no JSON of the form of safetensors"};
        ok = (take_index(s, &c) && check(s, &c, LENGTH + size, length - LENGTH - size)) ||
             refuse(what, s->texts.failed ? NULL : c.why);
    }
    buffer_free(&index);
    return ok;
}
