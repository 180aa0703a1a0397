/*
 * modules.h - the modules that the names of tensors tell of: "layers.0.weight" is a tensor
 * of the module "layers.0", which is in the module "layers", which is in the one of the empty
 * name. torch.nn.Module.state_dict goes through them as they are in each other.
 */
#ifndef ARCHIVE_MODULES_H
#define ARCHIVE_MODULES_H

#include "archive/state/tensors.h"

typedef struct module_row {
    ep_bytes name;       /* in the texts of the tensors */
    bool counts_batches; /* it has a tensor num_batches_tracked, as batch norms have */
} module_row;

typedef struct module_list {
    module_row *rows; /* in the order of state_dict: each before those that are in it */
    size_t count;
} module_list;

/*
 * Puts tensors into the order of state_dict: of each module its own ones, in the order that
 * they have, then those of the modules in it, in the order of the first tensor of each.
 * False for want of memory. modules_free frees the list in any case. Of names with n bytes
 * in all: O(n log n).
 */
bool modules_sort(const tensors *t, size_t *rows, size_t count, module_list *modules);

void modules_free(module_list *modules);

#endif
