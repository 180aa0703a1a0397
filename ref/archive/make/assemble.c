/*
 * assemble.c - see assemble.h. What a tensor is like is what the program says of it; the
 * bytes are those of safetensors, so that nothing has to be compared but dtype and shape.
 */
#include "assemble.h"

#include <string.h>

#include "archive/state/elements.h"
#include "archive/state/payload.h"
#include "archive/state/tensors_parts.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "repack.h"

/* An assembly on its way. */
typedef struct assembling {
    const assembly_wish *wish;
    assembly *to;
    tensors_reading reading;
    ep_arena arena;
    const name_item **order; /* of the program's targets, as the signature has them */
    bool *used;              /* of each tensor of the state */
    size_t room;             /* bytes that may still be held */
    failure *what;
} assembling;

static bool refuse(assembling *x, ep_bytes name, const char *why) {
    *x->what = (failure){.status = STATUS_INVALID, .reason = why};
    x->to->blamed = name;
    return false;
}

static bool refuse_memory(assembling *x) {
    return refuse_plainly(x->what, EP_MEMORY);
}

/* -------------------------------------------------------------------------- storages */

/* Elements from the first of a storage to the last that a tensor reaches. */
static bool reach(const payload_tensor *t, uint64_t *length) {
    *length = (uint64_t)t->offset + 1;
    for (size_t i = 0; i < t->rank; i++) {
        uint64_t steps = t->sizes[i] == 0 ? 0 : (uint64_t)t->sizes[i] - 1;
        uint64_t stride = (uint64_t)t->strides[i];
        if (stride > 0 && steps > (INT64_MAX - *length) / stride) {
            return false;
        }
        *length += steps * stride;
    }
    return true;
}

/* Elements one by one, the last index first, to where the strides say. */
static void scatter(const payload_tensor *t, const char *from, uint64_t count, char *to) {
    size_t width = t->dtype->size;
    int64_t index[PAYLOAD_RANK_MAX] = {0};
    uint64_t at = (uint64_t)t->offset;
    for (; count > 0; count--, from += width) {
        memcpy(to + at * width, from, width);
        for (size_t i = t->rank; i > 0; i--) {
            at += (uint64_t)t->strides[i - 1];
            if (++index[i - 1] < t->sizes[i - 1]) {
                break;
            }
            at -= (uint64_t)t->strides[i - 1] * (uint64_t)t->sizes[i - 1];
            index[i - 1] = 0;
        }
    }
}

static bool hold(assembling *x, const payload_tensor *t, const safetensor *s, buffer *to) {
    buffer from = {0};
    uint64_t length;
    if (!reach(t, &length) || length > x->room / t->dtype->size ||
        s->size > x->room - length * t->dtype->size) {
        return refuse_plainly(x->what, EP_LIMIT_BYTES);
    }
    length *= t->dtype->size;
    x->room -= (size_t)length;
    for (uint64_t i = 0; i < length && !to->failed; i++) {
        buffer_byte(to, '\0');
    }
    bool ok = io_read_piece(x->wish->state->from, s->place, (size_t)s->size, &from, x->what);
    if (ok && !to->failed) {
        scatter(t, from.data, s->size / t->dtype->size, to->data);
    }
    buffer_free(&from);
    return ok && (!to->failed || refuse_memory(x));
}

/* The bytes of a tensor as a storage. */
static bool add_storage(assembling *x, const payload_tensor *t, const safetensor *s,
                        size_t *number) {
    assembly *a = x->to;
    tensor_storage storage = {.place = s->place, .size = s->size, .is_stored = true};
    bool same =
        s->size == 0 || (t->offset == 0 && elements_are_contiguous(t->sizes, t->strides, t->rank));
    buffer held = {0};
    if (!same && !hold(x, t, s, &held)) {
        buffer_free(&held);
        return false;
    }
    storage.size = same ? s->size : held.size;
    if (!tensors_add_storage(&x->reading, storage, number)) {
        buffer_free(&held);
        return false;
    }
    a->held[*number] = held;
    a->held_count = *number + 1;
    return true;
}

/* --------------------------------------------------------------------------- tensors */

/* NULL, or why the program's tensor is not the state's. */
static const char *fault_of_tensor(const assembling *x, const payload_tensor *t,
                                   const safetensor *s) {
    const int64_t *sizes = safetensors_numbers(x->wish->state, s->sizes);
    if (t->dtype != s->dtype) {
        return "its dtype is another than the program says";
    }
    bool same = t->rank == s->rank &&
                (t->rank == 0 || memcmp(t->sizes, sizes, t->rank * sizeof *sizes) == 0);
    return same ? NULL : "its shape is another than the program says";
}

static bool add_row(assembling *x, ep_bytes name, const tensors_target *target,
                    const payload_tensor *t) {
    tensors_reading *r = &x->reading;
    const safetensor *s = safetensors_find(x->wish->state, name);
    const char *why =
        s == NULL ? "the program has it, and the tensors have not" : fault_of_tensor(x, t, s);
    if (why != NULL) {
        return refuse(x, name, why);
    }
    tensor_row row = {.form = TENSOR_STRIDED,
                      .dtype = t->dtype,
                      .rank = t->rank,
                      .offset = (uint64_t)t->offset,
                      .requires_grad = t->requires_grad,
                      .is_parameter = target->role == TENSOR_PARAMETER};
    x->used[s - x->wish->state->items] = true;
    row.device.at = r->t->texts.size;
    payload_put_device(&r->t->texts, ep_value_field(target->meta, "device"), &x->arena);
    row.device.size = r->t->texts.size - row.device.at;
    return add_storage(x, t, s, &row.storage) &&
           tensors_add_numbers(r, t->sizes, t->rank, &row.sizes) &&
           tensors_add_numbers(r, t->strides, t->rank, &row.strides) && tensors_add(r, name, row);
}

static bool add_target(assembling *x, ep_bytes name, const tensors_target *target) {
    payload_tensor t;
    const char *layout = ep_value_name(ep_value_field(target->meta, "layout"), 0);
    if (target->role == TENSOR_CUSTOM_OBJECT) {
        return refuse(x, name, "it is a custom object, which is no tensor");
    }
    if (layout == NULL || strcmp(layout, "Strided") != 0) {
        return refuse(x, name, "its layout is not Strided");
    }
    const char *why = payload_tensor_of(target->meta, &t);
    return why == NULL ? add_row(x, name, target, &t) : refuse(x, name, why);
}

/* The targets of a role, in the order of the signature; a value that is several inputs is
 * one tensor. */
static bool add_role(assembling *x, tensor_role role) {
    const name_list *targets = &x->reading.targets;
    bool ok = true;
    for (size_t i = 0; ok && i < targets->count; i++) {
        const name_item *item = x->order[i];
        bool again = item > targets->items && bytes_compare(item[-1].name, item->name) == 0;
        if (x->reading.wanted[i].role == role && !again) {
            ok = add_target(x, item->name, &x->reading.wanted[i]);
        }
    }
    return ok;
}

/* As torch.export has them: parameters, then buffers; of the constants first what it took
 * out of the model. */
static bool add_roles(assembling *x) {
    x->reading.part = TENSOR_WEIGHTS;
    bool ok = add_role(x, TENSOR_PARAMETER) && add_role(x, TENSOR_BUFFER);
    x->reading.part = TENSOR_CONSTANTS;
    return ok && add_role(x, TENSOR_CUSTOM_OBJECT) && add_role(x, TENSOR_CONSTANT) &&
           add_role(x, TENSOR_BUFFER_NOT_PERSISTENT);
}

static bool check_used(assembling *x) {
    const safetensors *s = x->wish->state;
    for (size_t i = 0; i < s->count; i++) {
        if (!x->used[i]) {
            ep_bytes name = {s->texts.data + s->items[i].name, s->items[i].name_size};
            return refuse(x, name, "the program has no parameter, buffer or constant of this name");
        }
    }
    return true;
}

static bool reserve(assembling *x) {
    size_t targets = x->reading.targets.count + 1;
    size_t entries = x->wish->state->count + 1;
    x->order = memory_resize(NULL, targets * sizeof *x->order);
    x->used = memory_resize(NULL, entries * sizeof *x->used);
    x->to->held = memory_resize(NULL, targets * sizeof *x->to->held);
    for (size_t i = 0; x->used != NULL && i < entries; i++) {
        x->used[i] = false;
    }
    for (size_t i = 0; x->order != NULL && i + 1 < targets; i++) {
        x->order[x->reading.targets.items[i].count] = &x->reading.targets.items[i];
    }
    return (x->order != NULL && x->used != NULL && x->to->held != NULL) || refuse_memory(x);
}

static bool add_tensors(assembling *x) {
    tensors_reading *r = &x->reading;
    *r = (tensors_reading){.t = &x->to->tensors, .what = x->what};
    bool ok = tensors_add_program(r, NULL, bytes_of("model")) &&
              tensors_open_program(r, x->wish->program, &x->arena) && reserve(x) && add_roles(x) &&
              check_used(x);
    return ok && (!r->t->texts.failed || refuse_memory(x));
}

/* --------------------------------------------------------------------------- members */

static void put_name(assembling *x, buffer *name, const char *folder, ep_bytes rest) {
    buffer_clear(name);
    buffer_put(name, x->wish->root.data, x->wish->root.size);
    buffer_text(name, folder);
    buffer_put(name, rest.data, rest.size);
    x->to->zip.failed = x->to->zip.failed || name->failed;
}

static void put_member(assembling *x, buffer *name, const char *member, ep_bytes bytes) {
    put_name(x, name, member, (ep_bytes){"", 0});
    zipwrite_bytes(&x->to->zip, buffer_bytes(name), bytes);
}

static bool put_part(assembling *x, raw_part *p, tensor_part part) {
    const tensors *t = &x->to->tensors;
    *p = (raw_part){.tensors = t,
                    .from = x->wish->state->from,
                    .held = x->to->held,
                    .part = part,
                    .order = archive_raw_order(ep_program_version(x->wish->program))};
    p->rows = memory_resize(NULL, (t->row_count + 1) * sizeof *p->rows);
    for (size_t i = 0; p->rows != NULL && i < t->row_count; i++) {
        if (t->rows[i].part == part) {
            p->rows[p->count++] = i;
        }
    }
    return p->rows != NULL && raw_plan(p, &x->to->zip, x->wish->root, bytes_of("model"));
}

/* The serialization id, when all members before it were written. */
static bool give_id(void *context, const zipwrite_member *m, zipfile_taker to, failure *what) {
    assembly *a = context;
    size_t before = (size_t)(m - a->zip.members);
    return serial_id(&a->zip, before, a->root, a->id)
               ? to.take(to.context, (ep_bytes){a->id, sizeof a->id}, what)
               : refuse_plainly(what, EP_MEMORY);
}

static void put_frame(assembling *x, buffer *name) {
    put_member(x, name, "archive_format", bytes_of("pt2"));
    put_member(x, name, "archive_version", bytes_of("0"));
    put_member(x, name, ".data/version", bytes_of("6\n"));
    put_member(x, name, "byteorder", bytes_of("little"));
    put_name(x, name, ".data/serialization_id", (ep_bytes){"", 0});
    zipwrite_member *id = zipwrite_given(&x->to->zip, buffer_bytes(name),
                                         (zipwrite_source){.give = give_id, .context = x->to});
    if (id != NULL) {
        id->size = CONTAINER_ID_SIZE;
        id->is_counted = true;
    }
}

static bool put_members(assembling *x, buffer *name) {
    const assembly_wish *wish = x->wish;
    if (!put_part(x, &x->to->weights, TENSOR_WEIGHTS) ||
        !put_part(x, &x->to->constants, TENSOR_CONSTANTS)) {
        return refuse_memory(x);
    }
    put_member(x, name, "models/model.json", wish->text);
    put_member(x, name, "data/sample_inputs/model.pt", wish->inputs);
    for (size_t i = 0; i < wish->extra_count; i++) {
        put_name(x, name, "extra/", wish->extras[i].name);
        zipwrite_bytes(&x->to->zip, buffer_bytes(name), wish->extras[i].bytes);
    }
    put_frame(x, name);
    const char *why = zipwrite_judge_names(&x->to->zip, &x->to->blamed);
    bool ok = why == NULL || refuse(x, x->to->blamed,
                                    "its name is another member's, or longer than PyTorch reads");
    return ok && (!x->to->zip.failed || refuse_memory(x));
}

/* -------------------------------------------------------------------------- assembly */

bool assemble(const assembly_wish *wish, assembly *a, failure *what) {
    assembling x = {.wish = wish, .to = a, .what = what, .room = wish->limit};
    buffer name = {0};
    *a = (assembly){.zip = {.pt2 = true}, .root = wish->root.size};
    arena_open(&x.arena, 0);
    bool ok = archive_takes_raw(ep_program_version(wish->program)) ||
              refuse(&x, (ep_bytes){"", 0},
                     "the releases of its version pickle tensors: migrate "
                     "the program to 8.14 or later first");
    ok = ok && add_tensors(&x) && put_members(&x, &name);
    tensors_close_program(&x.reading);
    memory_free(x.order);
    memory_free(x.used);
    ep_arena_free(&x.arena);
    buffer_free(&name);
    return ok;
}

bool assembly_write(void *context, zipfile_take *put, void *sink, failure *what) {
    assembly *a = context;
    return io_settle(a->weights.from, zipwrite_all(&a->zip, put, sink, what), what);
}

void assembly_free(assembly *a) {
    zipwrite_free(&a->zip);
    raw_free(&a->weights);
    raw_free(&a->constants);
    for (size_t i = 0; i < a->held_count; i++) {
        buffer_free(&a->held[i]);
    }
    memory_free(a->held);
    tensors_free(&a->tensors);
}
