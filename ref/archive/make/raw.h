/*
 * raw.h - the tensors of a part of a program, its weights or its constants, as
 * torch.export.save of 2.9 on lays them out: a member of bytes for each storage, and a
 * payload config. What the bytes are is read when they are written. Clauses: SPEC 8.3.
 */
#ifndef ARCHIVE_RAW_H
#define ARCHIVE_RAW_H

#include "archive/state/tensors.h"
#include "archive/zip/zipwrite.h"
#include "layouts.h"

typedef struct raw_part {
    const tensors *tensors;
    const io_data *from; /* of the storages */
    const buffer *held;  /* by storage: its bytes where they are not in the file; may be NULL */
    tensor_part part;
    raw_order order;
    size_t first; /* number of the first member; those before it are another program's */
    size_t *rows; /* which tensors: in the order of the state, and of the config when planned */
    size_t count;
    buffer config; /* the text of it, when planned */
} raw_part;

/* Why a tensor has no place in a raw member: NULL, or static storage. */
const char *raw_fault(const tensors *t, const tensor_row *row);

/*
 * Plans the members of a part under a folder, "archive/" say, for the program of a name.
 * No row may have a fault. The part has to live as long as the zip. False for want of
 * memory. n tensors: O(n log n).
 */
bool raw_plan(raw_part *p, zipwrite *zip, ep_bytes root, ep_bytes model);

/* Plans a member of the bytes of a tensor's storage, likewise. Want of memory is told by the
 * zip. */
void raw_plan_storage(raw_part *p, zipwrite *zip, ep_bytes name, const tensor_row *row);

void raw_free(raw_part *p);

#endif
