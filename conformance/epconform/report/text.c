/*
 * report/text.c - see report_text.h.
 */
#include "report/text.h"

#include "suite/vector_bytes.h"
#include "text/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, GZIP_LEVEL = 9, GZIP_MEMORY = 9 };

/* -------------------------------------------------------------------- JSON */

void report_put_string(strbuf *text, const char *words, size_t size) {
    size_t from = 0;
    strbuf_text(text, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)words[i];
        if (c < 0x20 || c == '"' || c == '\\') {
            strbuf_put(text, words + from, i - from);
            strbuf_format(text, "\\u%04x", (unsigned)c);
            from = i + 1;
        }
    }
    strbuf_put(text, words + from, size - from);
    strbuf_text(text, "\"");
}

void report_put_comma(strbuf *text) {
    char last = text->size > 0 ? text->data[text->size - 1] : '{';
    if (last != '{' && last != '[') {
        strbuf_text(text, ",");
    }
}

void report_put_key(strbuf *text, const char *name) {
    report_put_comma(text);
    report_put_string(text, name, strlen(name));
    strbuf_text(text, ":");
}

void report_put_numbers(strbuf *text, const size_t *numbers, size_t count) {
    strbuf_text(text, "[");
    for (size_t i = 0; i < count; i++) {
        strbuf_format(text, i == 0 ? "%zu" : ",%zu", numbers[i]);
    }
    strbuf_text(text, "]");
}

void report_put_json(strbuf *text, const cJSON *value) {
    char *printed = value != NULL ? cJSON_PrintUnformatted(value) : NULL;
    strbuf_text(text, printed != NULL ? printed : "null");
    cJSON_free(printed);
}

cJSON *report_read_json(const char *path) {
    vector_bytes bytes;
    if (!vector_file_read(path, &bytes)) {
        return NULL;
    }
    cJSON *value = cJSON_ParseWithLength(bytes.data, bytes.size);
    vector_bytes_free(&bytes);
    if (!cJSON_IsObject(value)) {
        fprintf(stderr, "epconform: %s: is no JSON object\n", path);
        cJSON_Delete(value);
        return NULL;
    }
    return value;
}

/* ----------------------------------------------------------------- packing */

static void put_base64(strbuf *text, const unsigned char *data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)data[i] << 16;
        group |= left > 1 ? (uint32_t)data[i + 1] << 8 : 0;
        group |= left > 2 ? (uint32_t)data[i + 2] : 0;
        char four[4] = {digits[group >> 18 & 63], digits[group >> 12 & 63],
                        left > 1 ? digits[group >> 6 & 63] : '=',
                        left > 2 ? digits[group & 63] : '='};
        strbuf_put(text, four, sizeof four);
    }
}

/* Packs all at once, with room for the worst case; the size, 0 if it fails. */
static size_t deflate_all(z_stream *z, const strbuf *bytes, unsigned char *packed, size_t room) {
    z->next_in = (unsigned char *)bytes->data;
    z->avail_in = (uInt)bytes->size;
    z->next_out = packed;
    z->avail_out = (uInt)room;
    return deflate(z, Z_FINISH) == Z_STREAM_END ? z->total_out : 0;
}

bool report_put_packed(strbuf *text, const strbuf *bytes) {
    z_stream z = {0};
    size_t size = 0;
    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) ==
        Z_OK) {
        size_t room = deflateBound(&z, (uLong)bytes->size);
        if (room <= UINT32_MAX) {
            unsigned char *packed = memory_take(room, 1);
            size = deflate_all(&z, bytes, packed, room);
            put_base64(text, packed, size);
            free(packed);
        }
        deflateEnd(&z);
    }
    if (size == 0) {
        fputs("epconform: the data cannot be packed\n", stderr);
    }
    return size > 0;
}
