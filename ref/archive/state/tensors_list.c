/*
 * tensors_list.c - the list of tensors (tensors.h): rows, storages and numbers are put into
 * it, members are found and read.
 */
#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"
#include "tensors_parts.h"

bool tensors_refuse(tensors_reading *r, ep_code code, const zipfile_member *m, const char *why) {
    r->t->blamed = m;
    return refuse_named(r->what, code, m->name, why);
}

void tensors_place_entry(tensors_reading *r, ep_value entry) {
    ep_error place;
    ep_value_place(entry, &place);
    r->what->error.offset = place.offset;
    r->what->error.line = place.line;
    r->what->error.column = place.column;
    memcpy(r->what->error.pointer, place.pointer, sizeof place.pointer);
    r->what->error.pointer_cut = place.pointer_cut;
}

bool tensors_refuse_entry(tensors_reading *r, ep_code code, ep_value entry, const char *why) {
    refuse_named(r->what, code, (ep_bytes){"", 0}, why);
    if (r->what->error.code == code) {
        tensors_place_entry(r, entry);
    }
    return false;
}

bool tensors_refuse_memory(tensors_reading *r) {
    return refuse_plainly(r->what, EP_MEMORY);
}

/* ------------------------------------------------------------------------------- lists */

size_t *tensors_make_places(size_t count) {
    size_t *places = memory_zeros(count, sizeof *places);
    for (size_t i = 0; places != NULL && i < count; i++) {
        places[i] = TENSORS_NONE;
    }
    return places;
}

tensor_text tensors_keep(tensors *t, ep_bytes text) {
    tensor_text kept = {t->texts.size, text.size};
    buffer_put(&t->texts, text.data, text.size);
    return t->texts.failed ? (tensor_text){0, 0} : kept; /* who adds a row refuses it */
}

ep_bytes tensors_text(const tensors *t, tensor_text text) {
    return (ep_bytes){text.size == 0 ? "" : t->texts.data + text.at, text.size};
}

tensors_target *tensors_target_of(const tensors_reading *r, ep_bytes name) {
    const name_item *found = names_find(&r->targets, name);
    return found == NULL ? NULL : &r->wanted[found->count];
}

static tensor_role role_of(const tensors_reading *r, ep_bytes name) {
    const tensors_target *target = tensors_target_of(r, name);
    return r->part == TENSOR_INPUTS ? TENSOR_INPUT : target == NULL ? TENSOR_UNNAMED : target->role;
}

bool tensors_add(tensors_reading *r, ep_bytes name, tensor_row row) {
    tensors *t = r->t;
    bool ok = memory_room(&t->rows, t->row_count, &t->row_room, sizeof row);
    row.name = tensors_keep(t, name);
    if (!ok || t->texts.failed) {
        return tensors_refuse_memory(r);
    }
    row.program = r->program;
    row.part = r->part;
    row.next = TENSORS_NONE;
    row.role = role_of(r, name);
    if (row.storage != TENSORS_NONE) {
        tensor_storage *s = &t->storages[row.storage];
        if (s->count++ == 0) {
            s->first = t->row_count;
        } else {
            t->rows[s->last].next = t->row_count;
        }
        s->last = t->row_count;
    }
    t->rows[t->row_count++] = row;
    return true;
}

bool tensors_add_storage(tensors_reading *r, tensor_storage storage, size_t *number) {
    tensors *t = r->t;
    bool ok = memory_room(&t->storages, t->storage_count, &t->storage_room, sizeof storage);
    if (!ok || t->texts.failed) {
        return tensors_refuse_memory(r);
    }
    *number = t->storage_count++;
    t->storages[*number] = storage;
    return true;
}

bool tensors_add_numbers(tensors_reading *r, const int64_t *numbers, size_t count, size_t *first) {
    tensors *t = r->t;
    *first = t->number_count;
    for (size_t i = 0; i < count; i++) {
        if (!memory_room(&t->numbers, t->number_count, &t->number_room, sizeof *numbers)) {
            return tensors_refuse_memory(r);
        }
        t->numbers[t->number_count++] = numbers[i];
    }
    return true;
}

bool tensors_add_program(tensors_reading *r, const zipfile_member *m, ep_bytes name) {
    tensors *t = r->t;
    if (!memory_room(&t->programs, t->program_count, &t->program_room, sizeof *t->programs)) {
        return tensors_refuse_memory(r);
    }
    t->programs[t->program_count++] = (tensor_program){.member = m, .name = name};
    return true;
}

/* ----------------------------------------------------------------------------- members */

const zipfile_member *tensors_find(tensors_reading *r, const char *folder, ep_bytes name,
                                   const char *end) {
    const zipfile_member *m = lookup_find(&r->by_name, folder, name, end);
    r->t->texts.failed = r->t->texts.failed || r->by_name.name.failed;
    return m;
}

bool tensors_load(tensors_reading *r, const zipfile_member *m, buffer *content) {
    r->t->blamed = m;
    return zipfile_read_whole(&r->a->zip, m, r->wish->limit, content, r->what);
}

/* -------------------------------------------------------------------------- the whole list */

void tensors_free(tensors *t) {
    memory_free(t->programs);
    memory_free(t->rows);
    memory_free(t->storages);
    memory_free(t->numbers);
    buffer_free(&t->texts);
    *t = (tensors){.blamed = NULL};
}

bool tensors_shape_fits(const int64_t *sizes, const int64_t *strides, size_t rank, uint64_t offset,
                        uint64_t room) {
    uint64_t last = offset;
    for (size_t i = 0; i < rank; i++) {
        if (sizes[i] == 0) {
            return true;
        }
    }
    for (size_t i = 0; last < room && i < rank; i++) {
        uint64_t steps = (uint64_t)sizes[i] - 1;
        uint64_t stride = (uint64_t)strides[i];
        if (stride > 0 && steps > (room - 1 - last) / stride) {
            return false;
        }
        last += steps * stride;
    }
    return last < room;
}

bool tensors_fit_in(const tensors *t, const tensor_row *row, uint64_t room) {
    return tensors_shape_fits(tensors_numbers(t, row->sizes), tensors_numbers(t, row->strides),
                              row->rank, row->offset, room);
}

bool tensors_fit(const tensors *t, const tensor_row *row) {
    uint64_t room = row->storage == TENSORS_NONE ? 0 : t->storages[row->storage].size;
    return tensors_fit_in(t, row, room / row->dtype->size);
}
