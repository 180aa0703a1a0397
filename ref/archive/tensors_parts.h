/*
 * tensors_parts.h - what the files that list tensors share: the list (tensors_list.c),
 * what a config says (tensors_raw.c), and what a pickle says (tensors_pickled.c).
 */
#ifndef ARCHIVE_TENSORS_PARTS_H
#define ARCHIVE_TENSORS_PARTS_H

#include "tensors.h"

/* A part of a program that is being read. */
typedef struct tensors_reading {
    const archive *a;
    const tensors_wish *wish;
    tensors *t;
    failure *what;
    name_list members; /* of the archive, sorted: count is which one */
    size_t *raw;       /* of each member, the storage that it is, or TENSORS_NONE */
    name_list targets; /* of the program's signature, sorted: count is the role */
    size_t program;
    tensor_part part;
} tensors_reading;

/* Each returns false. The member is the one that is to blame. */
bool tensors_refuse(tensors_reading *r, const zipfile_member *m, const char *why);
bool tensors_refuse_memory(tensors_reading *r);

/* The member of a name; NULL: there is none. */
const zipfile_member *tensors_find(const tensors_reading *r, ep_bytes name);

tensor_text tensors_keep(tensors *t, ep_bytes text);

/* A new row of this part, with the role that the signature says. False for want of memory. */
bool tensors_add(tensors_reading *r, ep_bytes name, tensor_row row);

/* A new storage, of which *number is left. */
bool tensors_add_storage(tensors_reading *r, tensor_storage storage, size_t *number);

bool tensors_add_program(tensors_reading *r, const zipfile_member *m, ep_bytes name);

/* Numbers; *first is left where the first of them is. */
bool tensors_add_numbers(tensors_reading *r, const int64_t *numbers, size_t count, size_t *first);

/* The member whole, which must not be longer than the limit. */
bool tensors_load(tensors_reading *r, const zipfile_member *m, buffer *content);

/* The tensors of a payload config, or of a pickled state or sample inputs. */
bool tensors_read_config(tensors_reading *r, const zipfile_member *m);
bool tensors_read_pickle(tensors_reading *r, const zipfile_member *m);

/* A member of its own that is pickled: a tensor, or an object of a class. A pickle that
 * cannot be read is one of which nothing is known. storage: what the member is. */
bool tensors_read_object(tensors_reading *r, const zipfile_member *m, ep_bytes name,
                         size_t storage);

#endif
