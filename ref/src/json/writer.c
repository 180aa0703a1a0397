/*
 * json/writer.c - see writer.h.
 */
#include "json/writer.h"

#include "json/number.h"

void ep_writer_flush(ep_writer *writer) {
    if (!writer->failed && writer->size > 0) {
        writer->failed = !writer->sink(writer->context, writer->buffer, writer->size);
    }
    writer->size = 0;
}

void ep_writer_put_long(ep_writer *writer, const char *data, size_t size) {
    if (size > EP_WRITER_CHUNK - writer->size) {
        ep_writer_flush(writer);
    }
    if (size <= EP_WRITER_CHUNK) {
        memcpy(writer->buffer + writer->size, data, size);
        writer->size += size;
    } else if (!writer->failed) {
        writer->failed = !writer->sink(writer->context, data, size);
    }
}

static void put_hex4(char *text, uint32_t unit) {
    static const char digits[] = "0123456789abcdef";
    text[0] = '\\';
    text[1] = 'u';
    for (int i = 5; i > 1; i--) {
        text[i] = digits[unit & 15];
        unit >>= 4;
    }
}

/* The letter of a character's short escape, 0 if it has none. */
static char short_letter(uint32_t scalar) {
    switch (scalar) {
    case '"':
    case '\\':
        return (char)scalar;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return '\0';
    }
}

size_t ep_writer_scalar(char *text, uint32_t scalar) {
    char letter = short_letter(scalar);
    if (letter != '\0') {
        text[0] = '\\';
        text[1] = letter;
        return 2;
    }
    if (scalar >= ' ' && scalar < 0x7F) {
        text[0] = (char)scalar;
        return 1;
    }
    if (scalar < 0x10000) {
        put_hex4(text, scalar);
        return 6;
    }
    put_hex4(text, 0xD800 + ((scalar - 0x10000) >> 10));
    put_hex4(text + 6, 0xDC00 + ((scalar - 0x10000) & 0x3FF));
    return 12;
}

static EP_NOINLINE void put_foreign(ep_writer *writer, const char *input, ep_ref ref) {
    ep_text_cursor cursor = ep_text_begin(input, ref);
    uint32_t scalar;
    while (ep_text_next(&cursor, &scalar)) {
        char *room = ep_writer_room(writer);
        writer->size += ep_writer_scalar(room, scalar);
    }
}

void ep_writer_put_text(ep_writer *writer, ep_bytes input, ep_ref ref) {
    enum { SHORT = 64 };
    ep_bytes raw = ep_ref_raw(input.data, ref);
    char *room = ep_writer_room(writer);
    room[0] = '"';
    writer->size++;
    if (EP_UNLIKELY((ep_ref_flags(ref) & EP_REF_FOREIGN) != 0)) {
        put_foreign(writer, input.data, ref);
    } else if (raw.size <= SHORT && input.size - ep_ref_offset(ref) >= SHORT) {
        memcpy(room + 1, raw.data, SHORT); /* a copy of known size, cut after it */
        writer->size += raw.size;
    } else {
        ep_writer_put(writer, raw.data, raw.size);
    }
    *ep_writer_room(writer) = '"';
    writer->size++;
}

void ep_writer_put_int(ep_writer *writer, int64_t value) {
    char *room = ep_writer_room(writer);
    if (value >= 0 && value <= 9) {
        room[0] = (char)('0' + value);
        writer->size++;
    } else {
        writer->size += ep_number_print_int(value, room);
    }
}
