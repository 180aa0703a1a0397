/*
 * npy.c - see npy.h. A header is a dict as Python spells it, of three keys in any order, with
 * blanks and a newline behind it. Source: numpy.lib.format, versions 1.0, 2.0 and 3.0.
 */
#include "npy.h"

#include <string.h>

#include "common/refusal.h"
#include "scan.h"

enum { MAGIC = 6, VERSION = 2, BEGINNING = MAGIC + VERSION };

/* A comma, which may stand before the end too; false at the end, which is taken. */
static bool take_comma(scan *c, char end) {
    bool comma = scan_is_next(c, ',');
    c->p += comma ? 1 : 0;
    if (comma && !scan_is_next(c, end)) {
        return true;
    }
    scan_take(c, end);
    return false;
}

/* Text between quotes, without escapes. */
static bool take_text(scan *c, ep_bytes *text) {
    char quote = scan_is_next(c, '"') ? '"' : '\'';
    TRY(scan_take(c, quote));
    const char *end = memchr(c->p, quote, (size_t)(c->end - c->p));
    if (end == NULL || memchr(c->p, '\\', (size_t)(end - c->p)) != NULL) {
        return scan_fail(c, "a text of its header does not end, or has escapes");
    }
    *text = (ep_bytes){c->p, (size_t)(end - c->p)};
    c->p = end + 1;
    return true;
}

/* -------------------------------------------------------------------------------- fields */

/* What the keys say. */
typedef struct header {
    const dtype_row *dtype;
    bool columns_first;
    size_t rank;
    int64_t sizes[PAYLOAD_RANK_MAX];
    int seen;
} header;

/* A tuple, of one size with a comma. */
static bool take_shape(scan *c, header *h) {
    if (!scan_take(c, '(')) {
        return false;
    }
    if (scan_is_next(c, ')')) {
        c->p++;
        return true;
    }
    const char *behind;
    do {
        if (h->rank == PAYLOAD_RANK_MAX) {
            return scan_fail(c, "it has too many dimensions");
        }
        TRY(scan_number(c, &h->sizes[h->rank++]));
        behind = c->p;
    } while (take_comma(c, ')'));
    bool tuple = h->rank > 1 || memchr(behind, ',', (size_t)(c->p - behind)) != NULL;
    return c->why == NULL && (tuple || scan_fail(c, "its shape is no tuple"));
}

static bool take_descr(scan *c, header *h) {
    ep_bytes text;
    if (scan_is_next(c, '[')) {
        return scan_fail(c, "its elements are records, which no tensor has");
    }
    TRY(take_text(c, &text));
    h->dtype = dtype_of_npy(text);
    return h->dtype != NULL || scan_fail(c, text.size > 0 && text.data[0] == '>'
                                                ? "its bytes are big-endian"
                                                : "its dtype is none that a tensor has");
}

static bool take_order(scan *c, header *h) {
    h->columns_first = scan_is_next(c, 'T');
    ep_bytes word = bytes_of(h->columns_first ? "True" : "False");
    if (!bytes_start((ep_bytes){c->p, (size_t)(c->end - c->p)}, word.data)) {
        return scan_fail(c, "its fortran_order is neither True nor False");
    }
    c->p += word.size;
    return true;
}

static bool take_field(scan *c, header *h) {
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    ep_bytes key;
    int i = 0;
    TRY(take_text(c, &key) && scan_take(c, ':'));
    while (i < 3 && !bytes_equal(key, keys[i])) {
        i++;
    }
    if (i == 3 || (h->seen & 1 << i) != 0) {
        return scan_fail(c, "its header has a key twice, or one that numpy does not know");
    }
    h->seen |= 1 << i;
    return i == 0 ? take_descr(c, h) : i == 1 ? take_order(c, h) : take_shape(c, h);
}

static bool take_header(scan *c, header *h) {
    enum { ALL = 7 };
    TRY(scan_take(c, '{'));
    do {
        TRY(take_field(c, h));
    } while (take_comma(c, '}'));
    if (c->why == NULL && (scan_is_next(c, '\n') ? c->end - c->p != 1 : c->p < c->end)) {
        return scan_fail(c, "something follows its header");
    }
    return c->why == NULL && (h->seen == ALL || scan_fail(c, "its header lacks a key"));
}

/* ---------------------------------------------------------------------------------- file */

/* How long the header is, and where it begins. */
static bool measure(const io_data *from, uint64_t *place, uint64_t *size, failure *what) {
    char bytes[BEGINNING + 4] = {0};
    uint64_t length = io_length(from);
    size_t wanted = length < sizeof bytes ? (size_t)length : sizeof bytes;
    TRY(io_read_at(from, 0, bytes, wanted, what));
    if (memcmp(bytes, "\x93NUMPY", MAGIC) != 0) {
        return refuse_invalid(what, "no file of numpy's .npy");
    }
    if (bytes[MAGIC] < 1 || bytes[MAGIC] > 3 || bytes[MAGIC + 1] != 0) {
        return refuse_invalid(what, "its version of .npy is none of 1.0, 2.0 and 3.0");
    }
    size_t digits = bytes[MAGIC] == 1 ? 2 : 4;
    *place = BEGINNING + digits;
    *size = bytes_number(bytes + BEGINNING, digits);
    bool inside = *place <= length && *size <= length - *place;
    return inside ? *size > 0 || refuse_invalid(what, "its header is empty")
                  : refuse_invalid(what, "its header reaches beyond its end");
}

static bool read_header(const io_data *from, const given_tensor *t, size_t size, header *h,
                        failure *what) {
    buffer text = {0};
    uint64_t bytes;
    TRY(io_read_piece(from, t->place - size, size, &text, what));
    scan c = {.p = text.data,
              .end = text.data + text.size,
              .blanks = " ",
              .form = "its header is no dict of descr, fortran_order and shape"};
    bool ok = take_header(&c, h) || refuse_invalid(what, c.why);
    if (ok && (!given_size(h->dtype, h->sizes, h->rank, &bytes) || bytes != t->size)) {
        ok = refuse_invalid(what, "it has more or fewer bytes than its shape says");
    }
    buffer_free(&text);
    return ok;
}

bool npy_open(const io_data *from, size_t limit, given *g, given_tensor t, failure *what) {
    header h = {0};
    uint64_t place = 0;
    uint64_t size = 0;
    TRY(measure(from, &place, &size, what));
    if (size > limit) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    t.place = place + size;
    t.size = io_length(from) - t.place;
    TRY(read_header(from, &t, (size_t)size, &h, what));
    t.dtype = h.dtype;
    t.rank = h.rank;
    t.columns_first = h.columns_first;
    return given_add(g, &t, h.sizes) || refuse_plainly(what, EP_MEMORY);
}
