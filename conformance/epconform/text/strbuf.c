/*
 * text/strbuf.c - see strbuf.h.
 */
#include "text/strbuf.h"

#include "text/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(strbuf *b, size_t more) {
    size_t wanted = b->size + more + 1;
    if (wanted > b->capacity) {
        size_t doubled = b->capacity * 2;
        b->capacity = wanted > doubled ? wanted : doubled;
        b->data = memory_resize(b->data, b->capacity, 1);
    }
}

void strbuf_put(strbuf *b, const char *data, size_t size) {
    make_room(b, size);
    if (size > 0) {
        memcpy(b->data + b->size, data, size);
    }
    b->size += size;
    b->data[b->size] = '\0';
}

void strbuf_text(strbuf *b, const char *text) {
    strbuf_put(b, text, strlen(text));
}

void strbuf_format(strbuf *b, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (size <= 0) {
        return;
    }
    make_room(b, (size_t)size);
    va_start(list, format);
    vsnprintf(b->data + b->size, (size_t)size + 1, format, list);
    va_end(list);
    b->size += (size_t)size;
}

const char *with_commas(size_t number) {
    static char ring[8][32];
    static unsigned next;
    char digits[24];
    char *text = ring[next++ % 8];
    int size = snprintf(digits, sizeof digits, "%zu", number);
    size_t at = 0;
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0) {
            text[at++] = ',';
        }
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

static void put_hex(strbuf *b, char c) {
    strbuf_format(b, "\\x%02X", (unsigned)(unsigned char)c);
}

void strbuf_ascii(strbuf *b, const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (data[i] >= ' ' && data[i] <= '~' && data[i] != '\\') {
            strbuf_put(b, data + i, 1);
        } else {
            put_hex(b, data[i]);
        }
    }
}

/* The scalar value of a character that is UTF-8. */
static uint32_t scalar_of(const char *data, size_t width) {
    uint32_t scalar = (unsigned char)data[0] & (width == 1 ? 0x7Fu : 0x7Fu >> width);
    for (size_t i = 1; i < width; i++) {
        scalar = scalar << 6 | ((unsigned char)data[i] & 0x3Fu);
    }
    return scalar;
}

/* Characters that are not seen, or change how others are seen; and U+FFFE and U+FFFF, which XML
 * does not have. */
static bool is_harmful(uint32_t c) {
    static const uint32_t ranges[][2] = {
        {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C},   {0x180E, 0x180E},
        {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0xFEFF, 0xFEFF},
        {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE007F},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i][0] <= c && c <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

size_t text_size(const char *data, size_t size) {
    while (size > 0 && memchr(" \t\r\n", data[size - 1], 4) != NULL) {
        size--;
    }
    return size;
}

void strbuf_clean(strbuf *b, const char *data, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t width = utf8_size(data + i, size - i);
        if (width > 0 && !is_harmful(scalar_of(data + i, width))) {
            strbuf_put(b, data + i, width);
            i += width;
            continue;
        }
        for (size_t end = i + (width > 0 ? width : 1); i < end; i++) {
            put_hex(b, data[i]);
        }
    }
}

void strbuf_drop(strbuf *b, size_t size) {
    memmove(b->data, b->data + size, b->size - size);
    b->size -= size;
    b->data[b->size] = '\0';
}

const char *strbuf_string(const strbuf *b) {
    return b->data != NULL ? b->data : "";
}

char *strbuf_take(strbuf *b) {
    char *text = b->data != NULL ? b->data : memory_text("");
    *b = (strbuf){NULL, 0, 0};
    return text;
}

void strbuf_clear(strbuf *b) {
    b->size = 0;
    if (b->data != NULL) {
        b->data[0] = '\0';
    }
}

void strbuf_free(strbuf *b) {
    free(b->data);
    *b = (strbuf){NULL, 0, 0};
}

/* -------------------------------------------------------------------- UTF-8 */

static size_t length_of(unsigned char first) {
    return first < 0x80                    ? 1
           : first >= 0xC2 && first < 0xE0 ? 2
           : first >= 0xE0 && first < 0xF0 ? 3
           : first >= 0xF0 && first < 0xF5 ? 4
                                           : 0;
}

size_t utf8_size(const char *data, size_t size) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t width = size > 0 ? length_of((unsigned char)data[0]) : 0;
    if (width <= 1 || width > size) {
        return width <= size ? width : 0;
    }
    for (size_t i = 1; i < width; i++) {
        if (((unsigned char)data[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    uint32_t scalar = scalar_of(data, width);
    bool good = scalar >= least[width] && scalar <= 0x10FFFF && (scalar & ~0x7FFu) != 0xD800;
    return good ? width : 0;
}
