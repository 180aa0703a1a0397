/*
 * compiled.h - the models of AOTInductor in an archive, and what the JSON beside each says of
 * it: what it was compiled for, its constants that are not in the library, its objects. Nothing
 * is linked. SPEC 8.9
 */
#ifndef ARCHIVE_COMPILED_H
#define ARCHIVE_COMPILED_H

#include "archive/layout/archive.h"
#include "tensors.h"

typedef struct compiled_model {
    ep_bytes name; /* of its folder; empty: its members lie in no folder of a model */
    size_t members;
    uint64_t bytes;    /* that come out of them */
    const char *fault; /* why what it says of itself is not known; NULL: it is, if there is any */
    size_t first;      /* of its rows */
    size_t count;
} compiled_model;

typedef enum compiled_kind {
    COMPILED_METADATA, /* a key and what it says: AOTI_DEVICE_KEY, cpu */
    COMPILED_CONSTANT, /* a tensor, and its member in data/weights */
    COMPILED_OBJECT    /* another one, and its member in data/constants */
} compiled_kind;

typedef struct compiled_row {
    size_t model;
    compiled_kind kind;
    tensor_text name;
    tensor_text value;
    size_t rank;
    size_t numbers; /* of a constant: where its sizes begin, behind them strides and offset */
} compiled_row;

typedef struct compiled {
    compiled_model *models; /* by their names */
    compiled_row *rows;     /* by models and kinds */
    int64_t *numbers;
    size_t model_count;
    size_t row_count;
    size_t number_count;
    size_t row_room;
    size_t number_room;
    buffer texts;
} compiled;

/* Lists them. A JSON that is longer than the limit, or says nothing that is known, is a fault of
 * its model. False: want of memory, or the archive cannot be read. compiled_free frees the list
 * in any case. Linear in the members and in what is read, times the logarithm of the models. */
bool compiled_read(const archive *a, size_t limit, compiled *c, failure *what);
void compiled_free(compiled *c);

ep_bytes compiled_text(const compiled *c, tensor_text text);

/* What the metadata of a model says under a key; empty: nothing. */
ep_bytes compiled_said(const compiled *c, size_t model, const char *key);

static inline const int64_t *compiled_numbers(const compiled *c, const compiled_row *row) {
    return c->numbers == NULL ? NULL : c->numbers + row->numbers;
}

#endif
