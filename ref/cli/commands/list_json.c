/*
 * list_json.c - epref list --format=json.
 */
#include "cli/json.h"
#include "compiled_view.h"
#include "list.h"

static json *member_list(const zipfile *zip) {
    json *array = json_array();
    for (size_t i = 0; i < zip->count; i++) {
        const zipfile_member *m = &zip->members[i];
        json *item = json_object();
        bool stored = m->method == ZIPFILE_STORED;
        json_add_text(item, "name", m->name);
        json_add_integer(item, "bytes", (int64_t)m->size);
        json_add_integer(item, "packed", (int64_t)m->packed);
        json_add(item, "place", stored ? json_integer((int64_t)m->place) : json_null());
        json_add_integer(item, "crc32", (int64_t)m->crc);
        json_append(array, item);
    }
    return array;
}

static json *program_list(const tensors *all) {
    json *array = json_array();
    for (size_t i = 0; i < all->program_count; i++) {
        json *item = json_object();
        json_add_text(item, "name", all->programs[i].name);
        json_add_text(item, "member", all->programs[i].member->name);
        json_append(array, item);
    }
    return array;
}

/* Which tensors show the storage. */
static json *shown_by(const tensors *all, const tensor_storage *s) {
    json *array = json_array();
    for (size_t at = s->count > 0 ? s->first : TENSORS_NONE; at != TENSORS_NONE;
         at = all->rows[at].next) {
        json_append(array, json_integer((int64_t)at));
    }
    return array;
}

static json *storage_list(const tensors *all) {
    json *array = json_array();
    for (size_t i = 0; i < all->storage_count; i++) {
        const tensor_storage *s = &all->storages[i];
        json *item = json_object();
        json_add_text(item, "member", s->member->name);
        json_add_said(item, "key", tensors_text(all, s->key));
        json_add_integer(item, "bytes", (int64_t)s->size);
        json_add(item, "place", s->is_stored ? json_integer((int64_t)s->place) : json_null());
        json_add_string(item, "byteorder", s->big_endian ? "big" : "little");
        json_add(item, "tensors", shown_by(all, s));
        json_append(array, item);
    }
    return array;
}

static void add_tensor(json *item, const tensors *all, const tensor_row *row) {
    json_add_string(item, "dtype", row->dtype->torch);
    json_add(item, "shape", json_integers(tensors_numbers(all, row->sizes), row->rank));
    json_add(item, "strides", json_integers(tensors_numbers(all, row->strides), row->rank));
    json_add_bool(item, "requires_grad", row->requires_grad);
    json_add_bool(item, "is_parameter", row->is_parameter);
    if (row->form == TENSOR_STRIDED) {
        json_add_integer(item, "offset", (int64_t)row->offset);
        json_add_bool(item, "fits", tensors_fit(all, row));
        json_add_bool(item, "conjugate", row->is_conjugate);
        json_add_bool(item, "negative", row->is_negative);
    }
}

static json *tensor_list(const tensors *all) {
    static const char *const forms[] = {[TENSOR_STRIDED] = "strided",
                                        [TENSOR_META] = "meta",
                                        [TENSOR_SPARSE] = "sparse",
                                        [TENSOR_OBJECT] = "object"};
    json *array = json_array();
    for (size_t i = 0; i < all->row_count; i++) {
        const tensor_row *row = &all->rows[i];
        json *item = json_object();
        json_add_text(item, "program", all->programs[row->program].name);
        json_add_string(item, "part", list_part(row->part));
        json_add_text(item, "name", tensors_text(all, row->name));
        json_add_string(item, "role", list_role(row->role));
        json_add_string(item, "form", row->is_fake ? "fake" : forms[row->form]);
        if (row->is_inner) {
            json_add_text(item, "inside", tensors_text(all, all->rows[row->outer].name));
        }
        bool stored = row->storage != TENSORS_NONE;
        json_add(item, "storage", stored ? json_integer((int64_t)row->storage) : json_null());
        if (row->dtype != NULL) {
            add_tensor(item, all, row);
        }
        if (row->form == TENSOR_OBJECT || row->is_subclass) {
            json_add_said(item, "class", tensors_text(all, row->class));
        }
        json_append(array, item);
    }
    return array;
}

void list_put_json(const listing *l) {
    json *object = json_object();
    ep_bytes root = l->archive->root;
    root.size -= root.size > 0 ? 1 : 0;
    json_add_text(object, "file", l->label);
    json_add_string(object, "layout", root.size > 0 ? "pt2" : "flat");
    json_add_said(object, "folder", root);
    json_add_integer(object, "bytes", (int64_t)l->bytes);
    json_add(object, "members", member_list(&l->archive->zip));
    json_add(object, "programs", program_list(l->tensors));
    json_add(object, "compiled", compiled_json(l->compiled));
    json_add(object, "tensors", tensor_list(l->tensors));
    json_add(object, "storages", storage_list(l->tensors));
    json_put(l->out, object, true);
}
