/*
 * suite/vector_bytes.c - see vector_bytes.h. A change is [offset, length,
 * replacement] or, with a number of times, [offset, length, replacement,
 * times]; the replacement is text, or an object with base64.
 */
#include "suite/vector_bytes.h"

#include "text/memory.h"
#include "text/search.h"

#include <limits.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DOCUMENT_MAX = 1 << 30 }; /* what one edit may put in */
enum { CHAIN_MAX = 8 };          /* vectors that are each the base of the next */

const char *vector_text(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

bool vector_is_texts(const cJSON *array) {
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        if (!cJSON_IsString(item)) {
            return false;
        }
    }
    return cJSON_IsArray(array);
}

bool vector_has_text(const cJSON *array, const char *text) {
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0) {
            return true;
        }
    }
    return false;
}

bool vector_is_count(const cJSON *item) {
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 9e15 &&
           item->valuedouble == (double)(size_t)item->valuedouble;
}

size_t vector_size(const cJSON *object, const char *name, size_t fallback) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return vector_is_count(item) ? (size_t)item->valuedouble : fallback;
}

static bool complain(const cJSON *said, const char *what) {
    const char *id = vector_text(said, "id");
    fprintf(stderr, "%s: %s\n", id != NULL ? id : "a product", what);
    return false;
}

static void make_room(size_t size, vector_bytes *bytes) {
    *bytes = (vector_bytes){memory_take(size, 1), size};
}

static bool copy_bytes(const char *data, size_t size, vector_bytes *bytes) {
    make_room(size, bytes);
    memcpy(bytes->data, data, size);
    return true;
}

void vector_bytes_free(vector_bytes *bytes) {
    free(bytes->data);
    *bytes = (vector_bytes){NULL, 0};
}

void vector_hex(const unsigned char sum[32], char hex[65]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 32; i++) {
        hex[2 * i] = digits[sum[i] >> 4];
        hex[2 * i + 1] = digits[sum[i] & 15];
    }
    hex[64] = '\0';
}

bool vector_sha256(vector_bytes bytes, char hex[65]) {
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (EVP_Digest(bytes.data, bytes.size, sum, &size, EVP_sha256(), NULL) != 1 || size != 32) {
        return false;
    }
    vector_hex(sum, hex);
    return true;
}

/* ------------------------------------------------------------------- files */

static bool read_stream(FILE *file, vector_bytes *bytes) {
    if (fseek(file, 0, SEEK_END) != 0) {
        return false;
    }
    long size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
        return false;
    }
    make_room((size_t)size, bytes);
    return fread(bytes->data, 1, bytes->size, file) == bytes->size;
}

/* A pipe would keep its reader waiting. */
static FILE *open_regular(const char *path) {
    struct stat info;
    bool is_regular = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    return is_regular ? fopen(path, "rb") : NULL;
}

bool vector_file_read(const char *path, vector_bytes *bytes) {
    *bytes = (vector_bytes){NULL, 0};
    FILE *file = open_regular(path);
    bool ok = file != NULL && read_stream(file, bytes);
    if (file != NULL) {
        fclose(file);
    }
    if (!ok) {
        fprintf(stderr, "%s: cannot be read\n", path);
        vector_bytes_free(bytes);
    }
    return ok;
}

cJSON *vector_json_read(const char *path) {
    vector_bytes text;
    cJSON *json = NULL;
    if (vector_file_read(path, &text)) {
        json = cJSON_ParseWithLength(text.data, text.size);
        vector_bytes_free(&text);
        if (!cJSON_IsObject(json)) {
            fprintf(stderr, "epconform: %s: is no JSON object\n", path);
            cJSON_Delete(json);
            json = NULL;
        }
    }
    return json;
}

static size_t count_lines(vector_bytes text) {
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) {
        count += text.data[i] == '\n';
    }
    return count;
}

/* One object and nothing behind it; NULL: it is not. */
static cJSON *parse_line(const char *line, size_t size, bool is_last) {
    const char *end = NULL;
    cJSON *parsed = cJSON_ParseWithLengthOpts(line, size + !is_last, &end, 0);
    while (parsed != NULL && end < line + size && (*end == ' ' || *end == '\r')) {
        end++;
    }
    if (parsed != NULL && (end != line + size || !cJSON_IsObject(parsed))) {
        cJSON_Delete(parsed);
        parsed = NULL;
    }
    return parsed;
}

bool vector_lines_parse(const char *path, vector_bytes text, vector_list *list) {
    *list = (vector_list){.lines = memory_take(count_lines(text) + 1, sizeof *list->lines)};
    for (size_t at = 0; at < text.size;) {
        const char *line = text.data + at;
        const char *end = memchr(line, '\n', text.size - at);
        size_t size = end != NULL ? (size_t)(end - line) : text.size - at;
        cJSON *parsed = parse_line(line, size, end == NULL);
        if (parsed == NULL) {
            fprintf(stderr, "%s:%zu: not one JSON object on a line\n", path, list->count + 1);
            return false;
        }
        list->lines[list->count++] = parsed;
        at += size + 1;
    }
    return true;
}

bool vector_list_parse(const char *path, vector_bytes text, const char *folder, vector_list *list) {
    bool ok = vector_lines_parse(path, text, list);
    list->folder = memory_format("%s/", folder);
    for (size_t i = 0; i < list->count; i++) {
        if (vector_text(list->lines[i], "id") == NULL) {
            fprintf(stderr, "%s:%zu: a vector without an id\n", path, i + 1);
            return false;
        }
    }
    return ok;
}

void vector_list_free(vector_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        cJSON_Delete(list->lines[i]);
    }
    free(list->lines);
    free(list->folder);
}

static int compare_id(const void *id, const void *item) {
    const vector *const *v = item;
    return strcmp(id, (*v)->id);
}

const vector *vector_find(const vector_index *index, const char *id) {
    const vector *const *found =
        search(id, index->sorted, index->count, sizeof *index->sorted, compare_id);
    return found == NULL ? NULL : *found;
}

/* Whether a name stays in the folder of its manifest. */
static bool is_inside(const char *name) {
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) {
            return false;
        }
    }
    return name[0] != '/' && name[0] != '\0';
}

bool vector_file_beside(const vector_list *list, const char *name, vector_bytes *bytes) {
    *bytes = (vector_bytes){NULL, 0};
    if (!is_inside(name)) {
        fprintf(stderr, "%s: not a file of the folder of its manifest\n", name);
        return false;
    }
    char *path = memory_format("%s%s", list->folder, name);
    bool ok = vector_file_read(path, bytes);
    free(path);
    return ok;
}

/* ------------------------------------------------------------------ base64 */

static bool decode_base64(const char *text, vector_bytes *bytes) {
    size_t size = strlen(text);
    size_t pads = size - strcspn(text, "=");
    if (pads > 2 || size > INT_MAX) {
        return false;
    }
    make_room(size, bytes);
    int made =
        EVP_DecodeBlock((unsigned char *)bytes->data, (const unsigned char *)text, (int)size);
    bytes->size = made > 0 ? (size_t)made - pads : 0;
    return made >= 0;
}

/* ------------------------------------------------------------------- edits */

typedef struct edit {
    size_t offset;
    size_t length;
    vector_bytes replacement;
    size_t times;
    const char *between; /* what is nested, and what closes it as often; empty: nothing */
    const char *after;
} edit;

/* The two texts of an edit that nests; both are there, or neither. */
static bool read_nesting(const cJSON *said, edit *e) {
    const cJSON *between = cJSON_GetArrayItem(said, 4);
    const cJSON *after = cJSON_GetArrayItem(said, 5);
    e->between = e->after = "";
    if (between == NULL) {
        return true;
    }
    e->between = between->valuestring;
    e->after = after != NULL ? after->valuestring : NULL;
    return e->between != NULL && e->after != NULL;
}

static bool read_edit(const cJSON *said, edit *e) {
    const cJSON *offset = cJSON_GetArrayItem(said, 0);
    const cJSON *length = cJSON_GetArrayItem(said, 1);
    const cJSON *text = cJSON_GetArrayItem(said, 2);
    const cJSON *times = cJSON_GetArrayItem(said, 3);
    if (!vector_is_count(offset) || !vector_is_count(length) ||
        (times != NULL && !vector_is_count(times)) || !read_nesting(said, e)) {
        return false;
    }
    e->offset = (size_t)offset->valuedouble;
    e->length = (size_t)length->valuedouble;
    e->times = times != NULL ? (size_t)times->valuedouble : 1;
    if (cJSON_IsString(text)) {
        return copy_bytes(text->valuestring, strlen(text->valuestring), &e->replacement);
    }
    const char *base64 = vector_text(text, "base64");
    return base64 != NULL && decode_base64(base64, &e->replacement);
}

/* Puts a piece so many times; the end of it. */
static char *put_times(char *at, const char *piece, size_t size, size_t times) {
    for (size_t i = 0; i < times; i++) {
        memcpy(at, piece, size);
        at += size;
    }
    return at;
}

static bool change_bytes(const edit *e, vector_bytes *bytes) {
    vector_bytes old = *bytes;
    size_t inside = strlen(e->between);
    size_t behind = strlen(e->after);
    size_t size = e->replacement.size + behind;
    if (e->offset > old.size || e->length > old.size - e->offset ||
        (size > 0 && e->times > (size_t)DOCUMENT_MAX / size)) {
        return false;
    }
    make_room(old.size - e->length + size * e->times + inside, bytes);
    char *at = bytes->data;
    memcpy(at, old.data, e->offset);
    at = put_times(at + e->offset, e->replacement.data, e->replacement.size, e->times);
    at = put_times(at, e->between, inside, 1);
    at = put_times(at, e->after, behind, e->times);
    size_t rest = e->offset + e->length;
    memcpy(at, old.data + rest, old.size - rest);
    vector_bytes_free(&old);
    return true;
}

static bool apply_edit(const cJSON *said, vector_bytes *bytes) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(said, "edit");
    edit e = {.times = 1};
    if (item == NULL) {
        return true;
    }
    bool ok = read_edit(item, &e) && change_bytes(&e, bytes);
    vector_bytes_free(&e.replacement);
    return ok || complain(said, "an edit that does not apply");
}

/* ------------------------------------------------------------- what is said */

/* The bytes before any edit, of a vector that is not made from another. */
static bool read_given(const vector_list *list, const cJSON *said, vector_bytes *bytes) {
    const char *text = vector_text(said, "text");
    const char *base64 = vector_text(said, "base64");
    const char *file = vector_text(said, "file");
    if (text != NULL) {
        return copy_bytes(text, strlen(text), bytes);
    }
    if (file != NULL) {
        return vector_file_beside(list, file, bytes);
    }
    return (base64 != NULL && decode_base64(base64, bytes)) || complain(said, "no bytes");
}

const char *vector_clause(const cJSON *line) {
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(line, "clause");
    const cJSON *first = cJSON_GetArrayItem(all, 0);
    return cJSON_IsString(first) ? first->valuestring : NULL;
}

size_t vector_bytes_part(vector_bytes a, vector_bytes b) {
    size_t at = 0;
    while (at < a.size && at < b.size && a.data[at] == b.data[at]) {
        at++;
    }
    return at;
}

const char *vector_base(const cJSON *said) {
    const char *base = vector_text(said, "base");
    return base != NULL ? base : vector_text(said, "twin");
}

bool vector_bytes_of(const vector_list *list, const cJSON *said, vector_bytes *bytes) {
    const cJSON *chain[CHAIN_MAX];
    size_t count = 0;
    *bytes = (vector_bytes){NULL, 0};
    for (const char *base; (base = vector_base(said)) != NULL; count++) {
        if (count == CHAIN_MAX) {
            return complain(said, "a base of too many bases");
        }
        const vector *v = vector_find(list->index, base);
        if (v == NULL) {
            return complain(said, "a base that is not there");
        }
        chain[count] = said;
        said = v->line;
        list = v->list;
    }
    bool ok = read_given(list, said, bytes);
    for (; ok && count > 0; count--) {
        ok = apply_edit(chain[count - 1], bytes);
    }
    if (!ok) {
        vector_bytes_free(bytes);
    }
    return ok;
}
