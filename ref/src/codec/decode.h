/*
 * codec/decode.h - bytes to tree, for one version.
 */
#ifndef EP_DECODE_H
#define EP_DECODE_H

#include "base/error.h"
#include "schema/tree.h"

/* One attempt to read a document as a version. */
typedef struct ep_attempt {
    ep_arena *arena; /* for the tree and for scratch */
    ep_bytes input;
    const ep_decode_options *options;
    const ep_schema *schema;
    const ep_shape *shape; /* of the document; NULL: ExportedProgram */
    bool forward;          /* accept what a newer minor may have added */
    bool general;          /* by the general reader alone: for tests */
    ep_fault fault;        /* set when the attempt fails */
    bool passed_over;      /* --forward left something out of the tree */
} ep_attempt;

/* Decodes the whole document; *root is the ExportedProgram, or the struct that it is
 * of. */
bool ep_decode_as(ep_attempt *attempt, const ep_node **root);

#endif
