/*
 * agree.c - see agree.h. What a config or a pickle says is compared with the bytes that it
 * names (agree_bytes.c), and here with the program.
 */
#include "agree.h"
#include "common/macros.h"

#include <string.h>

/* Where a broken rule is told: at an entry of a config, or at a pickled member. */
typedef struct place {
    ep_value entry; /* null: of a pickle */
    const zipfile_member *member;
} place;

static bool refuse(tensors_reading *r, ep_code code, const place *at, const char *why) {
    return ep_value_kind(at->entry) == EP_KIND_NULL ? tensors_refuse(r, code, at->member, why)
                                                    : tensors_refuse_entry(r, code, at->entry, why);
}

/* ------------------------------------------------------------------------------ entries */

static bool starts_as_object(ep_bytes path) {
    return bytes_start(path, "custom_obj_") || bytes_start(path, "opaque_obj_");
}

/* SPEC 8.3.2 */
static const char *fault_of_entry(const tensors_reading *r, const payload *p) {
    bool tensor = ep_value_kind(p->meta) != EP_KIND_NULL;
    bool object = r->part == TENSOR_CONSTANTS && starts_as_object(p->path);
    const char *start = r->part == TENSOR_WEIGHTS ? "weight_" : "tensor_";
    if (!object && !bytes_start(p->path, start)) {
        return "path_name has not the prefix of its kind";
    }
    if (tensor == object) {
        return object ? "an object has a tensor_meta" : "a tensor has no tensor_meta";
    }
    if (object && (!p->is_pickled || p->is_parameter)) {
        return "an object is not pickled, or a parameter";
    }
    return NULL;
}

bool agree_entry(tensors_reading *r, const payload *p, const zipfile_member *m) {
    size_t first = r->first[m - r->a->zip.members];
    const char *why = fault_of_entry(r, p);
    if (why == NULL && first != TENSORS_NONE) {
        const tensor_row *row = &r->t->rows[first];
        why = row->is_pickled != p->is_pickled ? "use_pickle is another than for the same member"
              : p->is_pickled                  ? "a pickled member has two entries"
                                               : NULL;
    }
    return why == NULL || tensors_refuse_entry(r, EP_ARCHIVE_PAYLOAD, p->entry, why);
}

/* Raw tensors of one member have one dtype and device. SPEC 8.3.2 */
static bool agrees_with_first(const tensors_reading *r, const tensor_row *row) {
    const tensors *t = r->t;
    if (row->form != TENSOR_STRIDED || row->is_pickled) {
        return true;
    }
    const tensor_row *first = &t->rows[t->storages[row->storage].first];
    return first->dtype == row->dtype &&
           bytes_compare(tensors_text(t, first->device), tensors_text(t, row->device)) == 0;
}

/* ------------------------------------------------------------------------------ program */

static bool same_numbers(const tensors *t, size_t at, const int64_t *numbers, size_t count) {
    return count == 0 || memcmp(tensors_numbers(t, at), numbers, count * sizeof *numbers) == 0;
}

/* Whether a device is written so. */
static bool is_device(ep_bytes text, ep_value device, bool *failed) {
    ep_arena arena;
    buffer wanted = {0};
    arena_open(&arena, 0);
    payload_put_device(&wanted, device, &arena);
    bool same = bytes_compare(text, buffer_bytes(&wanted)) == 0;
    *failed = *failed || wanted.failed;
    ep_arena_free(&arena);
    buffer_free(&wanted);
    return same;
}

static const char *compare_shape(const tensors *t, const tensor_row *row,
                                 const payload_tensor *said) {
    bool sizes = row->rank == said->rank && same_numbers(t, row->sizes, said->sizes, said->rank);
    return row->dtype != said->dtype                                   ? "its dtype is another"
           : !sizes                                                    ? "its sizes are others"
           : !same_numbers(t, row->strides, said->strides, said->rank) ? "its strides are others"
                                                                       : NULL;
}

/* A tensor with the TensorMeta of the program. NULL, or what is not the same. */
static const char *compare_tensor(const tensors_reading *r, const tensor_row *row, ep_value meta,
                                  bool *failed) {
    payload_tensor said;
    const char *layout = ep_value_name(ep_value_field(meta, "layout"), 0);
    bool strided = layout != NULL && bytes_equal(bytes_of(layout), "Strided");
    if (row->form == TENSOR_SPARSE || !strided) {
        return (row->form == TENSOR_SPARSE) == !strided ? NULL : "its layout is another";
    }
    const char *why = payload_tensor_of(meta, &said);
    why = why != NULL ? "the program does not say its numbers" : compare_shape(r->t, row, &said);
    if (why != NULL) {
        return why;
    }
    if (row->form == TENSOR_STRIDED && said.offset != 0 && row->offset != (uint64_t)said.offset) {
        return "its storage_offset is another";
    }
    return is_device(tensors_text(r->t, row->device), ep_value_field(meta, "device"), failed)
               ? NULL
               : "its device is another";
}

/* A tensor of torch.export's own stand-in, or of a class: what it is like is not known. */
static bool is_unknown_tensor(const tensors_reading *r, const tensor_row *row) {
    return row->is_subclass || tensors_is_stand_in(tensors_text(r->t, row->class));
}

/* Of a parameter. Releases up to 2.4 lose requires_grad in the program. SPEC 8.4.3 */
static bool same_gradient(const tensor_row *row, ep_value meta) {
    bool said = ep_value_int(ep_value_field(meta, "requires_grad")) != 0;
    return row->requires_grad || !said;
}

/* SPEC 8.4.3 */
static const char *fault_of_row(const tensors_reading *r, const tensor_row *row,
                                const tensors_target *target, bool *failed) {
    if (is_unknown_tensor(r, row)) {
        return target->role == TENSOR_CUSTOM_OBJECT ? "an object of the program is a tensor" : NULL;
    }
    if ((target->role == TENSOR_CUSTOM_OBJECT) != (row->form == TENSOR_OBJECT)) {
        return row->form == TENSOR_OBJECT ? "a tensor of the program is an object"
                                          : "an object of the program is a tensor";
    }
    if (target->role == TENSOR_CUSTOM_OBJECT) {
        return NULL;
    }
    const char *why = compare_tensor(r, row, target->meta, failed);
    bool parameter = target->role == TENSOR_PARAMETER;
    bool sparse = row->form == TENSOR_SPARSE;
    if (why == NULL && !sparse && parameter && !same_gradient(row, target->meta)) {
        return "its requires_grad is another";
    }
    if (why == NULL && !sparse && parameter != row->is_parameter &&
        (parameter || !row->requires_grad)) {
        return parameter ? "a parameter is not marked as one" : "it is marked as a parameter";
    }
    return why;
}

static bool belongs(const tensors_reading *r, tensor_role role) {
    bool constant = role == TENSOR_BUFFER_NOT_PERSISTENT || role == TENSOR_CONSTANT ||
                    role == TENSOR_CUSTOM_OBJECT;
    return role != TENSOR_UNNAMED && constant == (r->part == TENSOR_CONSTANTS);
}

/* SPEC 8.4.3 */
static bool agree_target(tensors_reading *r, const tensor_row *row, const place *at,
                         tensors_target *target) {
    bool failed = false;
    const char *why = fault_of_row(r, row, target, &failed);
    target->found = true;
    if (failed) {
        return tensors_refuse_memory(r);
    }
    return why == NULL || refuse(r, EP_ARCHIVE_TENSOR, at, why);
}

/* A value can be several inputs of the program. SPEC 8.4.2 */
static bool agree_row(tensors_reading *r, const tensor_row *row, const place *at) {
    ep_bytes name = tensors_text(r->t, row->name);
    const name_item *item = names_find(&r->targets, name);
    const name_item *end = item == NULL ? NULL : r->targets.items + r->targets.count;
    bool named = row->form == TENSOR_OBJECT && names_find(&r->objects, name) != NULL;
    for (; item != NULL && item < end && bytes_compare(item->name, name) == 0; item++) {
        if (belongs(r, r->wanted[item->count].role)) {
            named = true;
            TRY(agree_target(r, row, at, &r->wanted[item->count]));
        }
    }
    return named || r->part != TENSOR_CONSTANTS ||
           refuse(r, EP_ARCHIVE_UNNAMED, at, "the signature has no such constant");
}

/* --------------------------------------------------------------------------------- parts */

/* A pickled tensor as its config has it, and an object as its name has it. */
static const char *fault_of_pickled(const tensors_reading *r, const tensor_row *row,
                                    const payload *p) {
    static const char classes[] = "__torch__.torch.classes.";
    payload_tensor said;
    if (bytes_start(p->path, "custom_obj_")) {
        bool known =
            row->form == TENSOR_OBJECT && bytes_start(tensors_text(r->t, row->class), classes);
        return known ? NULL : "it is no object of a registered class";
    }
    if (ep_value_kind(p->meta) == EP_KIND_NULL) {
        return NULL;
    }
    if (row->form == TENSOR_OBJECT || row->is_subclass) {
        return is_unknown_tensor(r, row) ? NULL : "it is no tensor";
    }
    if (row->form == TENSOR_SPARSE) {
        return NULL;
    }
    const char *why = payload_tensor_of(p->meta, &said);
    why = why != NULL ? why : compare_shape(r->t, row, &said);
    bool same = row->form == TENSOR_META || row->offset == (uint64_t)said.offset;
    return why != NULL                                ? why
           : !same                                    ? "its storage_offset is another"
           : row->requires_grad != said.requires_grad ? "its requires_grad is another"
                                                      : NULL;
}

static bool agree_with_entry(tensors_reading *r, const tensor_row *row, const payload *p) {
    bool object = ep_value_kind(p->meta) == EP_KIND_NULL;
    const char *why = row->is_pickled ? fault_of_pickled(r, row, p) : NULL;
    if (why != NULL) {
        return tensors_refuse_entry(r, object ? EP_ARCHIVE_PICKLE : EP_ARCHIVE_TENSOR, p->entry,
                                    why);
    }
    return agrees_with_first(r, row) ||
           tensors_refuse_entry(r, EP_ARCHIVE_PAYLOAD, p->entry,
                                "its dtype or device is another than for the same member");
}

bool agree_config(tensors_reading *r, ep_value entries, ep_arena *arena, size_t first) {
    payload p;
    for (size_t i = 0; i < ep_value_count(entries); i++) {
        if (!payload_at(entries, i, arena, &p)) {
            return tensors_refuse_memory(r);
        }
        TRY(agree_with_entry(r, &r->t->rows[first + i], &p));
    }
    TRY(agree_bytes(r, entries, first));
    for (size_t i = 0; i < ep_value_count(entries); i++) {
        place at = {.entry = ep_value_item(entries, i)};
        TRY(agree_row(r, &r->t->rows[first + i], &at));
    }
    return true;
}

static bool is_state(const tensors_reading *r, const tensor_row *row) {
    return row->form != TENSOR_OBJECT || is_unknown_tensor(r, row) ||
           (r->part == TENSOR_CONSTANTS &&
            bytes_equal(tensors_text(r->t, row->class), "torch.ScriptObject"));
}

bool agree_rows(tensors_reading *r, const zipfile_member *m, size_t first) {
    place at = {.member = m};
    for (size_t i = first; i < r->t->row_count; i++) {
        const tensor_row *row = &r->t->rows[i];
        if (!is_state(r, row)) {
            return tensors_refuse(r, EP_ARCHIVE_PICKLE, m, "an item of its dict is no tensor");
        }
        TRY(agree_fit(r, m, row) && agree_row(r, row, &at));
    }
    return true;
}

bool agree_whole_part(tensors_reading *r) {
    const zipfile_member *program = r->t->programs[r->program].member;
    for (size_t i = 0; r->part != TENSOR_INPUTS && i < r->targets.count; i++) {
        const tensors_target *target = &r->wanted[i];
        if (target->found || !belongs(r, target->role)) {
            continue;
        }
        r->t->blamed = program;
        return tensors_refuse_entry(r, EP_ARCHIVE_MISSING, target->spec,
                                    r->part == TENSOR_WEIGHTS
                                        ? "the weights have no entry for it"
                                        : "the constants have no entry for it");
    }
    return true;
}
