/*
 * suite/vector_bytes.h - the bytes that lines of a manifest speak of: files, text,
 * base64, and what one change makes of another vector's bytes.
 */
#ifndef VECTOR_BYTES_H
#define VECTOR_BYTES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes in a block of exactly their size, so that a tool that watches memory
 * sees a read beyond their end. */
typedef struct vector_bytes {
    char *data;
    size_t size;
} vector_bytes;

/* All vectors, by their ids. */
typedef struct vector_index {
    const struct vector **sorted;
    size_t count;
} vector_index;

/* A manifest: one vector a line. */
typedef struct vector_list {
    cJSON **lines;
    size_t count;
    const vector_index *index; /* of the suite that it is in */
    char *folder;              /* which the files are named from, with a slash */
} vector_list;

typedef struct vector {
    const char *id;
    const char *operation;
    const cJSON *line;
    const vector_list *list; /* the manifest that it stands in */
} vector;

/* Reads a file whole; false, and said on standard error, when it cannot be. */
bool vector_file_read(const char *path, vector_bytes *bytes);

/* The JSON object that a file holds; NULL, and said on standard error, if it holds none. The
 * caller deletes it. */
cJSON *vector_json_read(const char *path);

/* The bytes of a file that a manifest names, in its folder. */
bool vector_file_beside(const vector_list *list, const char *name, vector_bytes *bytes);

/* Parses the lines of a text into a list without a folder.
 * False, and said on standard error, if one is no JSON object. */
bool vector_lines_parse(const char *path, vector_bytes text, vector_list *list);

/* Takes a manifest, whose bytes are given, apart; its files are in a folder.
 * False, and said on standard error, when a line is no JSON object with an id. */
bool vector_list_parse(const char *path, vector_bytes text, const char *folder, vector_list *list);
void vector_list_free(vector_list *list);

/* The vector of an id; NULL if there is none. */
const vector *vector_find(const vector_index *index, const char *id);

/* The first clause of a vector, which decides; NULL: it has none. */
const char *vector_clause(const cJSON *line);

/* Where two texts part; where the shorter one ends if nowhere before. */
size_t vector_bytes_part(vector_bytes a, vector_bytes b);

/* The id of the vector that another is made from; NULL if there is none. */
const char *vector_base(const cJSON *said);

/* The bytes of a vector, or of its product where that is no word. False, and
 * said on standard error, when what is said makes no bytes. */
bool vector_bytes_of(const vector_list *list, const cJSON *said, vector_bytes *bytes);
void vector_bytes_free(vector_bytes *bytes);

/* A hash in hexadecimal digits. */
void vector_hex(const unsigned char sum[32], char hex[65]);

/* The SHA-256 of bytes in hexadecimal digits; false: there is none. */
bool vector_sha256(vector_bytes bytes, char hex[65]);

/* The text of a member; NULL when there is none. */
const char *vector_text(const cJSON *object, const char *name);

/* Whether it is an array of texts; and whether an array has a text. */
bool vector_is_texts(const cJSON *array);
bool vector_has_text(const cJSON *array, const char *text);

/* A whole number that is exact as a double. */
bool vector_is_count(const cJSON *item);

/* The size of a member; fallback when there is none. */
size_t vector_size(const cJSON *object, const char *name, size_t fallback);

#endif
