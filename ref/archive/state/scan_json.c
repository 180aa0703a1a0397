/*
 * scan_json.c - see scan_json.h.
 */
#include "scan_json.h"

#include "common/macros.h"
#include "common/safe.h"

bool scan_comma(scan *c, char end) {
    if (scan_is_next(c, ',')) {
        c->p++;
        return true;
    }
    scan_take(c, end);
    return false;
}

static bool take_hex(scan *c, uint32_t *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++, c->p++) {
        const char *digits = "0123456789abcdefABCDEF";
        const char *at = c->p < c->end && *c->p != '\0' ? strchr(digits, *c->p) : NULL;
        TRY(at != NULL);
        uint32_t digit = (uint32_t)(at - digits);
        *unit = *unit << 4 | (digit < 16 ? digit : digit - 6);
    }
    return true;
}

static void put_utf8(buffer *b, uint32_t c) {
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    buffer_byte(b, (char)(leads[more] | c >> (6 * more)));
    while (more-- > 0) {
        buffer_byte(b, (char)(0x80 | (c >> (6 * more) & 0x3F)));
    }
}

/* \u and its digits, of a pair both halves. */
static bool take_unit(scan *c, buffer *text) {
    uint32_t unit;
    uint32_t low = 0;
    TRY(take_hex(c, &unit));
    if (0xD800 <= unit && unit <= 0xDBFF) {
        bool pair = c->end - c->p >= 2 && c->p[0] == '\\' && c->p[1] == 'u';
        c->p += pair ? 2 : 0;
        TRY(pair && take_hex(c, &low) && low >= 0xDC00 && low <= 0xDFFF);
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else if (0xDC00 <= unit && unit <= 0xDFFF) {
        return false;
    }
    put_utf8(text, unit);
    return true;
}

static bool take_escape(scan *c, buffer *text) {
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    char letter = c->p < c->end ? *c->p++ : '\0';
    const char *at = letter == '\0' ? NULL : strchr(from, letter);
    if (at != NULL) {
        buffer_byte(text, to[at - from]);
        return true;
    }
    return letter == 'u' && take_unit(c, text);
}

bool scan_text(scan *c, buffer *text) {
    static const char why[] = "a string of its index is none of JSON";
    size_t from = text->size;
    TRY(scan_take(c, '"'));
    while (c->p < c->end && *c->p != '"') {
        char byte = *c->p++;
        if ((unsigned char)byte < ' ' || (byte == '\\' && !take_escape(c, text))) {
            return scan_fail(c, why);
        }
        if (byte != '\\') {
            buffer_byte(text, byte);
        }
    }
    bool whole = c->p < c->end;
    c->p += whole ? 1 : 0;
    bool sound = text->failed || safe_is_utf8(buffer_since(text, from));
    return (whole && sound) || scan_fail(c, why);
}

bool scan_numbers(scan *c, int64_t *numbers, size_t most, size_t *count) {
    *count = 0;
    TRY(scan_take(c, '['));
    if (scan_is_next(c, ']')) {
        c->p++;
        return true;
    }
    do {
        if (*count == most) {
            return scan_fail(c, "a tensor has too many dimensions, or a third offset");
        }
        TRY(scan_number(c, &numbers[(*count)++]));
    } while (scan_comma(c, ']'));
    return c->why == NULL;
}
