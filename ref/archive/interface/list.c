/*
 * list.c - epref_archive.h: the tensors of an archive, and their elements.
 */
#include "interface.h"

#include <string.h>

#include "common/refusal.h"

static bool read_list(ep_archive *a, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    tensors_wish wish = {
        .model = a->model, .decoding = &a->options.decoding, .limit = interface_limit(a)};
    tensors *t = &a->tensors;
    memory_share *before = memory_enter(&a->held->share);
    bool ok = tensors_read(&a->archive, &wish, t, &what);
    ep_bytes about = t->blamed == NULL ? (ep_bytes){"", 0} : t->blamed->name;
    ok = ok && compiled_read(&a->archive, wish.limit, &a->compiled, &what);
    a->is_listed = interface_settle(a, ok, about, &what, error);
    if (!a->is_listed) {
        compiled_free(&a->compiled);
        tensors_free(t);
    }
    memory_leave(before);
    return a->is_listed;
}

bool ep_archive_list(ep_archive *a, ep_error *error) {
    if (a == NULL) {
        return interface_fail_argument(error, "no archive");
    }
    return a->is_listed ? interface_ok(error) : read_list(a, error);
}

static bool is_listed(const ep_archive *a) {
    return a != NULL && a->is_listed;
}

size_t ep_archive_tensor_count(const ep_archive *a) {
    return is_listed(a) ? a->tensors.row_count : 0;
}

size_t ep_archive_storage_count(const ep_archive *a) {
    return is_listed(a) ? a->tensors.storage_count : 0;
}

static ep_archive_role role_of(const tensor_row *row) {
    static const ep_archive_role roles[] = {
        [TENSOR_UNNAMED] = EP_ARCHIVE_ROLE_UNNAMED,
        [TENSOR_PARAMETER] = EP_ARCHIVE_ROLE_PARAMETER,
        [TENSOR_BUFFER] = EP_ARCHIVE_ROLE_BUFFER,
        [TENSOR_BUFFER_NOT_PERSISTENT] = EP_ARCHIVE_ROLE_BUFFER_NOT_PERSISTENT,
        [TENSOR_CONSTANT] = EP_ARCHIVE_ROLE_CONSTANT,
        [TENSOR_CUSTOM_OBJECT] = EP_ARCHIVE_ROLE_CUSTOM_OBJECT,
        [TENSOR_INPUT] = EP_ARCHIVE_ROLE_SAMPLE_INPUT,
    };
    return roles[row->role];
}

static ep_archive_form form_of(const tensor_row *row) {
    static const ep_archive_form forms[] = {
        [TENSOR_STRIDED] = EP_ARCHIVE_FORM_STRIDED,
        [TENSOR_META] = EP_ARCHIVE_FORM_META,
        [TENSOR_SPARSE] = EP_ARCHIVE_FORM_SPARSE,
        [TENSOR_OBJECT] = EP_ARCHIVE_FORM_OBJECT,
    };
    return forms[row->form];
}

/* What its elements are, and why they cannot be read. */
static void tell_elements(const tensors *t, const tensor_row *row, ep_archive_tensor *tensor) {
    tensor->fault = elements_fault(t, row);
    if (row->dtype != NULL) {
        tensor->dtype = row->dtype->torch;
        tensor->element = row->dtype->size;
    }
    if (tensor->fault == NULL && !elements_size(t, row, &tensor->bytes)) {
        tensor->fault = "its elements are too many";
    }
}

bool ep_archive_tensor_at(const ep_archive *a, size_t i, ep_archive_tensor *tensor) {
    TRY(tensor != NULL && i < ep_archive_tensor_count(a));
    const tensors *t = &a->tensors;
    const tensor_row *row = &t->rows[i];
    *tensor = (ep_archive_tensor){
        .program = row->program,
        .role = role_of(row),
        .form = form_of(row),
        .name = tensors_text(t, row->name),
        .object = tensors_text(t, row->class),
        .rank = row->rank,
        .sizes = tensors_numbers(t, row->sizes),
        .strides = tensors_numbers(t, row->strides),
        .offset = row->offset,
        .storage = row->storage,
        .device = tensors_text(t, row->device),
        .requires_grad = row->requires_grad,
        .is_parameter = row->is_parameter,
        .is_conjugate = row->is_conjugate,
        .is_negative = row->is_negative,
        .inside = row->is_inner ? row->outer : SIZE_MAX,
    };
    tell_elements(t, row, tensor);
    return true;
}

bool ep_archive_storage_at(const ep_archive *a, size_t i, ep_archive_storage *storage) {
    TRY(storage != NULL && i < ep_archive_storage_count(a));
    const tensor_storage *s = &a->tensors.storages[i];
    *storage = (ep_archive_storage){
        .member = (size_t)(s->member - a->archive.zip.members),
        .place = s->place,
        .size = s->size,
        .tensors = s->count,
        .is_stored = s->is_stored,
        .big_endian = s->big_endian,
    };
    return true;
}

size_t ep_archive_compiled_count(const ep_archive *a) {
    return is_listed(a) ? a->compiled.model_count : 0;
}

bool ep_archive_compiled_at(const ep_archive *a, size_t i, ep_archive_compiled *model) {
    TRY(model != NULL && i < ep_archive_compiled_count(a));
    const compiled_model *m = &a->compiled.models[i];
    *model = (ep_archive_compiled){.name = m->name,
                                   .members = m->members,
                                   .bytes = m->bytes,
                                   .first = m->first,
                                   .rows = m->count,
                                   .fault = m->fault};
    return true;
}

bool ep_archive_compiled_row_at(const ep_archive *a, size_t i, ep_archive_compiled_row *row) {
    static const ep_archive_compiled_kind kinds[] = {
        [COMPILED_METADATA] = EP_ARCHIVE_COMPILED_METADATA,
        [COMPILED_CONSTANT] = EP_ARCHIVE_COMPILED_CONSTANT,
        [COMPILED_OBJECT] = EP_ARCHIVE_COMPILED_OBJECT,
    };
    TRY(row != NULL && is_listed(a) && i < a->compiled.row_count);
    const compiled *c = &a->compiled;
    const compiled_row *from = &c->rows[i];
    *row = (ep_archive_compiled_row){.kind = kinds[from->kind],
                                     .name = compiled_text(c, from->name),
                                     .value = compiled_text(c, from->value)};
    if (from->kind == COMPILED_CONSTANT) {
        row->rank = from->rank;
        row->sizes = compiled_numbers(c, from);
        row->strides = row->sizes + from->rank;
        row->offset = (uint64_t)row->sizes[2 * from->rank];
    }
    return true;
}

bool ep_archive_read_tensor(const ep_archive *a, size_t i, ep_sink *sink, void *context,
                            ep_error *error) {
    failure what = {.status = STATUS_DONE};
    interface_sink to = {sink, context};
    ep_archive_tensor tensor;
    if (sink == NULL || !ep_archive_tensor_at(a, i, &tensor)) {
        return interface_fail_argument(error, sink == NULL ? "no sink" : "no such tensor");
    }
    if (tensor.fault != NULL) {
        elements_refuse(&a->tensors.rows[i], tensor.name, tensor.fault, &what);
        return interface_fail(error, tensor.name, &what);
    }
    const tensors *t = &a->tensors;
    holding *held = interface_take_holding(a);
    elements e = {&a->archive, t, &t->rows[i], interface_limit(a), held};
    memory_share *before = memory_enter(&a->held->share);
    bool ok = elements_read(&e, (zipfile_taker){interface_take, &to}, &what);
    memory_leave(before);
    interface_give_back(a, held);
    return interface_settle(a, ok, tensor.name, &what, error);
}
