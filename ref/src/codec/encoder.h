/*
 * codec/encoder.h - what the parts of the encoder share: encode.c calls encode_fast.c.
 */
#ifndef EP_ENCODER_H
#define EP_ENCODER_H

#include "codec/encode.h"
#include "json/writer.h"

/* An array or object that is being written. */
typedef struct ep_cursor {
    const ep_shape *shape;
    const ep_type *type;
    const ep_node *node;
    const ep_list *list;
    size_t next;
    size_t count;
    bool comma;
} ep_cursor;

typedef struct ep_encoder {
    ep_writer writer;
    const ep_schema *schema;
    ep_bytes input;
    ep_arena *arena;
    ep_cursor *cursors;
    size_t depth;
    size_t capacity;

    /* Of the fast writer. */
    int release;     /* the version's number among the released; less for others */
    bool single_key; /* unions are {"tag": value} */
    bool omits;      /* nulls that are a default */
} ep_encoder;

/* A float as the version spells it, into EP_WRITER_SLACK bytes; returns its length. */
size_t ep_encode_float(const ep_version *version, uint64_t bits, char *text);

/* What is written of a slot that holds no value: null, its default (SPEC 3.5.4), or a bare
 * infinity. */
ep_bytes ep_encode_absent(const ep_member *member, uint64_t bits);

/* The fast writer: a struct or union of a released version. False when it gives up; then
 * nothing is written. */
void ep_fast_open(ep_encoder *e);
bool ep_fast_put(ep_encoder *e, const ep_shape *shape, uint64_t bits);

#endif
