/*
 * report.c - the command `epconform report`: makes one HTML file, which shows what testees made of
 * the suite, of the results that `run` has written. The page is a frame, page/index.html, in which
 * marks such as {{page.css}} are replaced by the files beside it, and by the
 * data, packed: base64 has nothing that could end the element it stands in.
 */
#include "carried.h"
#include "epconform.h"
#include "report/documents.h"
#include "report/results.h"
#include "text/arguments.h"
#include "text/memory.h"
#include "text/output.h"

#include <limits.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, GZIP_LEVEL = 9, GZIP_MEMORY = 9 };

typedef struct request {
    places places;
    const char *html;
    const char *spec;
    const char *spec_url;
    word_list paths; /* of the results */
} request;

/* What the page shows: JSON, and the documents that it names spans of. */
typedef struct content {
    char *json;
    strbuf documents;
} content;

static bool read_arguments(char **argv, request *asked) {
    *asked = (request){.places = places_default()};
    const argument known[] = {{"--html", .value = &asked->html},
                              {"--spec", .value = &asked->spec},
                              {"--spec-url", .value = &asked->spec_url},
                              PLACES_ARGUMENTS(asked->places),
                              {.name = NULL}};
    if (!arguments_read(argv, known, &asked->paths)) {
        return false;
    }
    bool enough = asked->html != NULL && asked->paths.count > 0;
    if (!enough) {
        fputs("epconform report: wants --html=FILE and results; see --help\n", stderr);
    }
    return enough;
}

/* ---------------------------------------------------------------- the data */

/* The text of SPEC.md, and its address if there is one. */
static bool put_spec(const request *asked, cJSON *page) {
    char *path = asked->spec != NULL ? memory_text(asked->spec)
                                     : memory_format("%s/../SPEC.md", asked->places.home);
    vector_bytes bytes = {NULL, 0};
    cJSON *spec = cJSON_AddObjectToObject(page, "spec");
    bool wanted = asked->spec != NULL || access(path, F_OK) == 0;
    bool ok = !wanted || vector_file_read(path, &bytes);
    char *text = memory_part(bytes.size > 0 ? bytes.data : "", bytes.size);
    cJSON_AddStringToObject(spec, "text", text);
    if (asked->spec_url != NULL) {
        cJSON_AddStringToObject(spec, "url", asked->spec_url);
    }
    vector_bytes_free(&bytes);
    free(text);
    free(path);
    return ok;
}

/* Of the suite and the results the page has parts: they stay until it is printed. */
static bool gather(const request *asked, content *c) {
    suite s;
    report_results results = {0};
    char *home = memory_format("%s/testees", asked->places.home);
    cJSON *page = cJSON_CreateObject();
    bool ok = suite_read(&asked->places, &s) &&
              report_suite_put(&s, asked->places.corpora, page, &c->documents) &&
              report_results_read(&s, &asked->paths, &results) && put_spec(asked, page);
    if (ok) {
        report_results_put(&results, home, page);
        c->json = cJSON_PrintUnformatted(page);
    }
    cJSON_Delete(page);
    report_results_free(&results);
    suite_free(&s);
    free(home);
    return ok;
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

/* Bytes, gzip and then base64. False, and said on standard error, if they cannot be packed. */
static bool put_packed(strbuf *text, const char *data, size_t data_size) {
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

/* ---------------------------------------------------------------- the page */

/* What a mark of the frame stands for; false, and said, if it is nothing. */
static bool put_mark(const char *mark, const content *c, strbuf *page) {
    if (strcmp(mark, "data") == 0) {
        return put_packed(page, c->json, strlen(c->json));
    }
    if (strcmp(mark, "documents") == 0) {
        return put_packed(page, c->documents.data, c->documents.size);
    }
    char *name = memory_format("page/%s", mark);
    const embedded_file *file = embedded_find(name);
    if (file != NULL) {
        strbuf_put(page, (const char *)file->bytes, file->size);
    } else {
        fprintf(stderr, "epconform: %s is not in this program\n", name);
    }
    free(name);
    return file != NULL;
}

/* Writes a frame, its marks replaced. */
static bool put_frame(const char *from, const content *c, strbuf *page) {
    for (const char *begin; (begin = strstr(from, "{{")) != NULL;) {
        size_t size = strcspn(begin + 2, "}");
        char *mark = memory_part(begin + 2, size);
        strbuf_put(page, from, (size_t)(begin - from));
        bool ok = put_mark(mark, c, page);
        free(mark);
        if (!ok) {
            return false;
        }
        from = begin + 2 + size + 2;
    }
    strbuf_text(page, from);
    return true;
}

static bool write_page(const char *path, const content *c) {
    const embedded_file *frame = embedded_find("page/index.html");
    strbuf page = {NULL, 0, 0};
    if (frame == NULL) {
        fputs("epconform: page/index.html is not in this program\n", stderr);
        return false;
    }
    bool ok = put_frame((const char *)frame->bytes, c, &page) && output_write(path, &page);
    strbuf_free(&page);
    return ok;
}

int report_main(char **argv) {
    request asked;
    content c = {NULL, {NULL, 0, 0}};
    int status = STATUS_USAGE;
    if (read_arguments(argv, &asked)) {
        bool ok = output_try(asked.html) && gather(&asked, &c) && write_page(asked.html, &c);
        status = ok ? STATUS_GOOD : STATUS_TROUBLE;
    }
    words_free(&asked.paths);
    places_free(&asked.places);
    cJSON_free(c.json);
    strbuf_free(&c.documents);
    return status;
}
