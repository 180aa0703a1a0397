/*
 * pickler.h - the pickle of a dict of tensors, byte for byte as Python's pickle writes it for
 * torch.save: protocol 2, with a memo for what is the same object each time. Clauses: SPEC
 * 8.8.3.
 */
#ifndef ARCHIVE_PICKLER_H
#define ARCHIVE_PICKLER_H

#include "archive/state/tensors.h"
#include "layouts.h"
#include "modules.h"

typedef struct pickler_wish {
    const tensors *tensors;
    const size_t *rows; /* of the dict, in its order */
    const size_t *keys; /* the storage of the i-th is data/keys[i] */
    size_t count;
    pickling_dict dict;
    const module_list *modules; /* of a dict that tells their versions */
} pickler_wish;

/* Puts the pickle. Want of memory is told by the text. Linear in it. */
void pickler_put(buffer *text, const pickler_wish *wish);

#endif
