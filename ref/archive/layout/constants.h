/*
 * constants.h - the tensors that PyTorch 2.1 pickled into the program itself,
 * taken out of it: their bytes and what they are. Nothing is unpickled: the
 * pickle has to be the one that torch.save writes for one plain tensor.
 */
#ifndef ARCHIVE_CONSTANTS_H
#define ARCHIVE_CONSTANTS_H

#include "common/buffer.h"

enum { CONSTANT_RANK_MAX = 64 };

typedef struct constant {
    buffer name;
    buffer bytes; /* of the storage, of the machine's order, which is little-endian */
    bool failed;  /* for want of memory */
    int dtype;    /* of ScalarType */
    ep_tensor_info info;
    ep_dim sizes[CONSTANT_RANK_MAX];
    ep_dim strides[CONSTANT_RANK_MAX];
} constant;

typedef struct constants {
    constant **items;
    size_t count;
    size_t limit;   /* bytes of all that may be unpacked */
    bool described; /* only what they are is wanted, not their bytes */
    bool failed;    /* for want of memory */
} constants;

/* An ep_migrate_constant, the context being constants: takes one in. */
bool constants_take(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info);

/* {"config": ...}: what the raw members tensor_0, tensor_1, ... are. SPEC 7.7.5 */
void constants_put_config(const constants *all, buffer *text);

void constants_free(constants *all);

#endif
