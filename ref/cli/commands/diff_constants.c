/*
 * diff_constants.c - see diff_constants.h.
 */
#include "diff_constants.h"

#include <string.h>

#include "archive/layout/constants.h"
#include "cli/print.h"
#include "common/names.h"
#include "common/refusal.h"

enum { SIDES = 2 };

static bool same_dims(const constant *a, const constant *b) {
    bool same = a->info.rank == b->info.rank;
    for (size_t i = 0; same && i < a->info.rank; i++) {
        same = a->sizes[i].number == b->sizes[i].number &&
               a->strides[i].number == b->strides[i].number;
    }
    return same;
}

/* Two pickles of other bytes can be of one tensor. */
static bool same_tensors(const constants *taken) {
    const constant *a = taken->items[0];
    const constant *b = taken->items[1];
    return a->dtype == b->dtype && same_dims(a, b) &&
           a->info.storage_offset.number == b->info.storage_offset.number &&
           bytes_compare(buffer_bytes(&a->bytes), buffer_bytes(&b->bytes)) == 0;
}

static bool compare(state_diff *d, ep_bytes name, const ep_bytes base64[SIDES], failure *what) {
    constants taken = {.limit = d->o->limits.bytes};
    ep_tensor_info info;
    buffer texts[SIDES] = {{0}, {0}};
    bool known = bytes_compare(base64[0], base64[1]) == 0;
    bool same = known || (constants_take(&taken, name, base64[0], &info) &&
                          constants_take(&taken, name, base64[1], &info) && same_tensors(&taken));
    for (size_t i = 0; !same && i < SIDES; i++) {
        print(&texts[i], "a tensor pickled in the program, %i bytes of base64",
              (int64_t)base64[i].size);
    }
    if (!same) {
        diff_state_put(d, STATE_CONSTANTS, name, texts);
    }
    bool ok = !taken.failed || refuse_plainly(what, EP_MEMORY);
    constants_free(&taken);
    return ok;
}

static ep_value constants_of(const ep_program *program) {
    ep_value module = ep_value_field(ep_program_root(program), "graph_module");
    return ep_value_field(ep_value_field(module, "graph"), "constants");
}

bool diff_constants(state_diff *d, const ep_program *const programs[2], failure *what) {
    name_list lists[SIDES] = {{0}, {0}};
    ep_arena arena;
    bool failed = false;
    arena_open(&arena, d->o->max_memory);
    for (size_t i = 0; i < SIDES; i++) {
        names_add_dict(&lists[i], constants_of(programs[i]), "", &arena);
        names_sort(&lists[i]);
        failed = failed || lists[i].failed;
    }
    bool ok = !failed || refuse_plainly(what, EP_MEMORY);
    for (size_t i = 0; ok && i < lists[0].count; i++) {
        const name_item *a = &lists[0].items[i];
        const name_item *b = names_find(&lists[1], a->name);
        if (b != NULL) {
            ep_bytes texts[SIDES] = {text_of(a->value, &arena, &failed),
                                     text_of(b->value, &arena, &failed)};
            ok = failed ? refuse_plainly(what, EP_MEMORY) : compare(d, a->name, texts, what);
        }
    }
    names_free(&lists[0]);
    names_free(&lists[1]);
    ep_arena_free(&arena);
    return ok;
}
