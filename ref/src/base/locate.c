/*
 * base/locate.c - see locate.h. One pass over the bytes before the error. The text of
 * the pointer is the only record of the path: a segment is removed by cutting at the
 * last slash, and an index is incremented in its decimal digits. One bit a level
 * records whether the level is an array. Nothing is allocated, so that running out of
 * memory can be located too. SPEC 1.5.3.
 */
#include "base/locate.h"

#include "base/text.h"

typedef struct walk {
    const char *p;
    const char *stop;
    char *pointer;
    size_t size;  /* of the pointer's text */
    size_t lost;  /* segments that did not fit */
    size_t depth; /* open arrays and objects */
    bool segment; /* the innermost one has a segment: a value is awaited or read */
    bool done;    /* ... and that value is complete */
    bool closes;  /* the byte at the stop ends a scalar */
    bool at_end;  /* there is no such byte */
    unsigned char arrays[EP_DEPTH_MAX / 8 + 2];
} walk;

/* Outside of everything no bit is set. */
static bool in_array(const walk *w) {
    return (w->arrays[w->depth / 8] >> w->depth % 8 & 1) != 0;
}

static bool append_char(walk *w, char c) {
    if (w->size >= EP_POINTER_SIZE - 1) {
        return false;
    }
    w->pointer[w->size++] = c;
    return true;
}

/* Cuts the pointer back to a size. A segment that did not fit is lost. */
static void lose_segment(walk *w, size_t size) {
    w->size = size;
    w->lost++;
}

static bool append_scalar(walk *w, uint32_t scalar) {
    if (scalar == 0) { /* the text of a pointer ends at a zero */
        return false;
    }
    if (scalar == '~' || scalar == '/') {
        return append_char(w, '~') && append_char(w, scalar == '~' ? '0' : '1');
    }
    if (scalar < 0x80) {
        return append_char(w, (char)scalar);
    }
    int shift = scalar < 0x800 ? 6 : scalar < 0x10000 ? 12 : 18;
    uint32_t lead = scalar < 0x800 ? 0xC0 : scalar < 0x10000 ? 0xE0 : 0xF0;
    bool fits = append_char(w, (char)(lead | scalar >> shift));
    while (fits && shift > 0) {
        shift -= 6;
        fits = append_char(w, (char)(0x80 | (scalar >> shift & 0x3F)));
    }
    return fits;
}

/* Whether a byte of a key stands for itself in a pointer, as most do. */
static bool is_plain(char c) {
    return c >= ' ' && c < 0x7F && c != '\\' && c != '~' && c != '/';
}

/* Adds the segment of a key, given without its quotes. */
static void push_key(walk *w, const char *key, const char *end) {
    w->segment = true;
    if (w->lost > 0) {
        w->lost++;
        return;
    }
    size_t before = w->size;
    ep_text_cursor cursor = {key, end};
    uint32_t scalar;
    bool fits = append_char(w, '/');
    while (fits && cursor.p < cursor.end) {
        if (is_plain(*cursor.p)) {
            fits = append_char(w, *cursor.p++);
        } else {
            fits = ep_text_next(&cursor, &scalar) && append_scalar(w, scalar);
        }
    }
    if (!fits) {
        lose_segment(w, before);
    }
}

static void drop_segment(walk *w) {
    if (w->lost > 0) {
        w->lost--;
        return;
    }
    /* LCOV_EXCL_START a segment begins with a slash */
    while (w->size > 0 && w->pointer[--w->size] != '/') {
        /* LCOV_EXCL_STOP */
    }
}

static void push_first_index(walk *w) {
    static const char zero[] = "0";
    push_key(w, zero, zero + 1);
}

/* Increments the index at the end of the pointer. */
static void next_index(walk *w) {
    if (w->lost > 0) {
        return;
    }
    size_t at = w->size;
    while (w->pointer[at - 1] == '9') {
        w->pointer[--at] = '0';
    }
    if (w->pointer[at - 1] != '/') {
        w->pointer[at - 1]++;
    } else if (append_char(w, '0')) {
        w->pointer[at] = '1';
    } else {
        lose_segment(w, at - 1);
    }
}

static void open_container(walk *w, bool array) {
    w->depth++;
    unsigned char bit = (unsigned char)(1u << w->depth % 8);
    unsigned char *byte = &w->arrays[w->depth / 8];
    *byte = (unsigned char)(array ? *byte | bit : *byte & ~bit);
    w->segment = false;
    w->done = false;
}

static void close_container(walk *w) {
    if (w->segment) {
        drop_segment(w);
    }
    w->depth--;
    w->segment = w->depth > 0;
    w->done = true;
}

static void next_part(walk *w) {
    if (in_array(w)) {
        next_index(w);
    } else {
        drop_segment(w);
        w->segment = false;
    }
    w->done = false;
}

/* The cursor is on a quote; the string may go on past the stop. */
static void pass_string(walk *w) {
    const char *p = w->p + 1;
    while (p < w->stop && *p != '"') {
        p += *p == '\\' && w->stop - p > 1 ? 2 : 1;
    }
    if (p >= w->stop) {
        w->p = w->stop;
        return;
    }
    if (w->depth > 0 && !w->segment) {
        push_key(w, w->p + 1, p);
    } else {
        w->done = true;
    }
    w->p = p + 1;
}

static bool ends_scalar(char c) {
    return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The scalar is complete when something ends it; else it is still being read. At the end
 * of the input it is a whole word, to which nothing can be added, or a number so far,
 * whose last byte is a digit. */
static void pass_scalar(walk *w) {
    while (w->p < w->stop && !ends_scalar(*w->p)) {
        w->p++;
    }
    bool word = w->at_end && !ep_is_digit(w->p[-1]);
    w->done = w->p < w->stop || w->closes || word;
}

/* One token, or one white space. */
static void step(walk *w) {
    char c = *w->p;
    bool structural = c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ':' || c == ',' ||
                      c == ']' || c == '}';
    if (!structural && in_array(w) && !w->segment) {
        push_first_index(w);
    }
    if (c == '"') {
        pass_string(w);
        return;
    }
    if (!structural && c != '{' && c != '[') {
        pass_scalar(w);
        return;
    }
    if (c == '{' || c == '[') {
        open_container(w, c == '[');
    } else if (c == '}' || c == ']') {
        close_container(w);
    } else if (c == ',') {
        next_part(w);
    }
    w->p++;
}

/* What the byte at the stop shows about the place. */
static void finish(walk *w, ep_bytes input, ep_place place) {
    if (w->done && w->segment) {
        drop_segment(w);
        return;
    }
    if (w->segment || w->p >= input.data + input.size || w->depth == 0) {
        return;
    }
    if (place == EP_PLACE_KEY) {
        w->stop = input.data + input.size;
        pass_string(w);
    } else if (in_array(w) && !ends_scalar(*w->p)) {
        push_first_index(w);
    }
}

void ep_locate(ep_bytes input, size_t offset, ep_place place, ep_error *error) {
    walk w = {.pointer = error->pointer};
    w.p = input.data;
    w.stop = input.data + (offset < input.size ? offset : input.size);
    w.at_end = place != EP_PLACE_TOKEN && offset >= input.size;
    w.closes = place != EP_PLACE_TOKEN && !w.at_end && ends_scalar(input.data[offset]);
    while (w.p < w.stop && (w.depth > 0 || !w.done)) { /* what follows the value has no place */
        step(&w);
    }
    finish(&w, input, place);
    w.pointer[w.size] = '\0';
    error->pointer_cut = w.lost > 0;
}
