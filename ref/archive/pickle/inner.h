/*
 * inner.h - the tensors that are inside a tensor of a class, or in the attributes of a tensor,
 * by names: those of the way to them.
 *
 * A name has a step for each value on the way: a point and, in a dict, the key, where it is a
 * text or a number; else the position. The arguments of an object, and the dict or the pair of
 * dicts that is its state, are no step of their own. So `qdata` in the state of `a.weight` is
 * `a.weight.qdata`.
 */
#ifndef ARCHIVE_INNER_H
#define ARCHIVE_INNER_H

#include "common/buffer.h"
#include "unpickle.h"

/* A TENSOR, or an OBJECT that is a tensor of a class. False ends the walk. */
typedef bool inner_take(void *context, ep_bytes name, uint32_t value);

typedef struct inner_frame inner_frame;

/* Walks over values of one pickle. */
typedef struct inner {
    const unpickled *u;
    uint32_t *seen; /* of each value, the walk that saw it last */
    uint32_t walk;
    inner_frame *frames;
    size_t depth;
    size_t room_of_frames;
    buffer name;
    uint64_t room; /* for steps, and for bytes of names */
    inner_take *take;
    void *context;
} inner;

typedef enum inner_result { INNER_DONE, INNER_STOPPED, INNER_MEMORY, INNER_LIMIT } inner_result;

/* What all walks together do and give is linear in the size of the pickle. False for want of
 * memory. inner_close in any case. */
bool inner_open(inner *w, const unpickled *u, size_t pickle_size);
void inner_close(inner *w);

/* Gives the tensors inside a value, each once, under names that begin with that of the value. */
inner_result inner_walk(inner *w, uint32_t value, ep_bytes name);

#endif
