/*
 * raw.c - see raw.h. Source: torch 2.9 to 2.15, torch/export/pt2_archive/_package.py,
 * _package_state_dict and _get_raw_tensor_bytes.
 */
#include "raw.h"

#include "archive/layout/config.h"
#include "common/memory.h"
#include "common/names.h"
#include "common/safe.h"

const char *raw_fault(const tensors *t, const tensor_row *row) {
    if (row->form == TENSOR_OBJECT || row->is_subclass) {
        return row->is_subclass ? "is a tensor of a class" : "is no tensor";
    }
    if (row->form == TENSOR_SPARSE) {
        return "is sparse";
    }
    if (row->is_conjugate || row->is_negative) {
        return "is a lazy conjugate or negative, which raw bytes do not say";
    }
    if (!safe_is_utf8(tensors_text(t, row->name))) {
        return "has a name that is not UTF-8";
    }
    if (row->form == TENSOR_META) {
        return NULL;
    }
    const tensor_storage *s = &t->storages[row->storage];
    return s->big_endian         ? "has big-endian bytes"
           : !s->is_stored       ? "is in a deflated member"
           : tensors_fit(t, row) ? NULL
                                 : "reaches beyond its storage";
}

static const tensor_row *row_of(const raw_part *p, size_t i) {
    return &p->tensors->rows[p->rows[i]];
}

static uint64_t size_of(const raw_part *p, const tensor_row *row) {
    return row->storage == TENSORS_NONE ? 0 : p->tensors->storages[row->storage].size;
}

/* ----------------------------------------------------------------------- members */

/* By member: two tensors share one if they have one storage, dtype and device; all that
 * have no bytes count as of one storage. `bytes` is the storage, `kind` the dtype. */
static bool in_order_of_members(const name_item *a, const name_item *b) {
    int names = bytes_compare(a->name, b->name);
    return a->bytes != b->bytes ? a->bytes < b->bytes
           : a->kind != b->kind ? a->kind < b->kind
           : names != 0         ? names < 0
                                : a->count <= b->count;
}

static bool share(const name_item *a, const name_item *b) {
    return a->bytes == b->bytes && a->kind == b->kind && bytes_compare(a->name, b->name) == 0;
}

static name_item key_of(const raw_part *p, size_t i) {
    const tensor_row *row = row_of(p, i);
    bool shares = size_of(p, row) > 0;
    bool apart = !shares && p->order == RAW_AS_THEY_COME;
    return (name_item){.name = tensors_text(p->tensors, row->device),
                       .kind = row->dtype->name,
                       .bytes = shares  ? row->storage
                                : apart ? p->tensors->storage_count + 1 + i
                                        : p->tensors->storage_count,
                       .count = i};
}

/* Of each tensor, the first that is in the same member. */
static bool find_leaders(const raw_part *p, size_t *leaders) {
    name_list keys = {0};
    for (size_t i = 0; i < p->count; i++) {
        names_add(&keys, key_of(p, i));
    }
    names_sort_by(&keys, in_order_of_members);
    bool ok = !keys.failed;
    for (size_t i = 0; ok && i < p->count; i++) {
        bool same = i > 0 && share(&keys.items[i - 1], &keys.items[i]);
        size_t before = same ? leaders[keys.items[i - 1].count] : 0;
        leaders[keys.items[i].count] = same ? before : keys.items[i].count;
    }
    names_free(&keys);
    return ok;
}

static bool by_leader(const name_item *a, const name_item *b) {
    return a->bytes <= b->bytes;
}

/* Puts the tensors of one member behind each other, where the first of them is. */
static bool group(raw_part *p, size_t *leaders) {
    name_list sorted = {0};
    for (size_t i = 0; i < p->count; i++) {
        names_add(&sorted, (name_item){.bytes = leaders[i], .count = p->rows[i]});
    }
    names_sort_by(&sorted, by_leader);
    bool ok = !sorted.failed;
    size_t leader = 0;
    for (size_t i = 0; ok && i < p->count; i++) {
        bool first = i == 0 || sorted.items[i].bytes != sorted.items[i - 1].bytes;
        leader = first ? i : leader;
        p->rows[i] = sorted.items[i].count;
        leaders[i] = leader;
    }
    names_free(&sorted);
    return ok;
}

/* -------------------------------------------------------------------------- plan */

static void put_entry(raw_part *p, size_t i, const char *prefix, size_t number) {
    const tensors *t = p->tensors;
    const tensor_row *row = row_of(p, i);
    config_entry entry = {.name = tensors_text(t, row->name),
                          .prefix = prefix,
                          .number = number,
                          .is_parameter = row->is_parameter,
                          .requires_grad = row->requires_grad,
                          .dtype = row->dtype->number,
                          .device = tensors_text(t, row->device),
                          .rank = row->rank,
                          .sizes = tensors_numbers(t, row->sizes),
                          .strides = tensors_numbers(t, row->strides),
                          .offset = (int64_t)row->offset};
    config_put(&p->config, &entry, i);
}

/* The bytes of a storage, piece by piece. */
static bool give_storage(void *context, const zipwrite_member *m, zipfile_taker to, failure *what) {
    const raw_part *p = context;
    uint64_t place = p->tensors->storages[m->source.number].place;
    return zipfile_give(p->from, place, m->size, to, what);
}

void raw_plan_storage(raw_part *p, zipwrite *zip, ep_bytes name, const tensor_row *row) {
    uint64_t size = size_of(p, row);
    if (size == 0 || (p->held != NULL && p->held[row->storage].size > 0)) {
        zipwrite_bytes(zip, name,
                       size == 0 ? (ep_bytes){"", 0} : buffer_bytes(&p->held[row->storage]));
        return;
    }
    zipwrite_member *m =
        zipwrite_given(zip, name, (zipwrite_source){give_storage, p, row->storage});
    if (m != NULL) {
        m->size = size;
        m->is_counted = true;
    }
}

/* Members by the order of their first tensors. */
static void plan_members(raw_part *p, zipwrite *zip, ep_bytes root, const size_t *leaders,
                         size_t *numbers) {
    bool weights = p->part == TENSOR_WEIGHTS;
    const char *prefix = weights ? "weight_" : "tensor_";
    buffer name = {0};
    size_t next = p->first;
    config_begin(&p->config);
    for (size_t i = 0; i < p->count; i++) {
        numbers[i] = leaders[i] == i ? next++ : numbers[leaders[i]];
        put_entry(p, i, prefix, numbers[i]);
        if (leaders[i] == i) {
            buffer_clear(&name);
            buffer_put(&name, root.data, root.size);
            buffer_text(&name, weights ? "data/weights/" : "data/constants/");
            buffer_text(&name, prefix);
            buffer_number(&name, (int64_t)numbers[i]);
            zip->failed = zip->failed || name.failed; /* clearing forgets it */
            raw_plan_storage(p, zip, buffer_bytes(&name), row_of(p, i));
        }
    }
    config_end(&p->config);
    zip->failed = zip->failed || p->config.failed;
    buffer_free(&name);
}

static void plan_config(raw_part *p, zipwrite *zip, ep_bytes root, ep_bytes model) {
    bool weights = p->part == TENSOR_WEIGHTS;
    buffer name = {0};
    buffer_put(&name, root.data, root.size);
    buffer_text(&name, weights ? "data/weights/" : "data/constants/");
    buffer_put(&name, model.data, model.size);
    buffer_text(&name, weights ? "_weights_config.json" : "_constants_config.json");
    zip->failed = zip->failed || name.failed;
    zipwrite_bytes(zip, buffer_bytes(&name), buffer_bytes(&p->config));
    buffer_free(&name);
}

bool raw_plan(raw_part *p, zipwrite *zip, ep_bytes root, ep_bytes model) {
    size_t *leaders = memory_zeros(p->count, 2 * sizeof *leaders);
    bool ok = leaders != NULL && find_leaders(p, leaders) &&
              (p->order == RAW_AS_THEY_COME || group(p, leaders));
    if (ok) {
        plan_members(p, zip, root, leaders, leaders + p->count);
        plan_config(p, zip, root, model);
    }
    memory_free(leaders);
    return ok && !zip->failed;
}

void raw_free(raw_part *p) {
    memory_free(p->rows);
    buffer_free(&p->config);
}
