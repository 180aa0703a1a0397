/*
 * list.h - what epref list prints: the archive, and the tensors in it.
 */
#ifndef CLI_COMMANDS_LIST_H
#define CLI_COMMANDS_LIST_H

#include "archive/state/compiled.h"

typedef struct listing {
    ep_bytes label;
    const archive *archive;
    const tensors *tensors;
    const compiled *compiled;
    uint64_t bytes; /* of the file */
    buffer *out;
    bool color;
} listing;

/* "weights", "parameter", "tensor". */
static inline const char *list_part(tensor_part part) {
    static const char *const names[] = {[TENSOR_WEIGHTS] = "weights",
                                        [TENSOR_CONSTANTS] = "constants",
                                        [TENSOR_INPUTS] = "sample inputs"};
    return names[part];
}

static inline const char *list_role(tensor_role role) {
    static const char *const names[] = {
        [TENSOR_UNNAMED] = "unnamed",   [TENSOR_PARAMETER] = "parameter",
        [TENSOR_BUFFER] = "buffer",     [TENSOR_BUFFER_NOT_PERSISTENT] = "buffer, not persistent",
        [TENSOR_CONSTANT] = "constant", [TENSOR_CUSTOM_OBJECT] = "custom object",
        [TENSOR_INPUT] = "input",
    };
    return names[role];
}

void list_put_json(const listing *l);

#endif
