/*
 * tensors_raw.c - the tensors that a payload config lists: each in a member of its folder,
 * which is its whole storage, or pickled.
 */
#include "tensors_parts.h"

#include <string.h>

#include "agree.h"
#include "common/macros.h"
#include "elements.h"

/* The member of a path, directly in the folder of its config. SPEC 8.3.2 */
static const zipfile_member *find_payload(tensors_reading *r, ep_bytes path) {
    const char *folder = r->part == TENSOR_WEIGHTS ? "data/weights/" : "data/constants/";
    bool deeper = path.size > 0 && memchr(path.data, '/', path.size) != NULL;
    return deeper ? NULL : tensors_find(r, folder, path, "");
}

static tensor_text keep_device(tensors *t, ep_value device, ep_arena *arena) {
    tensor_text kept = {t->texts.size, 0};
    payload_put_device(&t->texts, device, arena);
    kept.size = t->texts.size - kept.at;
    return kept;
}

/* The storage that a member is, told once. */
static bool find_storage(tensors_reading *r, const zipfile_member *m, size_t *number) {
    size_t *known = &r->raw[m - r->a->zip.members];
    if (*known == TENSORS_NONE) {
        tensor_storage s = {.member = m, .place = m->place, .size = m->size};
        s.is_stored = m->method == ZIPFILE_STORED;
        TRY(tensors_add_storage(r, s, known));
    }
    *number = *known;
    return true;
}

static bool add_tensor(tensors_reading *r, const payload *p, ep_arena *arena, size_t storage) {
    payload_tensor said;
    const char *why = ep_value_kind(p->meta) == EP_KIND_NULL ? "a raw tensor has no tensor_meta"
                                                             : payload_tensor_of(p->meta, &said);
    if (why != NULL) {
        return tensors_refuse_entry(r, EP_ARCHIVE_PAYLOAD, p->entry, why);
    }
    tensor_row row = {.form = TENSOR_STRIDED,
                      .dtype = said.dtype,
                      .rank = said.rank,
                      .offset = (uint64_t)said.offset,
                      .storage = storage,
                      .device = keep_device(r->t, ep_value_field(p->meta, "device"), arena),
                      .requires_grad = said.requires_grad,
                      .is_parameter = p->is_parameter};
    return tensors_add_numbers(r, said.sizes, said.rank, &row.sizes) &&
           tensors_add_numbers(r, said.strides, said.rank, &row.strides) &&
           tensors_add(r, p->name, row);
}

/* What is wrong with the pickle of an object is told at its entry. SPEC 8.5.1 */
static bool refuse_object(tensors_reading *r, const zipfile_member *config, const payload *p) {
    bool object = ep_value_kind(p->meta) == EP_KIND_NULL;
    if (r->wish->read != NULL && object && r->what->error.code == EP_ARCHIVE_PICKLE) {
        r->t->blamed = config;
        tensors_place_entry(r, p->entry);
    }
    return false;
}

static bool add_payload(tensors_reading *r, const zipfile_member *config, const payload *p,
                        ep_arena *arena) {
    size_t storage = TENSORS_NONE;
    size_t at = r->t->row_count;
    const zipfile_member *m = find_payload(r, p->path);
    if (r->t->texts.failed) {
        return tensors_refuse_memory(r);
    }
    if (m == NULL) {
        return tensors_refuse_entry(r, EP_ARCHIVE_PAYLOAD, p->entry,
                                    "path_name is that of no member of its folder");
    }
    tensors_mark_read(r, m);
    TRY(r->wish->read == NULL || agree_entry(r, p, m));
    TRY(find_storage(r, m, &storage));
    size_t *first = &r->first[m - r->a->zip.members];
    *first = *first == TENSORS_NONE ? at : *first;
    if (!(p->is_pickled ? tensors_read_object(r, m, p, storage)
                        : add_tensor(r, p, arena, storage))) {
        return refuse_object(r, config, p);
    }
    tensor_row *row = &r->t->rows[at]; /* those of the tensors inside of it follow */
    row->is_parameter = row->is_parameter || p->is_parameter; /* a pickle can say it, too */
    return true;
}

/* What has no bytes, though it has elements: a loader makes zeros, or a tensor on meta. Known
 * only when the rules about bytes have been looked at. SPEC 8.4.1 */
static void find_missing(tensors *t, size_t from) {
    for (size_t i = from; i < t->row_count; i++) {
        tensor_row *row = &t->rows[i];
        bool raw = row->form == TENSOR_STRIDED && !row->is_pickled;
        if (raw && t->storages[row->storage].size == 0 &&
            (elements_count(t, row) > 0 || bytes_equal(tensors_text(t, row->device), "meta"))) {
            row->form = TENSOR_META;
            row->is_fake = !bytes_equal(tensors_text(t, row->device), "meta");
        }
    }
}

bool tensors_read_config(tensors_reading *r, const zipfile_member *m) {
    buffer text = {0};
    ep_value entries;
    ep_arena arena;
    payload p;
    size_t from = r->t->row_count;
    arena_open(&arena, 0);
    tensors_mark_read(r, m);
    bool ok =
        tensors_load(r, m, &text) && payload_open(&arena, buffer_bytes(&text), &entries, r->what);
    for (size_t i = 0; ok && i < ep_value_count(entries); i++) {
        r->t->blamed = m;
        ok = payload_at(entries, i, &arena, &p) ? add_payload(r, m, &p, &arena)
                                                : tensors_refuse_memory(r);
    }
    if (ok && r->wish->read != NULL) {
        r->t->blamed = m;
        ok = agree_config(r, entries, &arena, from);
    }
    find_missing(r->t, from);
    ep_arena_free(&arena);
    buffer_free(&text);
    return ok;
}
