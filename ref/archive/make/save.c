/*
 * save.c - see save.h. Source: torch 2.1 to 2.8, torch/serialization.py, _save.
 */
#include "save.h"

#include "archive/zip/checksum.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "pickler.h"

/* --------------------------------------------------------------------------- storages */

const char *save_fault(const tensors *t, const tensor_row *row) {
    const char *why = raw_fault(t, row);
    if (why != NULL || row->form == TENSOR_META) {
        return why != NULL ? why : "has no bytes";
    }
    const tensor_row *first = &t->rows[t->storages[row->storage].first];
    bool alike = row->dtype == first->dtype &&
                 bytes_compare(tensors_text(t, row->device), tensors_text(t, first->device)) == 0;
    return t->storages[row->storage].size == 0 || alike
               ? NULL
               : "shares its storage with a tensor of another dtype or device";
}

/* Numbers the storages as torch.save meets them: tensors that show one have one key, but for a
 * storage without bytes. False for want of memory. */
static bool put_keys(save_part *s) {
    const raw_part *p = s->of;
    const tensors *t = p->tensors;
    size_t *known = memory_resize(NULL, (t->storage_count + 1) * sizeof *known);
    s->keys = memory_resize(NULL, (p->count + 1) * sizeof *s->keys);
    s->firsts = memory_resize(NULL, (p->count + 1) * sizeof *s->firsts);
    bool ok = known != NULL && s->keys != NULL && s->firsts != NULL;
    for (size_t i = 0; ok && i < t->storage_count; i++) {
        known[i] = TENSORS_NONE;
    }
    for (size_t i = 0; ok && i < p->count; i++) {
        size_t storage = t->rows[p->rows[i]].storage;
        bool again = known[storage] != TENSORS_NONE && t->storages[storage].size > 0;
        if (!again) {
            s->firsts[s->storage_count] = p->rows[i];
            known[storage] = s->storage_count++;
        }
        s->keys[i] = known[storage];
    }
    memory_free(known);
    return ok;
}

/* ----------------------------------------------------------------------------- pickle */

/* Weights are in the dict of the model; constants in one that was made for them. */
static bool put_pickle(save_part *s) {
    raw_part *p = s->of;
    bool weights = p->part == TENSOR_WEIGHTS;
    module_list modules = {0};
    bool ok = !weights || s->style->order == PICKLING_BY_ROLE ||
              modules_sort(p->tensors, p->rows, p->count, &modules);
    ok = ok && put_keys(s);
    pickler_wish wish = {.tensors = p->tensors,
                         .rows = p->rows,
                         .keys = s->keys,
                         .count = p->count,
                         .dict = weights ? s->style->dict : PICKLING_IN_DICT,
                         .modules = &modules};
    if (ok) {
        pickler_put(&s->pickle, &wish);
    }
    modules_free(&modules);
    return ok && !s->pickle.failed;
}

/* ---------------------------------------------------------------------------- members */

static const char folder[] = "archive/";

static void put_text(save_part *s, const char *name, const char *text) {
    buffer full = {0};
    buffer_text(&full, folder);
    buffer_text(&full, name);
    s->zip.failed = s->zip.failed || full.failed;
    zipwrite_bytes(&s->zip, buffer_bytes(&full), bytes_of(text));
    buffer_free(&full);
}

/* The number behind one, as texts are ordered, of so many that there are. */
static size_t next_key(size_t key, size_t count) {
    if (key > 0 && key <= (count - 1) / 10) {
        return key * 10;
    }
    while (key % 10 == 9 || key + 1 >= count) {
        key /= 10;
    }
    return key + 1;
}

static void put_storages(save_part *s) {
    raw_part *p = s->of;
    bool by_key = s->style->storages == PICKLING_BY_KEY;
    buffer name = {0};
    size_t i = 0;
    for (size_t done = 0; done < s->storage_count; done++) {
        i = done == 0 ? 0 : by_key ? next_key(i, s->storage_count) : done;
        buffer_clear(&name);
        buffer_text(&name, folder);
        buffer_text(&name, "data/");
        buffer_number(&name, (int64_t)i);
        s->zip.failed = s->zip.failed || name.failed;
        raw_plan_storage(p, &s->zip, buffer_bytes(&name), &p->tensors->rows[s->firsts[i]]);
    }
    buffer_free(&name);
}

static void put_members(save_part *s) {
    zipwrite_bytes(&s->zip, bytes_of("archive/data.pkl"), buffer_bytes(&s->pickle));
    if (s->style->marked) {
        put_text(s, ".format_version", "1");
        put_text(s, ".storage_alignment", "64");
    }
    put_text(s, "byteorder", "little");
    put_storages(s);
    put_text(s, "version", "3\n");
    serial_plan(&s->serial, &s->zip, bytes_of("archive/.data/serialization_id"), sizeof folder - 1);
}

/* ----------------------------------------------------------------------------- member */

static bool count(void *context, ep_bytes piece, failure *what) {
    save_part *s = context;
    (void)what;
    s->size += piece.size;
    s->crc = checksum(s->crc, piece);
    return true;
}

static bool give(void *context, const zipwrite_member *m, zipfile_taker to, failure *what) {
    save_part *s = context;
    (void)m;
    return zipwrite_all(&s->zip, to.take, to.context, what);
}

bool save_plan(save_part *s, zipwrite *zip, ep_bytes name, failure *what) {
    s->zip = (zipwrite){.pt2 = true};
    bool ok = put_pickle(s);
    if (ok) {
        put_members(s);
    }
    if (!ok || s->zip.failed) {
        return refuse_plainly(what, EP_MEMORY);
    }
    if (!zipwrite_all(&s->zip, count, s, what)) {
        return false;
    }
    s->zip.is_known = true; /* when it is given, its ends have been looked at */
    zipwrite_member *m = zipwrite_given(zip, name, (zipwrite_source){give, s, 0});
    if (m == NULL) {
        return refuse_plainly(what, EP_MEMORY);
    }
    m->size = s->size;
    m->crc = s->crc;
    return true;
}

void save_free(save_part *s) {
    zipwrite_free(&s->zip);
    buffer_free(&s->pickle);
    memory_free(s->keys);
    memory_free(s->firsts);
}
