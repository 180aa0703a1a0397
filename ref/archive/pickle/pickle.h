/*
 * pickle.h - what a pickle would import, found without executing it: a reader
 * of its opcodes with a stack on which only strings have a value.
 */
#ifndef ARCHIVE_PICKLE_H
#define ARCHIVE_PICKLE_H

#include "common/buffer.h"

/* Callbacks: each global that the pickle would import, every time; and each string in it, if
 * the second one is not NULL. */
typedef void pickle_hear(void *context, ep_bytes module, ep_bytes name);
typedef void pickle_hear_text(void *context, ep_bytes text);

typedef struct pickle_ear {
    pickle_hear *global;
    pickle_hear_text *text;
    void *context;
} pickle_ear;

/*
 * Reads the pickles that stand one after the other at the beginning of data, up
 * to five, which is what torch.save wrote before it wrote archives. NULL when
 * every global is known; else why not, static storage. Where memory is short
 * *failed is set, and nothing is known. Linear in time; memory is bounded.
 */
const char *pickle_scan(ep_bytes data, const pickle_ear *ear, bool *failed);

typedef enum pickle_kind {
    PICKLE_TENSORS,   /* torch.load(weights_only=True) imports it: tensors, their storages, types */
    PICKLE_CONTAINER, /* it does not, but the global makes nothing but a value */
    PICKLE_OBJECT,    /* of a class that has to be registered */
    PICKLE_OTHER
} pickle_kind;

pickle_kind pickle_kind_of(ep_bytes module, ep_bytes name);

#endif
