/*
 * list.h - what epref list prints: the archive, and the tensors in it.
 */
#ifndef CLI_COMMANDS_LIST_H
#define CLI_COMMANDS_LIST_H

#include "archive/tensors.h"

typedef struct listing {
    ep_bytes label;
    const archive *archive;
    const tensors *tensors;
    uint64_t bytes; /* of the file */
    buffer *out;
    bool color;
} listing;

/* "weights", "parameter", "tensor". */
const char *list_part(tensor_part part);
const char *list_role(tensor_role role);

void list_put_json(const listing *l);

#endif
