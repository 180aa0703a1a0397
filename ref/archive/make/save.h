/*
 * save.h - the tensors of a part of a program, its weights or its constants, as torch.save
 * writes them: an archive in a member, with a pickle and a member of bytes for each storage.
 * What the bytes are is read when they are written. Clauses: SPEC 8.5, 8.8.
 */
#ifndef ARCHIVE_SAVE_H
#define ARCHIVE_SAVE_H

#include "modules.h"
#include "raw.h"
#include "serial.h"

typedef struct save_part {
    raw_part *of; /* its rows are put into the order of the dict; save_fault is NULL of each */
    const pickling *style;
    zipwrite zip; /* the inner one, when planned */
    buffer pickle;
    serial serial;
    size_t *keys;         /* of each row, which storage of the inner archive is its own */
    size_t *firsts;       /* of each of these, the first of the rows that show it */
    size_t storage_count; /* of these */
    uint64_t size;        /* of the inner archive, and its checksum */
    uint32_t crc;
} save_part;

/* Why a tensor cannot be pickled so: NULL, or static storage. */
const char *save_fault(const tensors *t, const tensor_row *row);

/*
 * Plans the member of a part under a name. The storages are read once for the checksum, which
 * stands before the bytes of the member. The part stays where it is, and what it is of too,
 * as long as the zip; save_free frees it in any case. False: *what says why. n tensors:
 * O(n log n), and linear in their bytes.
 */
bool save_plan(save_part *s, zipwrite *zip, ep_bytes name, failure *what);

void save_free(save_part *s);

#endif
