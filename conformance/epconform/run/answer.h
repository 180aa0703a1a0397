/*
 * run/answer.h - what goes to a testee and comes from it: one line of JSON each.
 */
#ifndef EPCONFORM_ANSWER_H
#define EPCONFORM_ANSWER_H

#include "suite/suite.h"
#include "text/strbuf.h"

enum { LINE_MAX_SIZE = 65536 };

typedef enum verdict { VERDICT_VALID, VERDICT_INVALID, VERDICT_UNSUPPORTED, VERDICT_ERROR } verdict;

/* What a testee said of a document. */
typedef struct answer {
    cJSON *json;
    verdict verdict;
    bool has_size; /* a product follows */
    size_t size;
} answer;

const char *verdict_name(verdict v);

/* The sizes of what follows a header. */
typedef struct request_sizes {
    size_t document;
    size_t other;
} request_sizes;

/* The header of a request, line feed and all. The operation is that of the vector,
 * or the one that only reads. */
void request_hello(strbuf *b);
void request_run(strbuf *b, const vector *v, const char *operation, size_t id, request_sizes sizes);

/* One JSON object, strictly: UTF-8, no zero bytes, nothing behind it, no key
 * twice at its outermost level. NULL: why. */
cJSON *object_read(const char *line, size_t size, strbuf *why);

/* Reads an answer; false: why it is none. */
bool answer_read(answer *a, const char *line, size_t size, size_t id, strbuf *why);

/* An answer of an object that somebody else made. False: why it is none. */
bool answer_of(answer *a, cJSON *json, strbuf *why);

void answer_free(answer *a);

#endif
