/*
 * report/text.c - see report_text.h.
 */
#include "report/text.h"

#include "suite/vector_bytes.h"
#include "text/memory.h"

#include <limits.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, GZIP_LEVEL = 9, GZIP_MEMORY = 9 };

void report_put_numbers(cJSON *into, const char *key, const size_t *numbers, size_t count) {
    cJSON *list = cJSON_AddArrayToObject(into, key);
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)numbers[i]));
    }
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

static void put_base64(strbuf *text, const unsigned char *data, int size) {
    unsigned char *digits = memory_take((size_t)size / 3 * 4 + 5, 1);
    int count = EVP_EncodeBlock(digits, data, size);
    strbuf_put(text, (const char *)digits, (size_t)count);
    free(digits);
}

/* Packs all at once, with room for the worst case; the size, 0 if it fails. */
static size_t deflate_all(z_stream *z, const char *data, size_t size, unsigned char *packed,
                          size_t room) {
    z->next_in = (unsigned char *)(uintptr_t)data;
    z->avail_in = (uInt)size;
    z->next_out = packed;
    z->avail_out = (uInt)room;
    return deflate(z, Z_FINISH) == Z_STREAM_END ? z->total_out : 0;
}

bool report_put_packed(strbuf *text, const char *data, size_t data_size) {
    z_stream z = {0};
    size_t size = 0;
    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) ==
        Z_OK) {
        size_t room = deflateBound(&z, (uLong)data_size);
        if (room <= INT_MAX) {
            unsigned char *packed = memory_take(room, 1);
            size = deflate_all(&z, data, data_size, packed, room);
            put_base64(text, packed, (int)size);
            free(packed);
        }
        deflateEnd(&z);
    }
    if (size == 0) {
        fputs("epconform: the data cannot be packed\n", stderr);
    }
    return size > 0;
}
