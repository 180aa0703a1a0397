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
        json_members(item, "name:t bytes:i packed:i place:j crc32:i", m->name, (int64_t)m->size,
                     (int64_t)m->packed, stored ? json_integer((int64_t)m->place) : json_null(),
                     (int64_t)m->crc);
        json_append(array, item);
    }
    return array;
}

static json *program_list(const tensors *all) {
    json *array = json_array();
    for (size_t i = 0; i < all->program_count; i++) {
        json *item =
            json_make("name:t member:t", all->programs[i].name, all->programs[i].member->name);
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
        json *item = json_make("member:t key:u bytes:i place:j byteorder:s tensors:j",
                               s->member->name, tensors_text(all, s->key), (int64_t)s->size,
                               s->is_stored ? json_integer((int64_t)s->place) : json_null(),
                               s->big_endian ? "big" : "little", shown_by(all, s));
        json_append(array, item);
    }
    return array;
}

static void add_tensor(json *item, const tensors *all, const tensor_row *row) {
    json_members(item, "dtype:s shape:j strides:j requires_grad:b is_parameter:b",
                 row->dtype->torch, json_integers(tensors_numbers(all, row->sizes), row->rank),
                 json_integers(tensors_numbers(all, row->strides), row->rank), row->requires_grad,
                 row->is_parameter);
    if (row->form == TENSOR_STRIDED) {
        json_members(item, "offset:i fits:b conjugate:b negative:b", (int64_t)row->offset,
                     tensors_fit(all, row), row->is_conjugate, row->is_negative);
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
        json *item =
            json_make("program:t part:s name:t role:s form:s", all->programs[row->program].name,
                      list_part(row->part), tensors_text(all, row->name), list_role(row->role),
                      row->is_fake ? "fake" : forms[row->form]);
        if (row->is_inner) {
            json_members(item, "inside:t", tensors_text(all, all->rows[row->outer].name));
        }
        bool stored = row->storage != TENSORS_NONE;
        json_add(item, "storage", stored ? json_integer((int64_t)row->storage) : json_null());
        if (row->dtype != NULL) {
            add_tensor(item, all, row);
        }
        if (row->form == TENSOR_OBJECT || row->is_subclass) {
            json_members(item, "class:u", tensors_text(all, row->class));
        }
        json_append(array, item);
    }
    return array;
}

void list_put_json(const listing *l) {
    json *object = json_object();
    ep_bytes root = l->archive->root;
    root.size -= root.size > 0 ? 1 : 0;
    json_members(object,
                 "file:t layout:s folder:u bytes:i members:j programs:j compiled:j "
                 "tensors:j storages:j",
                 l->label, root.size > 0 ? "pt2" : "flat", root, (int64_t)l->bytes,
                 member_list(&l->archive->zip), program_list(l->tensors),
                 compiled_json(l->compiled), tensor_list(l->tensors), storage_list(l->tensors));
    json_put(l->out, object);
}
