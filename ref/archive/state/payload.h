/*
 * payload.h - a payload config: which member of an archive holds which tensor or object,
 * and how a tensor lies in it. A config is a PayloadConfig of the schema; its types have
 * not changed since there are configs.
 */
#ifndef ARCHIVE_PAYLOAD_H
#define ARCHIVE_PAYLOAD_H

#include "archive/pickle/dtype.h"
#include "common/buffer.h"
#include "common/status.h"

enum { PAYLOAD_RANK_MAX = 64 }; /* that of torch */

/* A tensor as its TensorMeta says that it is. */
typedef struct payload_tensor {
    const dtype_row *dtype;
    size_t rank;
    int64_t sizes[PAYLOAD_RANK_MAX];
    int64_t strides[PAYLOAD_RANK_MAX];
    int64_t offset;
    bool requires_grad;
} payload_tensor;

typedef struct payload {
    ep_value entry; /* the PayloadMeta */
    ep_bytes name;  /* of the tensor or object in the program */
    ep_bytes path;  /* of the member, in its folder */
    bool is_parameter;
    bool is_pickled;
    ep_value meta; /* a TensorMeta; null: none */
} payload;

/* The entries of a config, in its order: ep_value_count of them. They live as long as the
 * arena and the text. False: what->error, with its place in the text. */
bool payload_open(ep_arena *arena, ep_bytes text, ep_value *entries, failure *what);

/* The i-th of them. False for want of memory. */
bool payload_at(ep_value entries, size_t i, ep_arena *arena, payload *p);

/* Puts a Device as torch writes it: "cuda", "cuda:0". */
void payload_put_device(buffer *b, ep_value device, ep_arena *arena);

/* What a TensorMeta says. NULL, or what is wrong with it: static storage. */
const char *payload_tensor_of(ep_value meta, payload_tensor *t);

#endif
