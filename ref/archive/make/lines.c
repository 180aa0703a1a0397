/*
 * lines.c - see lines.h.
 */
#include "lines.h"

#include <string.h>

#include "common/macros.h"
#include "common/safe.h"

/* ------------------------------------------------------------------------------ reading */

const char *lines_open(lines *l, ep_bytes text) {
    *l = (lines){.rest = text, .number = 1};
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c != '\n' && (c < ' ' || c == 0x7F)) {
            return "a control character, which has to be spelled \\x1b";
        }
        l->number += c == '\n';
    }
    if (text.size == 0 || text.data[text.size - 1] != '\n') {
        return "the text does not end with a line";
    }
    l->number = 0;
    return NULL;
}

bool lines_next(lines *l) {
    const char *end = l->rest.size == 0 ? NULL : memchr(l->rest.data, '\n', l->rest.size);
    TRY(end != NULL);
    l->line = (ep_bytes){l->rest.data, (size_t)(end - l->rest.data)};
    l->rest = (ep_bytes){end + 1, l->rest.size - l->line.size - 1};
    l->number++;
    return true;
}

bool lines_word(lines *l, ep_bytes *word) {
    const char *end = l->line.size == 0 ? NULL : memchr(l->line.data, ' ', l->line.size);
    TRY(end != NULL && end != l->line.data);
    *word = (ep_bytes){l->line.data, (size_t)(end - l->line.data)};
    l->line = (ep_bytes){end + 1, l->line.size - word->size - 1};
    return true;
}

/* Digits, of which there may be only so many. */
static bool read_digits(ep_bytes digits, uint64_t most, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < digits.size; i++) {
        char c = digits.data[i];
        uint64_t digit = (uint64_t)(c - '0');
        TRY(c >= '0' && c <= '9' && *number <= (most - digit) / 10);
        *number = *number * 10 + digit;
    }
    return digits.size > 0;
}

bool lines_number(lines *l, uint64_t *number) {
    ep_bytes word;
    return lines_word(l, &word) && read_digits(word, INT64_MAX, number);
}

/* The parts of a date of zip, highest first: "2026-01-31 12:00:58". */
typedef struct date_part {
    unsigned shift;
    unsigned bits;
    unsigned base;
    unsigned step;
    unsigned digits;
    char end;
} date_part;

static const date_part date_parts[] = {
    {25, 7, 1980, 1, 4, '-'}, {21, 4, 0, 1, 2, '-'}, {16, 5, 0, 1, 2, ' '},
    {11, 5, 0, 1, 2, ':'},    {5, 6, 0, 1, 2, ':'},  {0, 5, 0, 2, 2, ' '},
};

enum { DATE_PARTS = sizeof date_parts / sizeof date_parts[0] };

bool lines_date(lines *l, uint32_t *date) {
    *date = 0;
    for (size_t i = 0; i < DATE_PARTS; i++) {
        const date_part *p = &date_parts[i];
        uint64_t number;
        TRY(l->line.size > p->digits && l->line.data[p->digits] == p->end &&
            read_digits((ep_bytes){l->line.data, p->digits}, UINT32_MAX, &number));
        uint64_t part = (number - p->base) / p->step; /* wraps around below the base */
        TRY(part >> p->bits == 0 && part * p->step + p->base == number);
        *date |= (uint32_t)part << p->shift;
        l->line = (ep_bytes){l->line.data + p->digits + 1, l->line.size - p->digits - 1};
    }
    return true;
}

bool lines_name(lines *l, buffer *name) {
    buffer_clear(name);
    return safe_read(name, l->line);
}

/* ------------------------------------------------------------------------------ writing */

void lines_put_word(buffer *b, const char *word) {
    buffer_text(b, word);
    buffer_byte(b, ' ');
}

void lines_put_number(buffer *b, uint64_t number) {
    buffer_number(b, (int64_t)number);
    buffer_byte(b, ' ');
}

void lines_put_date(buffer *b, uint32_t date) {
    for (size_t i = 0; i < DATE_PARTS; i++) {
        const date_part *p = &date_parts[i];
        uint32_t part = date >> p->shift & ((1U << p->bits) - 1);
        uint32_t number = part * p->step + p->base;
        buffer_text(b, p->digits == 2 && number < 10 ? "0" : "");
        buffer_number(b, (int64_t)number);
        buffer_byte(b, p->end);
    }
}

void lines_put_name(buffer *b, ep_bytes name) {
    safe_spell(b, name);
    buffer_byte(b, '\n');
}
