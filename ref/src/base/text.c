/*
 * base/text.c - see text.h. All functions here require strings that the lexer has
 * accepted.
 */
#include "base/text.h"

#include "base/utf8.h"

static uint32_t hex4(const char *p) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        value = value << 4 | (uint32_t)ep_hex_value(p[i]);
    }
    return value;
}

/* The character that a one-letter escape stands for. */
static uint32_t short_escape(char letter) {
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default: /* the quote, the backslash and the slash stand for themselves */
        return (unsigned char)letter;
    }
}

static uint32_t read_escape(ep_text_cursor *cursor) {
    char letter = cursor->p[1];
    if (letter != 'u') {
        cursor->p += 2;
        return short_escape(letter);
    }
    uint32_t unit = hex4(cursor->p + 2);
    cursor->p += 6;
    if (unit < 0xD800 || unit > 0xDFFF) {
        return unit;
    }
    uint32_t low = hex4(cursor->p + 2);
    cursor->p += 6;
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

bool ep_text_next(ep_text_cursor *cursor, uint32_t *scalar) {
    if (cursor->p == cursor->end) {
        return false;
    }
    if (*cursor->p == '\\') {
        *scalar = read_escape(cursor);
    } else {
        cursor->p += ep_utf8_read(cursor->p, cursor->end, scalar);
    }
    return true;
}

size_t ep_text_decode(const char *input, ep_ref ref, char *buffer) {
    if ((ep_ref_flags(ref) & EP_REF_ESCAPED) == 0) {
        ep_bytes raw = ep_ref_raw(input, ref);
        memcpy(buffer, raw.data, raw.size);
        return raw.size;
    }
    ep_text_cursor cursor = ep_text_begin(input, ref);
    char *to = buffer;
    while (cursor.p < cursor.end) {
        if (*cursor.p == '\\') {
            to += ep_utf8_write(read_escape(&cursor), to);
        } else {
            *to++ = *cursor.p++;
        }
    }
    return (size_t)(to - buffer);
}

bool ep_text_is(const char *input, ep_ref ref, ep_bytes text) {
    if ((ep_ref_flags(ref) & EP_REF_ESCAPED) == 0) {
        return ep_text_equal(ep_ref_raw(input, ref), text);
    }
    ep_text_cursor cursor = ep_text_begin(input, ref);
    uint32_t scalar;
    size_t at = 0;
    while (ep_text_next(&cursor, &scalar)) {
        char utf8[4];
        size_t n = ep_utf8_write(scalar, utf8);
        if (n > text.size - at || memcmp(utf8, text.data + at, n) != 0) {
            return false;
        }
        at += n;
    }
    return at == text.size;
}

/* UTF-8 sorts as its scalar values do, so bytes are compared where nothing is escaped. */
static int compare_raw(ep_bytes a, ep_bytes b) {
    size_t shorter = a.size < b.size ? a.size : b.size;
    int order = shorter == 0 ? 0 : memcmp(a.data, b.data, shorter);
    if (order != 0 || a.size == b.size) {
        return order;
    }
    return a.size < b.size ? -1 : 1;
}

int ep_text_compare(const char *input, ep_ref a, ep_ref b) {
    if (((ep_ref_flags(a) | ep_ref_flags(b)) & EP_REF_ESCAPED) == 0) {
        return compare_raw(ep_ref_raw(input, a), ep_ref_raw(input, b));
    }
    ep_text_cursor left = ep_text_begin(input, a);
    ep_text_cursor right = ep_text_begin(input, b);
    uint32_t x = 0;
    uint32_t y = 0;
    bool more;
    do {
        more = ep_text_next(&left, &x);
        if (more != ep_text_next(&right, &y)) {
            return more ? 1 : -1;
        }
    } while (more && x == y);
    return more ? (x < y ? -1 : 1) : 0;
}

/* One round of a multiplicative hash of 64 bits; the constant is 2^64 over the
 * golden ratio. */
static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

/* The last bytes of a text, fewer than eight. */
static uint64_t load_tail(const char *p, size_t size) {
    char bytes[8] = {0};
    memcpy(bytes, p, size);
    return ep_load64(bytes);
}

static uint32_t hash_bytes(ep_bytes text) {
    uint64_t hash = text.size;
    size_t at = 0;
    for (; text.size - at >= 8; at += 8) {
        hash = mix(hash, ep_load64(text.data + at));
    }
    hash = mix(hash, load_tail(text.data + at, text.size - at));
    return (uint32_t)hash;
}

/* The same for a text that has to be decoded, eight bytes at a time. */
static uint32_t hash_escaped(const char *input, ep_ref ref) {
    ep_text_cursor cursor = ep_text_begin(input, ref);
    char bytes[12]; /* up to 7 that wait, and a scalar value */
    size_t waiting = 0;
    size_t size = 0;
    uint32_t scalar;
    while (ep_text_next(&cursor, &scalar)) {
        size += ep_utf8_write(scalar, bytes);
    }
    uint64_t hash = size;
    cursor = ep_text_begin(input, ref);
    while (ep_text_next(&cursor, &scalar)) {
        waiting += ep_utf8_write(scalar, bytes + waiting);
        if (waiting >= 8) {
            hash = mix(hash, ep_load64(bytes));
            waiting -= 8;
            memcpy(bytes, bytes + 8, 4);
        }
    }
    return (uint32_t)mix(hash, load_tail(bytes, waiting));
}

uint32_t ep_text_hash(const char *input, ep_ref ref) {
    if ((ep_ref_flags(ref) & EP_REF_ESCAPED) == 0) {
        return hash_bytes(ep_ref_raw(input, ref));
    }
    return hash_escaped(input, ref);
}
