/*
 * report/documents.c - see report_documents.h.
 */
#include "report/documents.h"

#include "text/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How much of a document that is not in the page is shown on either side of
 * the byte that is wrong. */
enum { WINDOW_SIDE = 300 };

/* What is known while a suite is written. */
typedef struct writing {
    const suite *suite;
    const char *corpora;
    cJSON *files;
    cJSON *windows;
    strbuf *documents;
} writing;

typedef struct file_name {
    const char *name;
    const vector_list *list; /* whose folder it is in */
} file_name;

/* What is made of rows is, and no other folder of the corpora. */
static bool is_in_page(const writing *w, const vector_list *list) {
    size_t length = strlen(w->corpora);
    return strncmp(list->folder, w->corpora, length) != 0 ||
           strcmp(list->folder + length, "/suite/") == 0;
}

static int compare_files(const void *a, const void *b) {
    const file_name *left = a;
    const file_name *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->list > right->list) - (left->list < right->list);
}

/* ------------------------------------------------------------------- files */

/* `"number of the manifest/name": [offset in the documents, size]` */
static bool put_file(const writing *w, const file_name *file) {
    vector_bytes bytes;
    if (!vector_file_beside(file->list, file->name, &bytes)) {
        return false;
    }
    char *key = memory_format("%zu/%s", (size_t)(file->list - w->suite->lists), file->name);
    double span[] = {(double)w->documents->size, (double)bytes.size};
    cJSON_AddItemToObject(w->files, key, cJSON_CreateDoubleArray(span, 2));
    strbuf_put(w->documents, bytes.data, bytes.size);
    vector_bytes_free(&bytes);
    free(key);
    return true;
}

/* The files that vectors and their products name, in order; some more than once. */
static size_t list_files(const writing *w, file_name *files) {
    size_t count = 0;
    for (size_t i = 0; i < w->suite->count; i++) {
        const vector *v = &w->suite->vectors[i];
        const cJSON *product = cJSON_GetObjectItemCaseSensitive(v->line, "product");
        const char *names[2] = {vector_text(v->line, "file"), vector_text(product, "file")};
        for (size_t k = 0; k < 2; k++) {
            if (names[k] != NULL && is_in_page(w, v->list)) {
                files[count++] = (file_name){names[k], v->list};
            }
        }
    }
    qsort(files, count, sizeof *files, compare_files);
    return count;
}

static bool put_files(const writing *w) {
    file_name *files = memory_take(2 * w->suite->count, sizeof *files);
    size_t count = list_files(w, files);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        bool again = i > 0 && compare_files(&files[i - 1], &files[i]) == 0;
        ok = again || put_file(w, &files[i]);
    }
    free(files);
    return ok;
}

/* ----------------------------------------------------------------- windows */

/* `"id": [offset in the documents, size, offset in the file, size of the file]` */
static bool put_window(const writing *w, const vector *v) {
    file_name file = {vector_text(v->line, "file"), v->list};
    vector_bytes bytes;
    if (!vector_file_beside(file.list, file.name, &bytes)) {
        return false;
    }
    size_t at = vector_size(v->line, "offset", 0);
    size_t last = at < bytes.size ? at : bytes.size;
    size_t from = last > WINDOW_SIDE ? last - WINDOW_SIDE : 0;
    size_t rest = bytes.size - from;
    size_t size = rest < 2 * WINDOW_SIDE ? rest : 2 * WINDOW_SIDE;
    double span[] = {(double)w->documents->size, (double)size, (double)from, (double)bytes.size};
    cJSON_AddItemToObject(w->windows, v->id, cJSON_CreateDoubleArray(span, 4));
    strbuf_put(w->documents, bytes.data + from, size);
    vector_bytes_free(&bytes);
    return true;
}

static bool put_windows(const writing *w) {
    bool ok = true;
    for (size_t i = 0; ok && i < w->suite->count; i++) {
        const vector *v = &w->suite->vectors[i];
        bool named = vector_text(v->line, "file") != NULL;
        bool placed = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(v->line, "offset"));
        ok = !named || !placed || is_in_page(w, v->list) || put_window(w, v);
    }
    return ok;
}

/* --------------------------------------------------------------- the suite */

bool report_suite_put(const suite *s, const char *corpora, cJSON *page, strbuf *documents) {
    cJSON *head = cJSON_AddObjectToObject(page, "suite");
    cJSON *manifests = cJSON_AddArrayToObject(head, "manifests");
    cJSON *vectors = cJSON_AddArrayToObject(page, "vectors");
    writing w = {s, corpora, cJSON_AddObjectToObject(page, "files"),
                 cJSON_AddObjectToObject(page, "windows"), documents};
    cJSON_AddStringToObject(head, "sha256", s->sha256);
    for (size_t i = 0; i < s->list_count; i++) {
        cJSON_AddItemToArray(manifests, cJSON_CreateNumber((double)s->lists[i].count));
    }
    for (size_t i = 0; i < s->count; i++) {
        cJSON_AddItemReferenceToArray(vectors, (cJSON *)(uintptr_t)s->vectors[i].line);
    }
    return put_files(&w) && put_windows(&w);
}
