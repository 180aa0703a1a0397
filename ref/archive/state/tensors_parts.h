/*
 * tensors_parts.h - what the files that list tensors share: the list (tensors_list.c),
 * what a config says (tensors_raw.c), and what a pickle says (tensors_pickled.c).
 */
#ifndef ARCHIVE_TENSORS_PARTS_H
#define ARCHIVE_TENSORS_PARTS_H

#include "archive/layout/lookup.h"
#include "payload.h"
#include "saved.h"
#include "tensors.h"

/* What the signature of a program names. */
typedef struct tensors_target {
    tensor_role role;
    ep_value spec; /* in the program; null: version 1, which has none */
    ep_value meta; /* TensorMeta of the value in the graph; null: it is no tensor */
    bool found;    /* in the part where it has to be */
} tensors_target;

/* A part of a program that is being read. */
typedef struct tensors_reading {
    const archive *a;
    const tensors_wish *wish;
    tensors *t;
    failure *what;
    lookup by_name;
    size_t *raw;       /* of each member, the storage that it is, or TENSORS_NONE */
    size_t *first;     /* of each member, the first row of a config that is in it, likewise */
    name_list targets; /* of the program's signature, sorted: count is which one */
    tensors_target *wanted;
    ep_value root; /* of the program */
    const ep_version *version;
    name_list objects; /* user inputs of it that are custom objects */
    size_t program;
    tensor_part part;
} tensors_reading;

/* Each returns false. The member is the one that is to blame. */
bool tensors_refuse(tensors_reading *r, ep_code code, const zipfile_member *m, const char *why);
/* At an entry of the config, or a spec of the program, that is to blame. */
bool tensors_refuse_entry(tensors_reading *r, ep_code code, ep_value entry, const char *why);
/* A failure that is known is one of an entry. */
void tensors_place_entry(tensors_reading *r, ep_value entry);
bool tensors_refuse_memory(tensors_reading *r);

/* As lookup_find, with want of memory told in the texts of the list. */
const zipfile_member *tensors_find(tensors_reading *r, const char *folder, ep_bytes name,
                                   const char *end);

tensor_text tensors_keep(tensors *t, ep_bytes text);

/* Whether a class is the function that stands for a fake tensor. */
static inline bool tensors_is_stand_in(ep_bytes class) {
    return bytes_equal(class, "torch._export.serde.serialize._reconstruct_fake_tensor");
}

/* As many times TENSORS_NONE; NULL for want of memory. */
size_t *tensors_make_places(size_t count);

/* Takes a program's signature, until the next one is taken. False: what->error. */
bool tensors_open_program(tensors_reading *r, const ep_program *program, ep_arena *arena);
void tensors_close_program(tensors_reading *r);

/* That something names a member. */
static inline void tensors_mark_read(tensors_reading *r, const zipfile_member *m) {
    if (r->wish->read != NULL) {
        r->wish->read[m - r->a->zip.members] = true;
    }
}

/* What the signature says of a name; NULL: nothing. */
tensors_target *tensors_target_of(const tensors_reading *r, ep_bytes name);

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

/* A row for each tensor of an archive of torch.save, in its order. */
bool tensors_read_values(tensors_reading *r, const zipfile_member *m, saved *s);

/* A member of its own that is pickled: a tensor, or an object of a class. A pickle that
 * cannot be read is one of which nothing is known, and so is one that an entry before names:
 * it is not read again. storage: what the member is. */
bool tensors_read_object(tensors_reading *r, const zipfile_member *m, const payload *p,
                         size_t storage);

#endif
