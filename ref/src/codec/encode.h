/*
 * codec/encode.h - a part of a program as the encoder writes it (SPEC 3.9).
 */
#ifndef EP_ENCODE_H
#define EP_ENCODE_H

#include "base/error.h"
#include "schema/tree.h"

/* A value in a tree: the bits of a slot, and their shape. */
typedef struct ep_encoded {
    const ep_shape *shape;
    uint64_t bits;
    bool general; /* by the general writer alone: for tests */
} ep_encoded;

/* Writes a value of the program's tree as it stands in a document of its version.
 * EP_OK, EP_MEMORY, or EP_OUTPUT when the sink refuses. scratch keeps nothing. Linear in
 * the value. */
ep_code ep_encode_value(const ep_program *program, const ep_encoded *value, ep_arena *scratch,
                        ep_sink *sink, void *context);

#endif
