/*
 * agree_bytes.c - see agree.h: whether the bytes that an archive holds are enough for its
 * tensors, and whether its pickles are no more than tensors.
 */
#include "agree.h"

#include "common/memory.h"
#include "common/refusal.h"
#include "elements.h"

/* ------------------------------------------------------------------------------ raw bytes */

/* A raw tensor that has elements, and is not on `meta`. */
static bool wants_bytes(const tensors_reading *r, const tensor_row *row) {
    return row->form == TENSOR_STRIDED && !row->is_pickled && elements_count(r->t, row) > 0 &&
           !bytes_equal(tensors_text(r->t, row->device), "meta");
}

/* No tensor of the config has bytes: they were fake when it was written. */
static bool is_fake(const tensors_reading *r, size_t from, size_t to) {
    bool found = false;
    for (size_t i = from; i < to; i++) {
        const tensor_row *row = &r->t->rows[i];
        if (!wants_bytes(r, row)) {
            continue;
        }
        found = true;
        TRY(r->t->storages[row->storage].size == 0);
    }
    return found;
}

/* Whether a tensor is in as many elements as loaders make for the first of its member. */
static bool fits_first(const tensors *t, const tensor_row *row) {
    return tensors_fit_in(t, row, elements_count(t, &t->rows[t->storages[row->storage].first]));
}

static const char *fault_of_bytes(tensors_reading *r, const tensor_row *row, bool fake) {
    if (row->form != TENSOR_STRIDED || row->is_pickled) {
        return NULL;
    }
    uint64_t size = r->t->storages[row->storage].size;
    bool none = elements_count(r->t, row) == 0;
    if (size % row->dtype->size != 0) {
        return "its member does not have whole elements";
    }
    if (bytes_equal(tensors_text(r->t, row->device), "meta")) {
        return size == 0 ? NULL : "a tensor on meta has bytes";
    }
    if (fake && size == 0) {
        return none || fits_first(r->t, row) ? NULL
                                             : "it reaches beyond the zeros that it stands for";
    }
    return none || tensors_fit(r->t, row) ? NULL : "it reaches beyond its member";
}

bool agree_bytes(tensors_reading *r, ep_value entries, size_t first) {
    size_t count = ep_value_count(entries);
    bool fake = is_fake(r, first, first + count);
    for (size_t i = 0; i < count; i++) {
        const char *why = fault_of_bytes(r, &r->t->rows[first + i], fake);
        if (why != NULL) {
            return tensors_refuse_entry(r, EP_ARCHIVE_BYTES, ep_value_item(entries, i), why);
        }
    }
    return true;
}

/* -------------------------------------------------------------------------------- pickles */

typedef struct global_row {
    const char *module;
    const char *name;
} global_row;

/* SPEC 8.5.2 */
static bool is_tensors_own(ep_bytes module, ep_bytes name) {
    static const global_row rows[] = {
        {"torch.storage", "UntypedStorage"},
        {"torch", "Size"},
        {"torch", "Tensor"},
        {"torch", "device"},
        {"torch", "ScriptObject"},
        {"torch._tensor", "_rebuild_from_type_v2"},
        {"torch.nn.parameter", "Parameter"},
        {"torch.serialization", "_get_layout"},
        {"torch.jit._pickle", "build_intlist"},
        {"torch._export.serde.serialize", "_reconstruct_fake_tensor"},
        {"collections", "OrderedDict"},
        {"_codecs", "encode"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bytes_equal(name, rows[i].name) && bytes_equal(module, rows[i].module)) {
            return true;
        }
    }
    return (bytes_equal(module, "torch") && bytes_end(name, "Storage")) ||
           (bytes_equal(module, "torch._utils") && bytes_start(name, "_rebuild_")) ||
           bytes_start(module, "__torch__.torch.classes.");
}

static bool refuse_global(tensors_reading *r, const zipfile_member *m, ep_bytes module,
                          ep_bytes name) {
    buffer why = {0};
    buffer_text(&why, "it names ");
    buffer_put(&why, module.data, module.size);
    buffer_byte(&why, '.');
    buffer_put(&why, name.data, name.size);
    r->t->blamed = m;
    return refuse_with(r->what, EP_ARCHIVE_PICKLE, &why);
}

/* Marks what a value holds, each value once: their count is room for all that are left. */
typedef struct marking {
    const unpickled *u;
    bool *marked;
    uint32_t *left;
    size_t depth;
} marking;

static void mark(marking *k, uint32_t value) {
    if (!k->marked[value]) {
        k->marked[value] = true;
        k->left[k->depth++] = value;
    }
}

static void mark_all(marking *k, uint32_t from) {
    mark(k, from);
    while (k->depth > 0) {
        uint32_t value = k->left[--k->depth];
        const pickled_value *v = unpickled_at(k->u, value);
        pickled_items items = unpickled_items(k->u, value);
        uint32_t at = items.first;
        for (uint32_t i = 0; i < items.count; i++) {
            mark(k, unpickled_next(k->u, &at));
        }
        if (v->kind == PICKLED_TENSOR && k->u->tensors[v->is.position].state != PICKLED_NOTHING) {
            mark(k, k->u->tensors[v->is.position].state);
        }
    }
}

/* All that is the state of a tensor, which is data with names in it. SPEC 8.5.4 */
static void mark_states(marking *k) {
    for (uint32_t i = 0; i < k->u->value_count; i++) {
        const pickled_value *v = unpickled_at(k->u, i);
        if (v->kind == PICKLED_TENSOR || (v->kind == PICKLED_OBJECT && v->variant)) {
            mark_all(k, i);
        }
    }
}

static bool check_marked(tensors_reading *r, const zipfile_member *m, const marking *k) {
    ep_bytes module;
    ep_bytes name;
    for (uint32_t i = 0; i < k->u->value_count; i++) {
        const pickled_value *value = unpickled_at(k->u, i);
        bool known = value->kind != PICKLED_GLOBAL || k->marked[i] ||
                     !unpickled_name(k->u, i, &module, &name) || is_tensors_own(module, name);
        if (!known) {
            return refuse_global(r, m, module, name);
        }
    }
    return true;
}

/* Sample inputs can be of any class. */
static bool check_globals(tensors_reading *r, const zipfile_member *m, const unpickled *u) {
    marking k = {.u = u};
    if (r->part == TENSOR_INPUTS) {
        return true;
    }
    k.marked = memory_zeros(u->value_count, sizeof *k.marked);
    k.left = memory_resize(NULL, u->value_count * sizeof *k.left);
    bool ok = k.marked != NULL && k.left != NULL;
    if (ok) {
        mark_states(&k);
        ok = check_marked(r, m, &k);
    } else {
        tensors_refuse_memory(r);
    }
    memory_free(k.marked);
    memory_free(k.left);
    return ok;
}

/* SPEC 8.5.3 */
static bool check_storages(tensors_reading *r, const zipfile_member *m, const saved *s) {
    for (size_t i = 0; i < s->values.storage_count; i++) {
        const pickled_storage *said = &s->values.storages[i];
        const zipfile_member *inner = saved_storage(s, said->key);
        size_t size = said->dtype == NULL ? 1 : said->dtype->size;
        if (inner == NULL || said->count > UINT64_MAX / size || said->count * size != inner->size) {
            return tensors_refuse(r, EP_ARCHIVE_BYTES, m,
                                  inner == NULL
                                      ? "a storage of its pickle is not there"
                                      : "a storage has not the size that its pickle says");
        }
    }
    return true;
}

bool agree_pickle(tensors_reading *r, const zipfile_member *m, const saved *s) {
    if (s->values.drops) {
        return tensors_refuse(r, EP_ARCHIVE_PICKLE, m, "it makes values and throws them away");
    }
    if (s->big_endian) {
        return tensors_refuse(r, EP_ARCHIVE_PICKLE, m, "its byte order is not little");
    }
    TRY(check_globals(r, m, &s->values) && check_storages(r, m, s));
    r->t->blamed = m;
    return r->wish->no_data || saved_verify(s, r->what);
}

bool agree_fit(tensors_reading *r, const zipfile_member *m, const tensor_row *row) {
    return row->form != TENSOR_STRIDED || tensors_fit(r->t, row) ||
           tensors_refuse(r, EP_ARCHIVE_BYTES, m, "a tensor reaches beyond its storage");
}

static bool fits(const unpickled *u, const pickled_tensor *t) {
    int64_t sizes[PICKLED_RANK_MAX];
    int64_t strides[PICKLED_RANK_MAX];
    if (t->form != PICKLED_STRIDED) {
        return true;
    }
    const pickled_storage *s = &u->storages[t->storage];
    uint64_t bytes = s->count * (s->dtype == NULL ? 1 : s->dtype->size); /* a member has as many */
    unpickled_numbers(u, t->strides, strides);
    return tensors_shape_fits(sizes, strides, unpickled_numbers(u, t->sizes, sizes), t->offset,
                              bytes / t->dtype->size);
}

bool agree_all_fit(tensors_reading *r, const zipfile_member *m, const unpickled *u) {
    for (size_t i = 0; i < u->tensor_count; i++) {
        if (!fits(u, &u->tensors[i])) {
            return tensors_refuse(r, EP_ARCHIVE_BYTES, m, "a tensor reaches beyond its storage");
        }
    }
    return true;
}

/* A pair of a tuple and a dict, or an empty dict. */
static bool are_inputs(const unpickled *u) {
    pickled_items items = unpickled_items(u, u->root);
    uint32_t at = items.first;
    if (unpickled_at(u, u->root)->kind == PICKLED_DICT) {
        return items.count == 0;
    }
    return unpickled_at(u, u->root)->kind == PICKLED_TUPLE && items.count == 2 &&
           unpickled_at(u, unpickled_next(u, &at))->kind == PICKLED_TUPLE &&
           unpickled_at(u, unpickled_next(u, &at))->kind == PICKLED_DICT;
}

bool agree_inputs(tensors_reading *r, const zipfile_member *m, const unpickled *u, size_t first) {
    if (!are_inputs(u)) {
        return tensors_refuse(r, EP_ARCHIVE_PICKLE, m,
                              "its pickle is no pair of a tuple and a dict");
    }
    for (size_t i = first; i < r->t->row_count; i++) {
        TRY(agree_fit(r, m, &r->t->rows[i]));
    }
    return true;
}
