/*
 * given_spelled.h - files of tensors as their own libraries spell them, for the targets "given"
 * and "state"; and the rules of safetensors, written from the format's documentation, over
 * cJSON's reading.
 */
#ifndef FUZZ_GIVEN_SPELLED_H
#define FUZZ_GIVEN_SPELLED_H

#include "archive/state/given.h"

#include <cjson/cJSON.h>

/* What each calls a dtype; NULL where it has none. */
typedef struct spelled_dtype {
    const char *safetensors, *torch, *npy;
    size_t size;
} spelled_dtype;

/* By the name that PyTorch has; NULL: it is none. */
const spelled_dtype *spelled_dtype_of(const char *torch);

/* The dict of a header of .npy. */
void spell_npy(buffer *to, const spelled_dtype *dtype, const int64_t *sizes, size_t rank,
               bool columns_first);

typedef struct spelled_index {
    cJSON *root; /* NULL: no JSON */
    size_t size; /* of the index as it is in the file */
} spelled_index;

/* cJSON's reading of the index of a file; false: it is none. Closed in any case. */
bool spelled_open(ep_bytes file, spelled_index *index);
void spelled_close(spelled_index *index);

/* Whether cJSON says all of it: no zero bytes in names, no text that is not UTF-8, no numbers
 * beyond what a double holds; and no more tensors than can be compared each with each. */
bool spelled_is_plain(const spelled_index *index, ep_bytes file);

/* Whether it keeps the rules: names and keys are there once, dtypes are known, numbers are
 * integers, and the bytes fill the file without overlap or gap. */
bool spelled_is_sound(const spelled_index *index, ep_bytes file);

/* Whether the entry of a sound index has this dtype and shape. */
bool spelled_is_typed(const cJSON *item, const char *torch, const int64_t *sizes, size_t rank);

/* Its bytes. */
ep_bytes spelled_data(const spelled_index *index, ep_bytes file, const cJSON *item);

/* Whether the tensors are the same. */
bool spelled_is(const spelled_index *index, const given *g);

/* The file with its index spelled anew. */
void spell_safetensors(buffer *to, const spelled_index *index, ep_bytes file);

#endif
