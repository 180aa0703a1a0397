/*
 * assemble.h - an archive put together of a program, its tensors and other files, as
 * torch.export.save of the releases of the program's version writes it: with tensors as
 * members of bytes, or before 2.9 pickled. Clauses: SPEC 8.2 to 8.5, 8.8.
 */
#ifndef ARCHIVE_ASSEMBLE_H
#define ARCHIVE_ASSEMBLE_H

#include "archive/state/given.h"
#include "raw.h"
#include "save.h"
#include "serial.h"

/* A member that is copied as it is. */
typedef struct assembly_file {
    ep_bytes name; /* of an extra file, without the folders of the archive */
    ep_bytes bytes;
} assembly_file;

typedef struct assembly_wish {
    const ep_program *program; /* valid */
    ep_bytes text;             /* of it */
    const given *state;        /* every parameter, buffer and constant, and nothing else */
    ep_bytes inputs;           /* the sample inputs as torch.save writes them, or nothing */
    const assembly_file *extras;
    size_t extra_count;
    ep_bytes root; /* "model/": the folder of all members, where the layout has one */
    uint32_t date; /* of all members, in the flat layout, as zip has it; 0: 1980-01-01 */
    size_t limit;  /* bytes of tensors that are held because their strides are not those of
                      what is given */
} assembly_wish;

typedef struct assembly {
    zipwrite zip;
    tensors tensors;
    raw_part weights;
    raw_part constants;
    save_part saved_weights; /* of these, where they are pickled */
    save_part saved_constants;
    buffer *held; /* by storage: of those whose bytes had to be put in another order */
    size_t held_count;
    serial serial;
    buffer version;  /* the text of that member, in the flat layout */
    ep_bytes blamed; /* the tensor or the member that a failure is about; none: about none */
} assembly;

/* Whether the folder of all members can be called so: every reader of zip takes it (SPEC 8.1.4),
 * and it is one part alone. */
bool assembly_is_root(ep_bytes name);

/* Plans the archive. All that the wish points to has to live as long as the assembly.
 * False: what->error or what->reason. assembly_free frees it in any case. n tensors and
 * files: O(n log n), and linear in what is held; tensors that are pickled are read once. */
bool assemble(const assembly_wish *wish, assembly *a, failure *what);

/* Writes it, piece by piece; an output_make, the context being the assembly. */
bool assembly_write(void *context, zipfile_take *put, void *sink, failure *what);

void assembly_free(assembly *a);

#endif
