/*
 * tensors_raw.c - the tensors that a payload config lists: each in a member of its folder,
 * which is its whole storage, or pickled.
 */
#include "tensors_parts.h"

#include <string.h>

#include "payload.h"

/* "R/data/weights/" of "R/data/weights/model_weights_config.json", with a path behind it:
 * the member of that name. */
static const zipfile_member *find_payload(tensors_reading *r, const zipfile_member *config,
                                          ep_bytes path) {
    static const char *const folders[] = {"data/weights/", "data/constants/"};
    buffer name = {0};
    size_t folder = r->a->root.size + strlen(folders[r->part == TENSOR_WEIGHTS ? 0 : 1]);
    buffer_put(&name, config->name.data, folder);
    buffer_put(&name, path.data, path.size);
    r->t->texts.failed = r->t->texts.failed || name.failed;
    const zipfile_member *m = name.failed ? NULL : tensors_find(r, buffer_bytes(&name));
    buffer_free(&name);
    return m;
}

/* The storage that a member is, told once. */
static bool find_storage(tensors_reading *r, const zipfile_member *m, size_t *number) {
    size_t *known = &r->raw[m - r->a->zip.members];
    if (*known == TENSORS_NONE) {
        tensor_storage s = {.member = m, .place = m->place, .size = m->size};
        s.is_stored = m->method == ZIPFILE_STORED;
        if (!tensors_add_storage(r, s, known)) {
            return false;
        }
    }
    *number = *known;
    return true;
}

static bool add_tensor(tensors_reading *r, const zipfile_member *config, const payload *p,
                       size_t storage) {
    payload_tensor said;
    const char *why = ep_value_kind(p->meta) == EP_KIND_NULL ? "a raw tensor has no tensor_meta"
                                                             : payload_tensor_of(p->meta, &said);
    if (why != NULL) {
        return tensors_refuse(r, config, why);
    }
    tensor_row row = {.form = TENSOR_STRIDED,
                      .dtype = said.dtype,
                      .rank = said.rank,
                      .offset = (uint64_t)said.offset,
                      .storage = storage,
                      .requires_grad = said.requires_grad,
                      .is_parameter = p->is_parameter};
    return tensors_add_numbers(r, said.sizes, said.rank, &row.sizes) &&
           tensors_add_numbers(r, said.strides, said.rank, &row.strides) &&
           tensors_add(r, p->name, row);
}

static bool add_payload(tensors_reading *r, const zipfile_member *config, const payload *p) {
    size_t storage = TENSORS_NONE;
    const zipfile_member *m = find_payload(r, config, p->path);
    if (r->t->texts.failed) {
        return tensors_refuse_memory(r);
    }
    if (m == NULL) {
        return tensors_refuse(r, config, "it names a member that is not in its folder");
    }
    if (!find_storage(r, m, &storage)) {
        return false;
    }
    return p->is_pickled ? tensors_read_object(r, m, p->name, storage)
                         : add_tensor(r, config, p, storage);
}

bool tensors_read_config(tensors_reading *r, const zipfile_member *m) {
    buffer text = {0};
    ep_value entries;
    ep_arena arena;
    payload p;
    arena_open(&arena, 0);
    bool ok =
        tensors_load(r, m, &text) && payload_open(&arena, buffer_bytes(&text), &entries, r->what);
    for (size_t i = 0; ok && i < ep_value_count(entries); i++) {
        ok = payload_at(entries, i, &arena, &p) ? add_payload(r, m, &p) : tensors_refuse_memory(r);
    }
    ep_arena_free(&arena);
    buffer_free(&text);
    return ok;
}
