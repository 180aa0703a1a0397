/*
 * views.h - which bytes of their storages tensors show. Views are gathered first, of any number
 * of storages by their names, and then each storage is asked for. Linear in the views, times the
 * logarithm of their number, whatever their strides.
 */
#ifndef ARCHIVE_VIEWS_H
#define ARCHIVE_VIEWS_H

#include "common/names.h"

/* A tensor of a storage. Sizes and strides are from 0 on. */
typedef struct views_tensor {
    const int64_t *sizes;
    const int64_t *strides;
    size_t rank;
    uint64_t offset; /* in elements */
    size_t item;     /* bytes of an element */
    bool is_meta;
} views_tensor;

typedef struct views_view {
    size_t name; /* of the storage, where it is in the bytes; its numbers lie behind it */
    size_t name_size;
    size_t numbers_size;
    uint64_t from; /* bytes from the first element to behind the last one; none: the same */
    uint64_t to;
    uint64_t shown; /* no more than so many of them */
    uint64_t size;  /* of all elements, those that are repeated too; on meta 0 */
} views_view;

typedef struct views {
    views_view *all;
    size_t count;
    size_t room;
    buffer bytes;
    name_list sorted; /* by storage, then by place: count is which one, bytes its place */
    bool failed;      /* for want of memory; sticks */
} views;

void views_add(views *v, ep_bytes storage, const views_tensor *t);

/* When all are there. False for want of memory. */
bool views_close(views *v);
void views_free(views *v);

typedef struct views_told {
    bool named;      /* some tensor is in the storage */
    uint64_t hidden; /* at least so many bytes no tensor shows; where one reaches beyond the
                        storage, none are told */
    uint64_t wanted; /* bytes of the largest tensor */
} views_told;

/* What is known of a storage of a size. */
views_told views_of(const views *v, ep_bytes storage, uint64_t size);

#endif
